#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/film/strain.h>

namespace rivulet::film {
namespace {

FilmLiquid cream(double index = 0.4, double yield = 18.4, double consistency = 17.8, double modulus = 290) {
    return {200, 0.03, yield, consistency, index, modulus};
}

/// The flow rule as printed in norm variables (Fei 2019 eq. 3 with ERRATA's plastic term).
double strain_rate(const FilmLiquid& liquid, double c, double stretch_rate) {
    const double s = liquid.shear_modulus * std::abs(c) / std::sqrt(2.0), n = liquid.flow_index;
    const double yield = std::sqrt(2.0) * liquid.yield_stress;
    const double eta = std::exp2(0.5 * (n + 1)) * liquid.consistency;
    const double gamma = s > yield ? std::pow((s - yield) / eta, 1 / n) : 0;
    return std::sqrt(c * c + 4) * (2 * stretch_rate - std::sqrt(2.0) * gamma * std::copysign(1.0, c));
}

double fine_runge_kutta(const FilmLiquid& liquid, double c, double stretch_rate, double time, int steps) {
    const double h = time / steps;
    for (int k = 0; k < steps; ++k) {
        const double k1 = strain_rate(liquid, c, stretch_rate);
        const double k2 = strain_rate(liquid, c + 0.5 * h * k1, stretch_rate);
        const double k3 = strain_rate(liquid, c + 0.5 * h * k2, stretch_rate);
        const double k4 = strain_rate(liquid, c + h * k3, stretch_rate);
        c += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return c;
}

TEST(FilmStrain, StretchesExactlyBelowYield) {
    const FilmLiquid liquid = cream(0.4, 1e6);
    for (const double c : {-3.0, -0.01, 0.0, 1e-7, 0.5})
        for (const double rate : {-20.0, 1e-6, 3.0}) {
            const double exact = 2 * std::sinh(std::asinh(c / 2) + 2 * rate * 0.05);
            EXPECT_NEAR(advance_strain(liquid, c, rate, 0.05).strain, exact, 1e-14 * (1 + std::abs(exact)));
            EXPECT_NEAR(stretched_strain(c, 2 * rate * 0.05), exact, 1e-14 * (1 + std::abs(exact)));
        }
    EXPECT_NEAR(advance_strain(liquid, 0.3, 5, 0.1).strain, fine_runge_kutta(liquid, 0.3, 5, 0.1, 2000),
                1e-11);
}

TEST(FilmStrain, ManySmallStepsAreTheFlowRule) {
    for (const double index : {0.4, 1.0, 1.4})
        for (const double c : {-0.8, 0.05, 1.5})
            for (const double rate : {-4.0, 0.0, 6.0}) {
                const FilmLiquid liquid = cream(index);
                const double time = 0.05, exact = fine_runge_kutta(liquid, c, rate, time, 20'000);
                double errors[2];
                for (const int steps : {2000, 4000}) {
                    double now = c;
                    for (int k = 0; k < steps; ++k)
                        now = advance_strain(liquid, now, rate, time / steps).strain;
                    errors[steps == 4000] = std::abs(now - exact);
                }
                EXPECT_LT(errors[1], 2e-3 * (1 + std::abs(exact))) << index << ' ' << c << ' ' << rate;
                if (errors[0] > 1e-6) {
                    EXPECT_LT(errors[1], 0.65 * errors[0]);
                }  // first order
            }
}

TEST(FilmStrain, SteadyTensionIsOnTheFlowCurveAtAnyStep) {
    for (const double index : {0.22, 0.5, 1.0})
        for (const double step : {1e-5, 1e-3, 1e-1}) {
            const FilmLiquid liquid = cream(index, 18, 5, 500);
            double c = 0;
            for (int k = 0; k < 40000 && step * k < 10; ++k) c = advance_strain(liquid, c, 2.5, step).strain;
            const double tension = 2 * (18 + 5 * std::pow(5.0, index));
            EXPECT_NEAR(500 * c / tension, 1, 1e-9) << index << ' ' << step;
        }
    // Newtonian with a little memory: Trouton's four viscosities in plane strain.
    const FilmLiquid syrup{1400, 0.08, 0, 3, 1, 1e5};
    double c = 0;
    for (int k = 0; k < 100; ++k) c = advance_strain(syrup, c, -0.5, 1e-3).strain;
    EXPECT_NEAR(1e5 * c, -4 * 3 * 0.5, 1e-9);
}

TEST(FilmStrain, ReturnSolvesBackwardEuler) {
    const Random random(9, 2);
    std::size_t at = 0;
    const auto between = [&](double low, double high) {
        return low * std::pow(high / low, random.uniform(at++));
    };
    for (int k = 0; k < 3000; ++k) {
        const FilmLiquid liquid =
            cream(between(0.2, 1.6), k % 3 ? between(1e-2, 300) : 0, between(1e-3, 100), between(1, 1e5));
        const double step = between(1e-6, 1e-1), sign = k % 2 ? 1 : -1;
        const double c = sign * between(1e-6, 20), rate = (k % 5 ? 1 : -1) * between(1e-3, 1) / step;
        const double trial = std::asinh(c / 2) + 2 * step * rate,
                     out = advance_strain(liquid, c, rate, step).strain;
        const double excess = liquid.shear_modulus * std::abs(out) / 2 - liquid.yield_stress;
        const double flowed =
            excess > 0 ? step * std::pow(excess / liquid.consistency, 1 / liquid.flow_index) : 0;
        const double digits = excess > 0 ? 1 + liquid.yield_stress / excess / liquid.flow_index : 1;
        if (digits > 1e6) continue;  // the strain is at yield to round-off
        EXPECT_NEAR(std::asinh(out / 2) + flowed * std::copysign(1.0, trial), trial,
                    1e-8 * std::abs(trial) + 1e-11 * digits * flowed)
            << k;
    }
}

TEST(FilmStrain, SlopeIsTheDerivative) {
    const Random random(4, 3);
    std::size_t at = 0;
    for (int k = 0; k < 500; ++k) {
        const auto next = [&] { return random.uniform(at++); };
        const FilmLiquid liquid = cream(0.25 + next(), k % 3 ? 20 : 0, 5 + 20 * next());
        const double c = 2 * next() - 1, rate = 20 * next() - 10, step = 0.01, d = 1e-4;
        const auto at_rate = [&](double r) { return advance_strain(liquid, c, r, step).strain; };
        const double slope = advance_strain(liquid, c, rate, step).slope;
        const double by_difference = (at_rate(rate + d) - at_rate(rate - d)) / (2 * d);
        const double one_sided = (at_rate(rate + d) - at_rate(rate)) / d;
        if (std::abs(one_sided - by_difference) > 1e-5 * by_difference) continue;  // across yield
        EXPECT_NEAR(slope / by_difference, 1, 1e-6) << k;
        EXPECT_GE(slope, 0);
        const StrainStep out = advance_strain(liquid, c, rate, step);
        const double unstrained = -std::asinh(c / 2) / (2 * step);
        EXPECT_NEAR(out.chord * (rate - unstrained) / out.strain, 1, 1e-10);
    }
}

TEST(FilmStrain, NoMemoryNoStrainAndNoConsistencyNoOverstress) {
    EXPECT_EQ(advance_strain(cream(0.4, 18, 17, 0), 0.5, 3, 0.1).strain, 0);
    const StrainStep plastic = advance_strain(cream(1, 10, 0, 100), 0.5, 3, 0.1);
    EXPECT_DOUBLE_EQ(plastic.strain, 2 * 10 / 100.0);
    EXPECT_EQ(plastic.slope, 0);
    EXPECT_TRUE(std::isfinite(advance_strain(cream(), 0.1, 1e9, 1).strain));
}

TEST(FilmStrain, EnergyIsTheWorkOfItsTension) {
    for (const double c : {-30.0, -0.4, 1e-9, 0.1, 5.0}) {
        const double turn = 1e-5;  // 2 du/dx dt
        const double after = strain_energy(300, stretched_strain(c, turn)),
                     before = strain_energy(300, stretched_strain(c, -turn));
        EXPECT_NEAR((after - before) / (2 * turn), 0.5 * 300 * c, 1e-6 * (std::abs(c) + 1e-6) * 300) << c;
    }
    EXPECT_EQ(strain_energy(300, 0), 0);
    EXPECT_NEAR(strain_energy(300, 2 * std::sinh(0.7)), 300 * (std::cosh(0.7) - 1), 1e-10);
}

}  // namespace
}  // namespace rivulet::film
