#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/friction.h>

namespace rivulet::film {
namespace {

constexpr double kPi = std::numbers::pi;
const FrictionOptions kExact{};
const FilmLiquid kWater{1000, 0.072, 0, 1e-3, 1, 0};
const FilmLiquid kMud{1200, 0.06, 0.9707, 0.3839, 0.22, 0};

FilmLiquid paste(double yield, double index, double consistency = 2) {
    return {1100, 0.05, yield, consistency, index, 0};
}

/// The bracket of the flux in long double: what the series must give for thin films.
long double factor_of(long double q) {
    long double sum = 0, power = 1;
    if (q < 0.5L) {
        for (int j = 0; j < 400; ++j, power *= -q) sum += 4 * power / ((j + 3.0L) * (j + 2.0L) * (j + 1.0L));
        return sum;
    }
    return (2 * (1 + q) * (1 + q) * std::log1p(q) - q * (2 + 3 * q)) / (q * q * q);
}

/// Slow twin: speeds by the trapezoidal rule from the wall outwards to where the liquid no longer yields,
/// then their mean over the annulus.
double mean_speed_by_profile(const FilmLiquid& liquid, double a, double area, double stress) {
    const int n = 20'000;
    const double outer = std::sqrt(a * a + area / kPi);
    const auto excess = [&](double r) {
        return stress * a / r * (outer * outer - r * r) / (outer * outer - a * a) - liquid.yield_stress;
    };
    const auto rate = [&](double r) {
        return std::pow(std::max(0.0, excess(r)) / liquid.consistency, 1 / liquid.flow_index);
    };
    double end = a, beyond = outer;
    for (int k = 0; k < 60; ++k) (excess(0.5 * (end + beyond)) > 0 ? end : beyond) = 0.5 * (end + beyond);
    const double dr = (end - a) / n;
    double speed = 0, flux = 0;
    for (int i = 0; i < n; ++i) {
        const double r0 = a + i * dr, r1 = r0 + dr;
        const double next = speed + 0.5 * dr * (rate(r0) + rate(r1));
        flux += kPi * dr * (speed * r0 + next * r1);
        speed = next;
    }
    return (flux + speed * kPi * (outer * outer - end * end)) / area;
}

TEST(Friction, FlowFactorIsTheBracketOfTheAnnularFlux) {
    for (double q = 1e-9; q < 1e4; q *= 1.3)
        EXPECT_NEAR(annular_flow_factor(q) / double(factor_of(q)), 1, 1e-14) << q;
    EXPECT_DOUBLE_EQ(annular_flow_factor(0), 2.0 / 3);
}

TEST(Friction, NewtonianFilmThatItsWeightDrivesHasThePrintedFlux) {
    const double a = 50e-6, g = 9.81;
    for (const double outer : {55e-6, 70e-6, 100e-6, 600e-6}) {
        const double area = kPi * (outer * outer - a * a);
        const double wall = kWater.density * g * area / (2 * kPi * a);
        const double r2 = outer * outer, a2 = a * a;
        const double flux = kPi * kWater.density * g / (8 * kWater.consistency) *
                            (4 * r2 * r2 * std::log(outer / a) - (3 * r2 - a2) * (r2 - a2));
        EXPECT_NEAR(mean_speed(kExact, kWater, a, area, wall) * area / flux, 1, 1e-9);
        EXPECT_NEAR(wall_stress(kExact, kWater, a, area, flux / area) / wall, 1, 1e-9);
    }
}

TEST(Friction, WaterOnHairForgetsItsSpeedInASixthOfAMillisecond) {
    const double a = 45e-6, h = 20e-6;
    const double rate = friction_rate(kExact, kWater, a, coat_area(a, a, h), 0.01);
    EXPECT_NEAR(1e3 / rate, 0.16, 0.005);
    // A thin film is a flat one: 3 mu / (rho h^2).
    const double thin = friction_rate(kExact, kWater, a, coat_area(a, a, 1e-9), 0.01);
    EXPECT_NEAR(thin * kWater.density * 1e-18 / (3 * kWater.consistency), 1, 1e-4);
}

TEST(Friction, QuadratureIsTheMeanOfTheSpeedProfile) {
    const double a = 50e-6;
    for (const double index : {0.22, 0.5, 0.8, 1.0, 1.3})
        for (const double yield : {0.0, 5.0, 30.0})
            for (const double outer : {52e-6, 100e-6, 800e-6}) {
                const FilmLiquid liquid = paste(yield, index);
                const double area = kPi * (outer * outer - a * a);
                for (const double stress : {31.0, 60.0, 300.0}) {
                    const double slow = mean_speed_by_profile(liquid, a, area, stress);
                    EXPECT_NEAR(mean_speed(kExact, liquid, a, area, stress) / slow, 1, 2e-4)
                        << index << ' ' << yield << ' ' << outer << ' ' << stress;
                }
            }
}

TEST(Friction, ThinHerschelBulkleyFilmHasItsClosedForm) {
    const double a = 1e-3, h = 1e-7, area = coat_area(a, a, h);
    for (const double n : {0.3, 0.5, 1.0})
        for (const double stress : {10.001, 11.0, 20.0, 1e3}) {
            const FilmLiquid liquid = paste(10, n);
            const double e = stress - 10, speed = n / (n + 1) * h * std::pow(e, 1 + 1 / n) /
                                                  (std::pow(2, 1 / n) * stress) *
                                                  (1 - n / (2 * n + 1) * (1 - 10 / stress));
            EXPECT_NEAR(mean_speed(kExact, liquid, a, area, stress) / speed, 1, 5e-4) << n << ' ' << stress;
        }
}

TEST(Friction, BothPathsAgreeWhereTheLiquidIsNewtonian) {
    FilmLiquid nearly = kWater;
    nearly.flow_index = 1 + 1e-13;
    for (const double h : {1e-8, 20e-6, 900e-6}) {
        const double area = coat_area(45e-6, 45e-6, h);
        const double one = friction_rate(kExact, kWater, 45e-6, area, 0.01);
        EXPECT_NEAR(friction_rate(kExact, nearly, 45e-6, area, 0.01) / one, 1, 4e-5) << h;
    }
}

TEST(Friction, SpeedAndStressAreInverse) {
    for (const FrictionLaw law : {FrictionLaw::annular, FrictionLaw::fei_2019}) {
        const FrictionOptions options{law, 3e-6};
        for (const double index : {0.22, 0.6, 1.0, 1.5})
            for (const double yield : {0.0, 12.0})
                for (const double h : {1e-6, 40e-6, 900e-6})
                    for (const double speed : {1e-9, 1e-4, 0.1, 10.0}) {
                        const FilmLiquid liquid = paste(yield, index);
                        const double a = 45e-6, area = coat_area(a, a, h);
                        const double stress = wall_stress(options, liquid, a, area, speed);
                        // Near yield the stress has few digits left of what makes the speed.
                        const double excess = stress - wall_stress(options, liquid, a, area, 1e-200);
                        const double slack = 1e-6 + 1e-14 * stress / excess;
                        if (!(slack < 1e-3)) continue;
                        EXPECT_NEAR(mean_speed(options, liquid, a, area, stress) / speed, 1, slack)
                            << int(law) << ' ' << index << ' ' << yield << ' ' << h << ' ' << speed;
                    }
    }
}

TEST(Friction, YieldStressFilmRestsUpToItsLimit) {
    const double a = 50e-6, g = 9.81, step = 1e-3;
    // rho g (R^2 - a^2) / (2 a) = tau_y
    const double limit = 2 * kPi * a * kMud.yield_stress / (kMud.density * g);
    const Slide still = slide(kExact, kMud, a, 0.95 * limit, 0, -g, step);
    EXPECT_EQ(still.speed, 0);
    EXPECT_EQ(still.rate, std::numeric_limits<double>::infinity());
    double speed = 0;
    for (int k = 0; k < 100; ++k) speed = slide(kExact, kMud, a, 1.05 * limit, speed, -g, step).speed;
    EXPECT_LT(speed, 0);
    const double wall = kMud.density * g * 1.05 * limit / (2 * kPi * a);
    EXPECT_NEAR(-speed / mean_speed(kExact, kMud, a, 1.05 * limit, wall), 1, 1e-6);
    // What moves comes to rest in finite time.
    speed = 0.01;
    int steps = 0;
    for (; speed != 0 && steps < 1000; ++steps)
        speed = slide(kExact, kMud, a, 0.95 * limit, speed, 0, step).speed;
    EXPECT_LT(steps, 10);
}

TEST(Friction, StepIsExactlyImplicit) {
    const Random random(5, 1);
    std::size_t at = 0, stuck = 0;
    const auto between = [&](double low, double high) {
        return low * std::pow(high / low, random.uniform(at++));
    };
    for (int k = 0; k < 4000; ++k) {
        const FrictionOptions options{k % 3 ? FrictionLaw::annular : FrictionLaw::fei_2019, 2e-6};
        FilmLiquid liquid = paste(k % 2 ? between(1e-2, 100) : 0, between(0.2, 1.6), between(1e-3, 50));
        if (k % 5 == 0) liquid.flow_index = 1;
        const double a = between(2e-5, 1e-3), area = coat_area(a, a, between(1e-7, 1e-3));
        const double u = (k % 7 ? 1 : -1) * between(1e-6, 3), drive = between(1e-2, 100),
                     dt = between(1e-6, 1e-2);
        const Slide out = slide(options, liquid, a, area, u, drive, dt);
        const double aim = u + dt * drive, per_stress = 2 * kPi * a / (liquid.density * area);
        if (out.speed == 0) {
            ++stuck;
            EXPECT_EQ(out.rate, std::numeric_limits<double>::infinity());
            const double hold = wall_stress(options, liquid, a, area, 1e-30);
            EXPECT_LE(std::abs(aim), dt * per_stress * hold * (1 + 1e-6));
            continue;
        }
        EXPECT_GT(out.speed * aim, 0);
        EXPECT_NEAR(out.speed * (1 + dt * out.rate) / aim, 1, 1e-11);
        if (std::abs(out.speed) < 1e-12) continue;
        EXPECT_NEAR(out.rate / friction_rate(options, liquid, a, area, out.speed), 1, 1e-6)
            << k << ' ' << liquid.flow_index << ' ' << liquid.yield_stress;
    }
    EXPECT_GT(stuck, 100u);
    EXPECT_LT(stuck, 2000u);
}

TEST(Friction, LanesDoNotDependOnEachOther) {
    const FilmPack four{Pack(45e-6, 50e-6, 1e-4, 1e-3), Pack(1e-9, 0.0, 3e-9, 1e-8), Pack(0.0, 1.0, 5.0, 0.1),
                        Pack(1e-3, 2.0, 3.0, 0.0), Pack(1.0, 0.4, 0.3, 1.0)};
    const Pack aim(0.1, 0.2, 0.4, 0.3), loss(1e-3, 2e-3, 1e-4, 5e-4);
    for (const FrictionLaw law : {FrictionLaw::annular, FrictionLaw::fei_2019}) {
        const FrictionOptions options{law, 1e-6};
        const SlidePack all = slide(options, four, aim, loss);
        for (int i = 0; i < 4; ++i) {
            const FilmPack one{four.radius[i], four.area[i], four.yield_stress[i], four.consistency[i],
                               four.flow_index[i]};
            const SlidePack alone = slide(options, one, aim[i], loss[i]);
            EXPECT_EQ(all.speed[i], alone.speed[0]);
            EXPECT_EQ(all.wall_stress[i], alone.wall_stress[0]);
            EXPECT_EQ(all.stuck[i], alone.stuck[0]);
        }
        EXPECT_TRUE(all.stuck[1]);
        EXPECT_NEAR(all.speed[3] + loss[3] * all.wall_stress[3], aim[3], 1e-15);
    }
}

TEST(Friction, InviscidLiquidSlidesAndAPlasticOneIsHeldByItsYieldStressAlone) {
    const FilmLiquid inviscid{1000, 0, 0, 0, 1, 0}, plastic{1000, 0, 3, 0, 1, 0};
    const double a = 1e-3, area = coat_area(a, a, 1e-3);
    EXPECT_EQ(slide(kExact, inviscid, a, area, 1, 9, 0.1).speed, 1.9);
    EXPECT_EQ(friction_rate(kExact, inviscid, a, area, 1), 0);
    const double brake = 2 * kPi * a * 3 / (1000 * area);
    EXPECT_NEAR(slide(kExact, plastic, a, area, 1, 9, 0.1).speed, 1.9 - 0.1 * brake, 1e-14);
    EXPECT_EQ(friction_rate(kExact, kWater, a, 0, 1), std::numeric_limits<double>::infinity());
}

TEST(Friction, PapersLawIsThePlanarOne) {
    const FrictionOptions papers{FrictionLaw::fei_2019, 0};
    const double a = 1;
    // ERRATA: against the annular flux -2.4 % at h/a = 0.05, -30 % at 1.
    const auto flux_ratio = [&](double h) {
        const double area = coat_area(a, a, h);
        return friction_rate(kExact, kWater, a, area, 1) / friction_rate(papers, kWater, a, area, 1);
    };
    EXPECT_NEAR(flux_ratio(0.05), 1 - 0.024, 5e-4);
    EXPECT_NEAR(flux_ratio(1), 1 - 0.30, 5e-3);
    // It yields at 3 sqrt(2/3) tau_Y = 2.449 sqrt(3) tau_y.
    const FilmLiquid liquid = paste(1, 0.5);
    EXPECT_NEAR(wall_stress(papers, liquid, a, coat_area(a, a, 1e-6), 1e-30), 2.4495 * std::sqrt(3.0), 1e-3);
    // C = pi (h + 2a)/(b + h/3) eta.
    const FrictionOptions slip{FrictionLaw::fei_2019, 0.2};
    const double h = 0.3, u = 0.7, eta = std::sqrt(2.0) * 1 / (u / h) + 2 * std::pow(u / h, -0.5);
    const double c = kPi * (h + 2 * a) / (0.2 + h / 3) * eta;
    EXPECT_NEAR(
        friction_rate(slip, liquid, a, coat_area(a, a, h), u) * liquid.density * coat_area(a, a, h) / c, 1,
        1e-12);
}

}  // namespace
}  // namespace rivulet::film
