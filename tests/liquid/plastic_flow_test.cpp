#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/liquid/compressible.h>
#include <rivulet/liquid/plastic_flow.h>

#include <liquid/rheology_samples.h>

namespace rivulet::liquid {
namespace {

TEST(Rheology, PrintedTableInSimpleShear) {
    const FlowCurve mud = printed_rows()[0].curve(), foam = printed_rows()[2].curve(),
                    chocolate = printed_rows()[3].curve();
    EXPECT_NEAR(mud.yield_stress, 0.9707, 5e-5);
    EXPECT_NEAR(mud.consistency, 0.3839, 5e-5);
    EXPECT_NEAR(foam.yield_stress, 18.417, 5e-4);
    EXPECT_NEAR(foam.consistency, 17.821, 5e-4);
    EXPECT_NEAR(chocolate.yield_stress, 17.321, 5e-4);
    EXPECT_NEAR(chocolate.consistency, 1.4097, 5e-5);
}

TEST(Rheology, NormsOfSimpleShearLieOnTheFlowCurve) {
    for (const PrintedRow& row : printed_rows()) {
        const FlowCurve curve = row.curve();
        const NormLaw law = to_norm(curve);
        EXPECT_NEAR(law.yield, row.law().yield, 1e-14 * law.yield);
        EXPECT_NEAR(law.consistency, row.law().consistency, 1e-14 * law.consistency);
        for (const double rate : {0.01, 1.0, 300.0}) {
            const double s = std::sqrt(2.0) * curve.stress(rate);
            EXPECT_NEAR(law.stress(rate / std::sqrt(2.0)), s, 1e-13 * s);
            EXPECT_NEAR(curve.rate(curve.stress(rate)), rate, 1e-9 * rate);
            EXPECT_NEAR(law.rate(s), rate / std::sqrt(2.0), 1e-9 * rate);
        }
        EXPECT_EQ(curve.rate(0.999 * curve.yield_stress), 0);
    }
    LiquidMaterial water;
    water.viscosity = 1e-3;
    EXPECT_EQ(flow_curve(water).stress(20), 2e-2);
    EXPECT_EQ(to_norm(flow_curve(water)).consistency, 2e-3);
}

/// ds/dt = -2 modulus gamma(s), classical Runge-Kutta in s.
double integrated(const NormLaw& law, double s, double modulus, double step, int parts) {
    const double h = step / parts;
    const auto slope = [&](double at) { return -2 * modulus * law.rate(at); };
    for (int i = 0; i < parts; ++i) {
        const double a = slope(s), b = slope(s + 0.5 * h * a), c = slope(s + 0.5 * h * b),
                     d = slope(s + h * c);
        s += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return s;
}

TEST(SemiAnalyticReturn, EqualsTheIntegratedEquation) {
    const double modulus = 300;
    for (const double n : {0.5, 0.62, 0.98, 1.0, 1.02, 1.5, 2.5}) {
        const NormLaw law{4, 3, n};
        for (const double trial : {4.5, 9.0}) {
            // A time over which the excess falls by about half and by most of it.
            const double time = (trial - law.yield) / (2 * modulus * law.rate(trial));
            for (const double step : {0.2 * time, 0.9 * time, n > 1 ? 1.1 * time : 4 * time}) {
                const double got = semi_analytic_return(law, trial, modulus, step).stress;
                EXPECT_NEAR(got, integrated(law, trial, modulus, step, 4000), 1e-8 * got) << n << ' ' << step;
            }
        }
    }
}

TEST(SemiAnalyticReturn, ShearThickeningStopsAtYield) {
    const NormLaw law{4, 3, 2};
    const PlasticReturn r = semi_analytic_return(law, 9, 300, 10);
    EXPECT_EQ(r.stress, 4);
    EXPECT_EQ(r.by_trial, 0);
    EXPECT_EQ(r.by_modulus, 0);
}

TEST(BackwardEulerReturn, SolvesItsEquationForEveryIndexAndStep) {
    for (const double n : {0.05, 0.22, 0.5173, 1.0, 1.7, 3.0})
        for (const double eta : {1e-3, 2.0, 500.0})
            for (const double excess : {1e-9, 1e-3, 1.0, 1e5})
                for (const double step : {1e-9, 1e-5, 1e-2, 1.0}) {
                    const NormLaw law{0, eta, n};  // a yield stress would hide the small excess in round-off
                    const double modulus = 400;
                    const double s = backward_euler_return(law, excess, modulus, step).stress;
                    ASSERT_GE(s, 0);
                    ASSERT_LE(s, excess);
                    const double flowed = 2 * modulus * step * std::pow(s / eta, 1 / n);
                    // s is good to a few units of round-off, its power 1/n to 1/n times as many.
                    EXPECT_NEAR(s + flowed, excess, 1e-13 * excess / std::min(n, 1.0))
                        << n << ' ' << eta << ' ' << excess << ' ' << step;
                }
}

TEST(Returns, DerivativesByFiniteDifferences) {
    for (const ReturnLaw which : {ReturnLaw::backward_euler, ReturnLaw::semi_analytic})
        for (const double n : {0.22, 0.62, 1.0, 1.6})
            for (const double trial : {20.0, 60.0})
                for (const double step : {1e-4, 1e-2}) {
                    const NormLaw law{15, 27, n};
                    const auto s = [&](double t, double m) {
                        return plastic_return(which, law, t, m, step).stress;
                    };
                    const double modulus = 290, e = 1e-5;
                    const PlasticReturn r = plastic_return(which, law, trial, modulus, step);
                    EXPECT_NEAR(r.by_trial,
                                (s(trial * (1 + e), modulus) - s(trial * (1 - e), modulus)) / (2 * e * trial),
                                1e-7);
                    EXPECT_NEAR(r.by_modulus * modulus,
                                (s(trial, modulus * (1 + e)) - s(trial, modulus * (1 - e))) / (2 * e), 1e-6);
                    EXPECT_GE(r.by_trial, 0);
                    EXPECT_LE(r.by_trial, 1);
                    EXPECT_LE(r.by_modulus, 0);
                    if (n <= 1) {
                        EXPECT_LE(r.by_trial, r.stress / trial);
                    }
                }
}

TEST(Returns, NothingFlowsBelowYieldOrInNoTime) {
    const NormLaw law{15, 27, 0.5};
    for (const ReturnLaw which : {ReturnLaw::backward_euler, ReturnLaw::semi_analytic}) {
        for (const double trial : {0.0, 3.0, 15.0}) {
            const PlasticReturn r = plastic_return(which, law, trial, 290, 1);
            EXPECT_EQ(r.stress, trial);
            EXPECT_EQ(r.by_trial, 1);
        }
        EXPECT_EQ(plastic_return(which, law, 40, 290, 0).stress, 40);
        EXPECT_EQ(plastic_return(which, law, 40, 0, 1e-3).stress, 40);
        // Continuous across yield.
        EXPECT_NEAR(plastic_return(which, law, 15 + 1e-9, 290, 1e-3).stress, 15, 2e-9);
    }
}

TEST(Returns, AgreeForShortSteps) {
    const NormLaw law{15, 27, 0.6};
    const auto gap = [&](double step) {
        return backward_euler_return(law, 40, 290, step).stress -
               semi_analytic_return(law, 40, 290, step).stress;
    };
    EXPECT_GT(gap(1e-5), 0);
    // Both are exact to first order, so that they differ by the square of the step.
    EXPECT_NEAR(std::log2(gap(2e-5) / gap(1e-5)), 2, 0.02);
}

TEST(Compressible, PressureAndItsInverse) {
    const double kappa = 1.09e5;
    for (const double j : {1e-3, 0.5, 0.97, 1.0, 1.2, 30.0}) {
        const double p = compression_pressure(kappa, j);
        EXPECT_NEAR(volume_ratio_under(kappa, p), j, 1e-13 * j);
    }
    EXPECT_EQ(volume_ratio_under(kappa, 0), 1);
    EXPECT_GT(volume_ratio_under(kappa, 1e12), 0);
}

/// A column of height H under gravity, Q = rho g H / kappa. Cauchy pressure at rest depth Z below the top is
/// rho g Z (mass above); its height is the integral of J over rest depth. Compression tends to Q/2.
TEST(Compressible, ColumnUnderItsWeight) {
    const auto compression = [](double q_bottom) {
        const int parts = 2000;
        double height = 0;
        for (int i = 0; i < parts; ++i) height += volume_ratio_under(1, q_bottom * (i + 0.5) / parts) / parts;
        return 1 - height;
    };
    EXPECT_NEAR(compression(0.1), 0.04834, 5e-6);
    EXPECT_NEAR(compression(0.05) / 0.025, 1, 0.02);
}

}  // namespace
}  // namespace rivulet::liquid
