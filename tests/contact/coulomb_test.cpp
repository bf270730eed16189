#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/contact/coulomb.h>

namespace rivulet::contact {
namespace {

using Real = long double;

struct Problem {
    Mat3d w;
    Vec3d free;
    double friction;
};

/// W with eigenvalues spread over up to `ratio`, randomly turned.
Problem random_problem(std::uint64_t i, double ratio) {
    const Random random(11, i);
    const Vec3d a = random.direction(0), b = normalized(cross(a, random.direction(1))), c = cross(a, b);
    const double size = std::exp(random.uniform(2, -8, 8));
    Problem p;
    for (const auto& [axis, k] : {std::pair{a, 3}, {b, 4}, {c, 5}})
        p.w += (size * std::pow(ratio, random.uniform(std::uint64_t(k), -1, 0))) * outer(axis, axis);
    for (int j = 0; j < 3; ++j)
        for (int k = 0; k < j; ++k) p.w(j, k) = p.w(k, j);
    p.free = random.direction(6) * std::exp(random.uniform(7, -5, 5));
    if (i % 4 != 0) p.free.x = -std::abs(p.free.x);
    const double frictions[] = {0, 1e-3, 0.1, 0.3, 0.8, 2, 30, 1e6};
    p.friction = i % 9 == 8 ? std::exp(random.uniform(8, -10, 13)) : frictions[i % 9];
    return p;
}

struct Candidate {
    Real r[3];
};

/// Every sliding solution by brute force in extended precision: the direction e of r_T is scanned, v_N = 0
/// gives r_N, and v_T must lie along -e.
std::vector<Candidate> sliding_by_scan(const Problem& p, int samples) {
    const Real mu = p.friction, beta = -Real(p.free.x), pi = std::numbers::pi_v<Real>;
    struct At {
        Real miss, along, denominator, e1, e2;
    };
    const auto at = [&](Real angle) {
        At a;
        a.e1 = std::cos(angle), a.e2 = std::sin(angle);
        a.denominator = p.w(0, 0) + mu * (p.w(0, 1) * a.e1 + p.w(0, 2) * a.e2);
        const Real v1 =
            beta * (p.w(1, 0) + mu * (p.w(1, 1) * a.e1 + p.w(1, 2) * a.e2)) + p.free.y * a.denominator;
        const Real v2 =
            beta * (p.w(2, 0) + mu * (p.w(2, 1) * a.e1 + p.w(2, 2) * a.e2)) + p.free.z * a.denominator;
        a.miss = v2 * a.e1 - v1 * a.e2, a.along = v1 * a.e1 + v2 * a.e2;
        return a;
    };
    std::vector<Candidate> found;
    At before = at(0);
    for (int i = 1; i <= samples; ++i) {
        Real low = 2 * pi * (i - 1) / samples, high = 2 * pi * i / samples;
        const At after = at(high);
        const Real sign = before.miss;
        const bool crosses = (before.miss < 0) != (after.miss < 0);
        before = after;
        if (!crosses) continue;
        for (int k = 0; k < 70; ++k) {
            const Real half = (low + high) / 2;
            ((at(half).miss < 0) == (sign < 0) ? low : high) = half;
        }
        const At root = at((low + high) / 2);
        if (root.denominator <= 0 || root.along > 0) continue;
        const Real normal = beta / root.denominator;
        found.push_back({{normal, mu * normal * root.e1, mu * normal * root.e2}});
    }
    return found;
}

/// The impulse at which nothing moves, by elimination in extended precision.
Candidate stick(const Problem& p) {
    Real m[3][4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) m[i][j] = p.w(i, j);
        m[i][3] = -p.free[i];
    }
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            if (i == k) continue;
            const Real f = m[i][k] / m[k][k];
            for (int j = k; j < 4; ++j) m[i][j] -= f * m[k][j];
        }
    return {{m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2]}};
}

double distance(const Candidate& a, const Vec3d& r) {
    const Real size = std::hypot(a.r[0], a.r[1], a.r[2]);
    return double(std::hypot(a.r[0] - Real(r.x), a.r[1] - Real(r.y), a.r[2] - Real(r.z)) / size);
}

