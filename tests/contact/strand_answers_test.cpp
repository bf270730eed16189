#include <gtest/gtest.h>

#include <vector>

#include <rivulet/verify/cone_samples.h>
#include "strand/strand_samples.h"

#include <rivulet/contact/strand_answers.h>
#include <rivulet/strand/solve.h>

namespace rivulet::contact {
namespace {

/// A step of some curls, solved, with its answers.
struct Curls {
    strand::StrandState state = strand::make_strands(strand::samples::curls(5, true));
    strand::Mobility mobility;

    Curls() {
        strand::samples::stir(state, 0.3, 5);
        const std::vector<strand::StrandMaterial> materials{strand::samples::rubber()};
        strand::Solver solver;
        strand::Motion motion;
        strand::Loads loads;
        loads.gravity = {0, -9.81, 0};
        solver.solve(state, materials, loads, 0.004, motion, {}, &mobility);
        mobility.invert_band();
    }
};

/// Velocity of the contact per impulse of its own by products with C⁻¹, one owner at a time.
Mat3d own_by_products(const StrandAnswers& answers, const Cone& cone) {
    Mat3d w;
    for (int axis = 0; axis < 3; ++axis)
        for (std::size_t side = 0; side < 2; ++side) {
            if (cone.owner[side] == Cone::kNone) continue;
            std::vector<Vec3d> p(answers.nodes());
            std::vector<double> q(answers.nodes());
            for (std::size_t k = 2 * side; k < 2 * side + 2; ++k)
                if (cone.node[k] != Cone::kNone) p[cone.node[k]][axis] += cone.weight[k];
            if (cone.turn[side] != Cone::kNone) q[cone.turn[side]] += cone.arm[side][axis];
            answers.apply(p, q, p, q, {});
            for (std::size_t k = 2 * side; k < 2 * side + 2; ++k)
                if (cone.node[k] != Cone::kNone)
                    for (int i = 0; i < 3; ++i) w(i, axis) += cone.weight[k] * p[cone.node[k]][i];
            if (cone.turn[side] != Cone::kNone)
                for (int i = 0; i < 3; ++i) w(i, axis) += cone.arm[side][i] * q[cone.turn[side]];
        }
    return w;
}

TEST(StrandAnswers, OwnAnswerOfAContactIsThatOfItsTwoSides) {
    const Curls curls;
    StrandAnswers::Memory memory;
    const StrandAnswers answers(curls.state, curls.mobility, memory);
    for (std::uint64_t i = 0; i < 300; ++i) {
        const Random random(3, i);
        Cone cone;
        const auto touch = [&](std::size_t k, std::size_t strand, double sign) {
            const std::size_t begin = curls.state.begin(strand), edges = curls.state.end(strand) - begin - 1;
            const auto node = std::uint32_t(begin + std::size_t(random.uniform(k) * double(edges)));
            const double place = random.uniform(5 + k);
            cone.owner[k] = std::uint32_t(strand);
            cone.node[2 * k] = node, cone.weight[2 * k] = sign * (1 - place);
            if (i % 4 != 0) cone.node[2 * k + 1] = node + 1, cone.weight[2 * k + 1] = sign * place;
            if (i % 4 > 1) cone.turn[k] = node, cone.arm[k] = 1e-3 * random.direction(10 + k);
        };
        touch(0, i % 5, 1);
        if (i % 3 != 0) touch(1, (i + 2) % 5, -1);
        const Mat3d by_band = answers.own(cone), by_products = own_by_products(answers, cone);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                EXPECT_NEAR(by_band(r, c), by_products(r, c), 1e-9 * trace(by_products)) << i;
    }
}

TEST(StrandAnswers, OneStrandAnswersAsAllDo) {
    const Curls curls;
    StrandAnswers::Memory memory;
    const StrandAnswers answers(curls.state, curls.mobility, memory);
    ASSERT_EQ(answers.nodes(), curls.state.vertex_count());
    ASSERT_EQ(answers.first_node(answers.owners()), answers.nodes());
    std::vector<Vec3d> p(answers.nodes());
    std::vector<double> q(answers.nodes());
    const Random random(4, 4);
    for (std::size_t n = 0; n < answers.nodes(); ++n) p[n] = random.direction(n);
    std::vector<Vec3d> all(p.size());
    std::vector<double> turning(p.size());
    answers.apply(p, q, all, turning, {});
    for (std::size_t o = 0; o < answers.owners(); ++o) {
        std::vector<std::uint8_t> only(answers.owners());
        only[o] = 1;
        answers.apply(p, q, p, q, only);
    }
    EXPECT_EQ(p, all);
    EXPECT_EQ(q, turning);
}

}  // namespace
}  // namespace rivulet::contact
