#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/liquid/shear_tangent.h>

#include <liquid/rheology_samples.h>

namespace rivulet::liquid {
namespace {

Mat3d simple_shear(double rate) {
    Mat3d gradient;
    gradient(0, 1) = rate;
    return gradient;
}

struct Steady {
    double norm_stress, shear_stress;  // s / sqrt(2) and tau_xy, both over the flow curve
};
Steady steady_shear(const PrintedRow& row, double rate, double step, ReturnLaw which) {
    const NormLaw law = row.law();
    const double on_curve = row.curve().stress(rate);
    // Elastic strain is stress / modulus; a few times that strain reach the steady state.
    const double time = 12 * on_curve / row.shear_modulus / rate;
    const int steps = std::max(40, int(time / step));
    Strain b = identity_strain();
    for (int i = 0; i < steps; ++i)
        b = shear_step(b, simple_shear(rate), step, row.shear_modulus, law, which).strain;
    const Strain stress = shear_stress(row.shear_modulus, b);
    return {norm(stress) / std::sqrt(2.0) / on_curve, stress.xy / on_curve};
}

TEST(ShearStep, SteadyShearIsOnTheFlowCurveAtAnyStep) {
    for (const PrintedRow& row : printed_rows())
        for (const double step : {1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 1e-1}) {
            const Steady s = steady_shear(row, 10, step, ReturnLaw::backward_euler);
            EXPECT_NEAR(s.norm_stress, 1, 2e-3) << row.name << ' ' << step;
            // The component is smaller than the norm by the normal stresses, with x = (tau_xy / mu)^2 by a
            // factor 1 + 2x/3 for short steps; a shear above 0.1 per step turns the stress as well.
            if (10 * step <= 0.1) {
                EXPECT_NEAR(s.shear_stress, 1, 0.03) << row.name << ' ' << step;
            }
        }
}

TEST(ShearStep, SemiAnalyticReturnDependsOnTheStep) {
    const auto rows = printed_rows();
    EXPECT_NEAR(steady_shear(rows[0], 10, 1e-3, ReturnLaw::semi_analytic).norm_stress, 0.82, 0.01);
    EXPECT_NEAR(steady_shear(rows[1], 10, 1e-3, ReturnLaw::semi_analytic).norm_stress, 0.71, 0.01);
    EXPECT_NEAR(steady_shear(rows[0], 10, 1e-5, ReturnLaw::semi_analytic).norm_stress, 1, 0.01);
}

TEST(ShearStep, NewtonianLimit) {
    // Newtonian of viscosity 2 Pa*s with stiff elasticity: the stress is 2 viscosity D at once.
    const NormLaw law = to_norm({0, 2, 1});
    Mat3d gradient{{{0.3, 1.2, -0.4}, {0.1, -0.5, 0.7}, {0.9, 0.2, 0.2}}};
    const ShearStep at = shear_step(identity_strain(), gradient, 1e-4, 1e9, law);
    const Strain stress = shear_stress(1e9, at.strain), d = symmetric_part(gradient);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(stress(i, j), 4 * d(i, j), 1e-3);
}

TEST(ShearStep, ElasticBelowYield) {
    const PrintedRow foam = printed_rows()[2];
    Strain b = identity_strain();
    const double shear = 0.9 * foam.curve().yield_stress / foam.shear_modulus;
    for (int i = 0; i < 100; ++i) {
        const ShearStep at = shear_step(b, simple_shear(shear), 0.01, foam.shear_modulus, foam.law());
        EXPECT_FALSE(at.yielded);
        b = at.strain;
    }
    EXPECT_NEAR(shear_stress(foam.shear_modulus, b).xy, foam.shear_modulus * shear, 1e-12);
    for (int i = 0; i < 100; ++i)
        b = shear_step(b, simple_shear(-shear), 0.01, foam.shear_modulus, foam.law()).strain;
    EXPECT_NEAR(norm(deviator(b)), 0, 1e-14);
    // Above yield it does not come back.
    b = shear_step(identity_strain(), simple_shear(1), 0.5, foam.shear_modulus, foam.law()).strain;
    b = shear_step(b, simple_shear(-1), 0.5, foam.shear_modulus, foam.law()).strain;
    EXPECT_GT(norm(deviator(b)), 0.05);
}

TEST(ShearStep, KeepsTheDeterminant) {
    for (const PrintedRow& row : printed_rows()) {
        Strain b = identity_strain();
        for (int i = 0; i < 5000; ++i)
            b = shear_step(b, simple_shear(10), 1e-3, row.shear_modulus, row.law()).strain;
        EXPECT_NEAR(determinant(b), 1, 1e-13) << row.name;
    }
}

class Samples {
 public:
    double number() { return 2 * random_.uniform(next_++) - 1; }
    Mat3d matrix(double size) {
        Mat3d out;
        for (auto& line : out.m)
            for (double& v : line) v = size * number();
        return out;
    }
    /// Not far from the identity, determinant positive.
    Mat3d deformation() {
        for (;;) {
            const Mat3d f = Mat3d::identity() + matrix(0.6);
            if (determinant(f) > 0.2) return f;
        }
    }
    Strain strain() {
        const Mat3d f = deformation();
        const Strain b = symmetric_part(f * transpose(f));
        return scaled(1 / std::cbrt(determinant(b)), b);
    }