/// The natural map with v = W r + free in extended precision, over the size of the impulses it compares.
double relative_residual(const Problem& p, const Vec3d& r) {
    Vec3d v;
    for (int i = 0; i < 3; ++i)
        v[i] =
            double(Real(p.w(i, 0)) * r.x + Real(p.w(i, 1)) * r.y + Real(p.w(i, 2)) * r.z + Real(p.free[i]));
    const double rho = 1 / trace(p.w);
    return coulomb_residual(r, v, p.friction, rho) / (length(r) + rho * length(p.free));
}

struct Tally {
    int take_off = 0, stick = 0, slide = 0, missed = 0;
    double worst = 0, residual = 0;
};

Tally compare(double ratio, std::uint64_t count) {
    Tally tally;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Problem p = random_problem(i, ratio);
        const Vec3d r = solve_coulomb(p.w, p.free, p.friction);
        EXPECT_LE(std::hypot(r.y, r.z), p.friction * r.x * (1 + 1e-13)) << i;
        // Beyond μ of 30 the shift μ|v_T| turns round-off of a sticking contact into motion.
        if (p.friction < 100) tally.residual = std::max(tally.residual, relative_residual(p, r));
        if (p.free.x >= 0) {
            ++tally.take_off;
            EXPECT_EQ(r, Vec3d{}) << i;
            continue;
        }
        const Candidate held = stick(p);
        const Real excess = std::hypot(held.r[1], held.r[2]) - p.friction * held.r[0];
        const bool sticks = excess <= 0;
        ++(sticks ? tally.stick : tally.slide);
        double best = sticks ? distance(held, r) : 1;
        for (const int samples : {360, 20000, 400000}) {
            if (best < 1e-8 || p.friction == 0) break;
            for (const Candidate& c : sliding_by_scan(p, samples)) best = std::min(best, distance(c, r));
        }
        if (p.friction == 0) best = std::abs(r.x * p.w(0, 0) / -p.free.x - 1) + std::hypot(r.y, r.z);
        tally.worst = std::max(tally.worst, best);
        if (best > 1e-8) ++tally.missed;
    }
    return tally;
}

TEST(Coulomb, AgreesWithAScanOfAllDirections) {
    for (const double ratio : {1.0, 10.0, 1e3}) {
        const Tally t = compare(ratio, 3000);
        EXPECT_EQ(t.missed, 0) << ratio;
        EXPECT_LT(t.worst, 1e-8) << ratio;
        EXPECT_LT(t.residual, 1e-11) << ratio;
        EXPECT_GT(t.take_off, 200);
        EXPECT_GT(t.stick, 200);
        EXPECT_GT(t.slide, 200);
    }
}

TEST(Coulomb, BadlyConditionedContacts) {
    for (const double ratio : {1e6, 1e8}) {
        const Tally t = compare(ratio, 3000);
        // The impulse itself is known to the condition times round-off.
        EXPECT_EQ(t.missed, 0) << ratio;
        EXPECT_LT(t.worst, 1e-8) << ratio;
        EXPECT_LT(t.residual, 1e-11) << ratio;
    }
}

TEST(Coulomb, KnownContacts) {
    const Mat3d w = Mat3d::diagonal({2, 4, 4});
    EXPECT_EQ(solve_coulomb(w, {0, 3, 1}, 0.5), Vec3d{});
    // Sticks: r = (1, -0.25, 0).
    EXPECT_EQ(solve_coulomb(w, {-2, 1, 0}, 0.5), (Vec3d{1, -0.25, 0}));
    // Slides against the motion with μ r_N.
    const Vec3d slid = solve_coulomb(w, {-2, 30, 40}, 0.5);
    EXPECT_NEAR(slid.x, 1, 1e-15);
    EXPECT_NEAR(slid.y, -0.3, 1e-15);
    EXPECT_NEAR(slid.z, -0.4, 1e-15);
    EXPECT_EQ(solve_coulomb(w, {-2, 30, 40}, 0), (Vec3d{1, 0, 0}));
    const Vec3d huge = solve_coulomb(w, {-2, 30, 40}, 1e6);
    EXPECT_EQ(huge, (Vec3d{1, -7.5, -10}));
}

TEST(Coulomb, ProjectionIsTheNearestPoint) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Random random(3, i);
        const double friction = std::exp(random.uniform(0, -3, 3));
        const Vec3d a = random.direction(1) * 2.0, p = project_on_cone(a, friction);
        EXPECT_LE(std::hypot(p.y, p.z), friction * p.x + 1e-14);
        // What is left is across p and in the polar cone.
        EXPECT_NEAR(dot(a - p, p), 0, 1e-13);
        EXPECT_LE(friction * std::hypot(a.y - p.y, a.z - p.z), -(a.x - p.x) + 1e-13 * (1 + friction));
    }
}

