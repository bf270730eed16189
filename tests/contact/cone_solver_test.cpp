#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/cone_samples.h"

#include <rivulet/base/parallel.h>
#include <rivulet/contact/cone_solver.h>
#include <rivulet/contact/coulomb.h>
#include <rivulet/contact/impulses.h>

namespace rivulet::contact {
namespace {

using samples::Problem;
using samples::Recipe;

/// The problem solved without anything of the solver: dense, in extended precision, by steps down the natural
/// map that are short enough to converge.
struct Reference {
    using Real = long double;
    using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
    Vector r, v;
    Real residual = 1;

    explicit Reference(const Problem& p, int most = 200000) {
        const auto n = Eigen::Index(p.cones.size());
        Matrix s = p.delassus().cast<Real>();
        Vector free = p.free().cast<Real>(), pull = Vector::Zero(3 * n), stiff = Vector::Zero(3 * n);
        for (Eigen::Index i = 0; i < n; ++i) {
            pull(3 * i) = p.cones[std::size_t(i)].pull;
            stiff(3 * i) = p.cones[std::size_t(i)].stiffness;
        }
        // v = S (r - pull - stiff v) + free
        const Matrix bracket = Matrix::Identity(3 * n, 3 * n) + s * stiff.asDiagonal();
        const Eigen::PartialPivLU<Matrix> lu(bracket);
        s = lu.solve(s).eval();
        free = lu.solve(Vector(free - s_times_pull(p, pull))).eval();
        r = Vector::Zero(3 * n);
        v = free;
        for (int k = 0; k < most && residual > 1e-14L; ++k) {
            Real miss = 0, size = 1e-30L;
            for (Eigen::Index i = 0; i < n; ++i) {
                const Cone& cone = p.cones[std::size_t(i)];
                const Real rho = 1 / s.block(3 * i, 3 * i, 3, 3).trace();
                const Eigen::Matrix<Real, 3, 1> change =
                    nearest(r.segment(3 * i, 3), v.segment(3 * i, 3), cone, rho) - r.segment(3 * i, 3);
                r.segment(3 * i, 3) += change;
                v += s.middleCols(3 * i, 3) * change;
                miss += change.squaredNorm(), size += r.segment(3 * i, 3).squaredNorm();
            }
            residual = std::sqrt(miss / size);
        }
    }
    static Vector s_times_pull(const Problem& p, const Vector& pull) {
        return p.delassus().cast<Real>() * pull;
    }
    static Eigen::Matrix<Real, 3, 1> nearest(const Vector& r, Vector v, const Cone& cone, Real rho) {
        const Real mu = cone.friction;
        v(0) += Real(cone.clearance) + mu * std::hypot(v(1), v(2));
        const Vector x = r - rho * v;
        const Real across = std::hypot(x(1), x(2));
        if (across <= mu * x(0)) return x;
        if (mu * across <= -x(0)) return Vector::Zero(3);
        const Real normal = (x(0) + mu * across) / (1 + mu * mu);
        return Eigen::Matrix<Real, 3, 1>{normal, mu * normal / across * x(1), mu * normal / across * x(2)};
    }
};

struct Solved {
    std::vector<Vec3d> impulse;
    ConeReport report;
};
Solved solved(const Problem& p, ConeSolver& solver, double tolerance, int most = 100000) {
    Solved out{std::vector<Vec3d>(p.cones.size()), {}};
    out.report = solver.solve(p.cones, p.answers, p.velocity, p.turning, {tolerance, most}, out.impulse);
    return out;
}

double difference(const Reference& reference, const std::vector<Vec3d>& impulse) {
    double miss = 0, size = 1e-30;
    for (std::size_t i = 0; i < impulse.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            const double r = double(reference.r(Eigen::Index(3 * i) + k));
            miss += (r - impulse[i][k]) * (r - impulse[i][k]), size += r * r;
        }
    return std::sqrt(miss / size);
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
