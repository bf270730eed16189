#pragma once

#include <cmath>

#include <rivulet/verify/cone_samples.h>

namespace rivulet::contact::samples {

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

/// Of impulses from the reference's, relative.
inline double difference(const Reference& reference, const std::vector<Vec3d>& impulse) {
    double miss = 0, size = 1e-30;
    for (std::size_t i = 0; i < impulse.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            const double r = double(reference.r(Eigen::Index(3 * i) + k));
            miss += (r - impulse[i][k]) * (r - impulse[i][k]), size += r * r;
        }
    return std::sqrt(miss / size);
}

}  // namespace rivulet::contact::samples