TEST(Coulomb, PacksHaveTheBitsOfTheScalar) {
    for (std::uint64_t i = 0; i < 4000; i += 4) {
        Mat3<Pack> w;
        Vec3<Pack> free;
        Pack friction;
        Problem p[4];
        for (int lane = 0; lane < 4; ++lane) {
            p[lane] = random_problem(i + std::uint64_t(lane), i % 8 == 0 ? 10 : 1e6);
            friction.set(lane, p[lane].friction);
            for (int j = 0; j < 3; ++j) free[j].set(lane, p[lane].free[j]);
            for (int j = 0; j < 9; ++j) w(j / 3, j % 3).set(lane, p[lane].w(j / 3, j % 3));
        }
        const Vec3<Pack> r = solve_coulomb(w, free, friction);
        for (int lane = 0; lane < 4; ++lane) {
            const Vec3d one = solve_coulomb(p[lane].w, p[lane].free, p[lane].friction);
            for (int j = 0; j < 3; ++j) EXPECT_EQ(r[j][lane], one[j]) << i << ' ' << lane;
        }
    }
}

TEST(Coulomb, AbsorbedBridgeGivesTheSameVelocity) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const Problem p = random_problem(i, 100);
        const Random random(5, i);
        const double step = 1e-3, mass = 1 / p.w(0, 0);
        const double force = random.normal(0) * mass * length(p.free) / step;
        const double slope = (i % 5 ? 1 : -1) * std::exp(random.uniform(1, -3, 8)) * mass / (step * step);
        const BridgedContact b = absorb_bridge(p.w, p.free, step, force, slope);
        const Vec3d r = solve_coulomb(b.w, b.free, p.friction), v = b.w * r + b.free;
        const Vec3d total = r + Vec3d{bridge_impulse(step, force, slope, v.x), 0, 0};
        const Vec3d direct = p.w * total + p.free;
        const double size = length(p.free) + length(p.w * r) + length(p.w.column(0)) * step * std::abs(force);
        EXPECT_LT(length(v - direct), 1e-12 * size) << i;
        EXPECT_EQ(b.w, transpose(b.w));
        EXPECT_GT(b.w(0, 0), 0);
        EXPECT_GT(determinant(b.w), 0);
        if (slope < 0) {
            EXPECT_EQ(b.w, p.w);
        }
    }
}

TEST(Coulomb, TwoBodiesOnABridgeKeepMomentumAndStepImplicitly) {
    // Two hairs' vertices on a linear bridge f = k (gap - rest): one implicit Euler step in closed form.
    const double m1 = 4e-8, m2 = 9e-8, k = 40, h = 1e-3, gap = 3e-5, rest = 1e-5;
    const double mobility = 1 / m1 + 1 / m2, force = k * (gap - rest);
    for (const double approach : {-0.3, 40.0}) {
        const Vec3d u1{0.1, 0.2, -0.3}, u2{0.1 + approach, 0.1, 0.4};
        const BridgedContact b = absorb_bridge(Mat3d::identity() * mobility, u1 - u2, h, force, k);
        Vec3d shifted = b.free;
        shifted.x += gap / h;
        const Vec3d r = solve_coulomb(b.w, shifted, 0.3), v = b.w * r + b.free;
        const Vec3d total = r + Vec3d{bridge_impulse(h, force, k, v.x), 0, 0};
        const Vec3d w1 = u1 + total / m1, w2 = u2 - total / m2;
        const double size = m1 * length(u1) + m2 * length(u2);
        EXPECT_LT(length(m1 * w1 + m2 * w2 - (m1 * u1 + m2 * u2)), 1e-15 * size);
        EXPECT_LT(length(w1 - w2 - v), 1e-13 * (1 + std::abs(approach)));
        if (approach < 0) {
            EXPECT_EQ(r, Vec3d{});
            EXPECT_NEAR(v.x, (u1.x - u2.x - h * force * mobility) / (1 + h * h * k * mobility), 1e-13);
        } else {
            EXPECT_GT(r.x, 0);
            EXPECT_NEAR(gap + h * v.x, 0, 1e-15) << "they touch at the end of the step";
        }
    }
}

}  // namespace
}  // namespace rivulet::contact
