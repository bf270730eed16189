#include <gtest/gtest.h>

#include <rivulet/contact/cone_islands.h>
#include <rivulet/contact/cone_solver.h>
#include <rivulet/verify/cone_samples.h>

namespace rivulet::contact {
namespace {

using samples::Problem;
using samples::Recipe;

Cone between(std::uint32_t a, std::uint32_t b) {
    Cone c;
    c.owner = {a, b};
    return c;
}

TEST(ConeIslands, AreWhatContactsJoinAndWallsDoNot) {
    const std::vector<Cone> cones{between(4, 1),           between(2, Cone::kNone), between(0, 4),
                                  between(3, Cone::kNone), between(2, 5),           between(Cone::kNone, 1)};
    ConeIslands islands;
    islands.find(cones, 8);
    EXPECT_EQ(islands.count(), 3u);
    const auto open = [&] {
        return std::vector<std::uint8_t>(islands.open_owners().begin(), islands.open_owners().end());
    };
    EXPECT_EQ(open(), (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 0, 0}));
    for (std::size_t i = 0; i < cones.size(); ++i)
        islands.add(i, {i == 1 || i == 4 ? 1e-8 : 1e-2, 1, i == 3 ? 1.0 : 0.0});
    EXPECT_TRUE(islands.close(1e-3, 0.5));  // {2, 5} alone is within both bounds
    EXPECT_EQ(open(), (std::vector<std::uint8_t>{1, 1, 0, 1, 1, 0, 0, 0}));
    EXPECT_FALSE(islands.close(1e-3, 0.5));
    // What is closed keeps its part in the whole.
    islands.forget_open();
    EXPECT_EQ(islands.all().square, 2e-8);
    islands.open_all();
    EXPECT_TRUE(islands.is_open(4));
}

/// Two problems that share nothing as one.
Problem both(const Problem& a, const Problem& b) {
    Problem out = a;
    const auto nodes = std::uint32_t(a.answers.nodes()), owners = std::uint32_t(a.answers.owners());
    for (const Eigen::MatrixXd& inverse : b.answers.inverse) out.answers.add_owner(inverse);
    for (Cone c : b.cones) {
        const auto later = [](std::uint32_t& number, std::uint32_t by) {
            if (number != Cone::kNone) number += by;
        };
        for (std::uint32_t& node : c.node) later(node, nodes);
        for (std::uint32_t& turn : c.turn) later(turn, nodes);
        for (std::uint32_t& owner : c.owner) later(owner, owners);
        out.cones.push_back(c);
    }
    out.velocity.insert(out.velocity.end(), b.velocity.begin(), b.velocity.end());
    out.turning.insert(out.turning.end(), b.turning.begin(), b.turning.end());
    return out;
}

std::vector<Vec3d> solve(const Problem& p, ConeReport& report) {
    std::vector<Vec3d> impulse(p.cones.size());
    ConeSolver solver;
    report = solver.solve(p.cones, p.answers, p.velocity, p.turning, {1e-9, 100000}, impulse);
    return impulse;
}

/// What is easy does not wait for what is hard, and each is as it would be alone.
TEST(ConeIslands, EachIsSolvedAsIfItWereAlone) {
    for (std::uint64_t i = 0; i < 40; ++i) {
        Recipe easy, hard;
        easy.owners = 2, easy.contacts = 1;
        hard.owners = 5, hard.contacts = 9, hard.friction = 0.4;
        if (i % 2 == 1) hard.stiffness = 100, hard.pull = 0.3;
        const Problem a = random_problem(i, easy), b = random_problem(100 + i, hard);
        ConeReport of_a, of_b, of_both;
        const std::vector<Vec3d> alone_a = solve(a, of_a), alone_b = solve(b, of_b);
        const std::vector<Vec3d> together = solve(both(a, b), of_both);
        EXPECT_TRUE(of_both.converged) << i;
        EXPECT_LE(of_both.residual, 1e-9) << i;
        for (std::size_t k = 0; k < a.cones.size(); ++k)
            EXPECT_LT(length(together[k] - alone_a[k]), 1e-6 * (1e-3 + length(alone_a[k]))) << i;
        EXPECT_LE(of_both.iterations, std::max(of_a.iterations, of_b.iterations) * 13 / 10 + 10) << i;
    }
}

}  // namespace
}  // namespace rivulet::contact
