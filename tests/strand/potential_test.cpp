#include <gtest/gtest.h>

#include <cmath>

#include "strand/laden_strands.h"

#include <rivulet/strand/rod_loader.h>
#include <rivulet/strand/rod_newton.h>

namespace rivulet::strand {
namespace {

/// A curl with every kind of load, made ready for a step.
struct StirredCurl {
    RodProblem<double> problem;

    explicit StirredCurl(EndKind root, EndKind tip, double aspect) {
        MakeOptions options;
        options.root = root;
        options.tip = tip;
        options.aspect = aspect;
        samples::Laden laden("stirred", make_strands(samples::curls(1), options));
        samples::stir(laden.state, 0.3, 5.0);
        laden.materials[0].internal_viscosity = 20;
        laden.wet(1);
        const Random r(3, 9);
        for (std::size_t i = 0; i < laden.state.vertex_count(); ++i) {
            laden.state.twist[i] = r.uniform(5000 + i, -1, 1);
            laden.force.push_back(1e-3 * r.direction(i));
            laden.impulse[i] = 1e-5 * r.direction(100 + i);
            const Vec3d d = r.direction(200 + i);
            laden.slope.push_back(-1e-3 * (Mat3d::identity() + outer(d, d)));
            laden.angular_impulse[i] = 1e-8 * r.uniform(400 + i, -1, 1);
            laden.torque.push_back(1e-6 * r.uniform(500 + i, -1, 1));
        }
        const Loads loads = laden.loads();
        const StepInput input{laden.state, laden.materials, loads, 0.01};
        RodLoader<double>(input, {{0}}).load(problem);
    }
};

TEST(RodPotential, GradientAndHessianAreThoseOfTheValue) {
    for (const double aspect : {1.0, 0.3})
        for (const auto& [root, tip] : {std::pair{EndKind::clamp, EndKind::free},
                                        {EndKind::free, EndKind::pin},
                                        {EndKind::pin, EndKind::clamp}}) {
            StirredCurl s(root, tip, aspect);
            RodProblem<double>& p = s.problem;
            const std::size_t n = unknown_count(p.vertices);
            ASSERT_TRUE(evaluate_potential(p, p.guess, 1.0).allowed);
            const std::vector<double> gradient = p.gradient, band = p.band;
            double most = 0;
            for (const double v : band) most = std::max(most, std::abs(v));
            std::vector<bool> held(n, false);
            for_each_held(p.held, p.vertices, [&](bool is, std::size_t row) { held[row] = is; });
            for (std::size_t j = 0; j < n; ++j) {
                if (held[j]) {
                    EXPECT_EQ(gradient[j], 0);
                    EXPECT_EQ(band[Band::index(j, j)], 1);
                    continue;
                }
                const double step = j % 4 == 3 ? 1e-4 : 1e-6;
                auto up = p.guess, down = p.guess;
                up[j] += step;
                down[j] -= step;
                const double high = evaluate_potential(p, up, 1.0).value;
                const auto gradient_up = p.gradient;
                const double low = evaluate_potential(p, down, 1.0).value;
                EXPECT_NEAR((high - low) / (2 * step), gradient[j], 1e-6 * std::abs(gradient[j]) + 1e-8);
                for (std::size_t i = j; i < std::min(n, j + 11); ++i) {
                    const double slope = (gradient_up[i] - p.gradient[i]) / (2 * step);
                    EXPECT_NEAR(slope, band[Band::index(i, j)], 1e-6 * most * (j % 4 == 3 ? 1e-2 : 1));
                }
            }
        }
}

TEST(RodPotential, RefusesAnEdgeThatFoldsBack) {
    StirredCurl s(EndKind::clamp, EndKind::free, 1);
    auto u = s.problem.guess;
    ASSERT_TRUE(evaluate_potential(s.problem, u, 1.0).allowed);
    const std::size_t last = 4 * (s.problem.vertices - 1);
    const Vec3d edge = s.problem.element[s.problem.vertices - 2].edge;
    for (int c = 0; c < 3; ++c) u[last + std::size_t(c)] -= 2 * edge[c];
    EXPECT_FALSE(evaluate_potential(s.problem, u, 1.0).allowed);
}

TEST(RodNewton, ReachesAMinimumFromAPoorGuess) {
    StirredCurl s(EndKind::clamp, EndKind::free, 1);
    RodProblem<double>& p = s.problem;
    auto good = minimise(p, 0.01, {1e-9, 60});
    ASSERT_TRUE(good.done);
    const auto wanted = p.point;
    const Random r(1, 1);
    for (std::size_t i = 7; i < unknown_count(p.vertices); ++i)
        p.guess[i] = r.uniform(i, -1, 1) * (i % 4 == 3 ? 1.0 : 2e-3);
    const auto result = minimise(p, 0.01, {1e-9, 60});
    ASSERT_TRUE(result.done);
    for (std::size_t i = 0; i < unknown_count(p.vertices); ++i) EXPECT_NEAR(p.point[i], wanted[i], 1e-9);
    evaluate_potential(p, p.point, 1.0);
    for (std::size_t i = 0; i < unknown_count(p.vertices); ++i) EXPECT_NEAR(p.gradient[i], 0, 1e-9);
}

}  // namespace
}  // namespace rivulet::strand
