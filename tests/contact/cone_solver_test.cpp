#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/contact/cone_solver.h>
#include <rivulet/contact/coulomb.h>
#include <rivulet/contact/impulses.h>
#include <rivulet/verify/cone_reference.h>

namespace rivulet::contact {
namespace {

using samples::Problem;
using samples::Recipe;
using samples::Reference;

struct Solved {
    std::vector<Vec3d> impulse;
    ConeReport report;
};
Solved solved(const Problem& p, ConeSolver& solver, double tolerance, int most = 100000) {
    Solved out{std::vector<Vec3d>(p.cones.size()), {}};
    out.report = solver.solve(p.cones, p.answers, p.velocity, p.turning, {tolerance, most}, out.impulse);
    return out;
}

TEST(ConeSolver, AgreesWithAReferenceWhereTheSolutionIsUnique) {
    ConeSolver solver;
    double worst = 0;
    int compared = 0;
    for (std::uint64_t i = 0; i < 400; ++i) {
        Recipe recipe;
        recipe.owners = 3 + int(i % 4), recipe.contacts = 1 + int(i % 7);
        recipe.friction = 0.1 * double(i % 5);
        if (i % 3 == 1) recipe.stiffness = 100, recipe.pull = 0.3;
        if (i % 3 == 2) recipe.self = 0.3;
        const Problem p = random_problem(i, recipe);
        const Eigen::VectorXd spectrum = p.delassus().selfadjointView<Eigen::Lower>().eigenvalues();
        if (spectrum.minCoeff() < 1e-4 * spectrum.maxCoeff()) continue;  // as good as redundant
        const Reference reference(p);
        if (reference.residual > 1e-13L) continue;
        ++compared;
        const Solved s = solved(p, solver, 1e-12);
        EXPECT_TRUE(s.report.converged) << i << " " << s.report.residual;
        worst = std::max(worst, difference(reference, s.impulse));
        EXPECT_LT(difference(reference, s.impulse), 1e-8) << i;
    }
    EXPECT_GT(compared, 300);
    RecordProperty("worst", std::to_string(worst));
}

}  // namespace
}  // namespace rivulet::contact