 private:
    Random random_{7, 3};
    std::uint64_t next_ = 0;
};

TEST(UnimodularMean, LargestRootPositiveDefinite) {
    Samples samples;
    for (int i = 0; i < 500; ++i) {
        const double size = std::pow(10, 3 * samples.number());
        const Strain dev = scaled(size, deviator(symmetric_part(samples.matrix(1))));
        const double t = unimodular_mean(dev);
        const Strain b = plus_identity(dev, t);
        EXPECT_NEAR(determinant(b), 1, 1e-13 * std::pow(std::max(1.0, t), 3));
        EXPECT_GE(t, 1 - 1e-15);
        if (size < 30) {  // leading minors; beyond that the smallest eigenvalue is below round-off
            EXPECT_GT(b.xx, 0);
            EXPECT_GT(b.xx * b.yy - b.xy * b.xy, 0);
        }
    }
    EXPECT_EQ(unimodular_mean(Strain{}), 1);
}

TEST(ShearStep, RigidMotionTurnsTheStressWithTheBody) {
    Samples samples;
    const PrintedRow foam = printed_rows()[2];
    const double angle = 0.7, c = std::cos(angle), s = std::sin(angle);
    const Mat3d r{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    const auto turned = [&](const Strain& a) { return symmetric_part(r * to_matrix(a) * transpose(r)); };
    for (int i = 0; i < 20; ++i) {
        const Strain b = samples.strain();
        const Mat3d g = samples.matrix(20);
        const Strain moved = shear_step(b, g, 1e-2, foam.shear_modulus, foam.law()).strain;
        const Strain other =
            shear_step(turned(b), r * g * transpose(r), 1e-2, foam.shear_modulus, foam.law()).strain;
        const Strain expected = turned(moved);
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j) EXPECT_NEAR(other(k, j), expected(k, j), 1e-13);
    }
}

TEST(Tangent, SymmetricAndPositive) {
    Samples samples;
    for (const PrintedRow& row : printed_rows())
        for (int i = 0; i < 200; ++i) {
            const ShearStep at = shear_step(samples.strain(), samples.matrix(50),
                                            1e-2 * (1 + samples.number()), row.shear_modulus, row.law());
            const Strain p = symmetric_part(samples.matrix(1)), q = symmetric_part(samples.matrix(1));
            const double pq = contract(p, tangent_stress(at, q)), qp = contract(q, tangent_stress(at, p));
            EXPECT_NEAR(pq, qp, 1e-12 * 2 * at.trial_modulus);
            EXPECT_GT(contract(p, tangent_stress(at, p)), 0);
            EXPECT_NEAR(trace(tangent_stress(at, p)), 0, 1e-12 * 2 * at.trial_modulus);
            EXPECT_LE(at.slope, at.ratio);
        }
}

TEST(Tangent, IsTheDerivativeFromRest) {
    // From rest and for small strain the radial return is exact: compare with differences.
    const PrintedRow mud = printed_rows()[0];
    const double step = 1e-3;
    Samples samples;
    for (int i = 0; i < 10; ++i) {
        Mat3d g = samples.matrix(40);
        const double mean = rivulet::trace(g) / 3;
        for (int k = 0; k < 3; ++k) g(k, k) -= mean;
        const Mat3d change = to_matrix(symmetric_part(samples.matrix(1)));
        const auto stress = [&](double e) {
            return shear_stress(
                mud.shear_modulus,
                shear_step(identity_strain(), g + e * change, step, mud.shear_modulus, mud.law()).strain);
        };
        const ShearStep at = shear_step(identity_strain(), g, step, mud.shear_modulus, mud.law());
        const Strain tangent = tangent_stress(at, scaled(step, symmetric_part(change)));
        const Strain plus = stress(1e-4), minus = stress(-1e-4);
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j)
                EXPECT_NEAR(tangent(k, j), (plus(k, j) - minus(k, j)) / 2e-4,
                            0.05 * 2 * mud.shear_modulus * step);
    }
}

}  // namespace
}  // namespace rivulet::liquid
