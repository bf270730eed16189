#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/curvature.h>
#include <rivulet/film/line_forces.h>
#include <rivulet/film/strain.h>

namespace rivulet::film {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const FilmLiquid kWater{1000, 0.072, 0, 1e-3, 1, 0};
const FilmLiquid kCream{300, 0.03, 2, 1.5, 0.4, 300};

/// A line that owns its numbers, with results.
struct Rig {
    std::vector<double> area, length, radius, strain, edge_length, speed, face_area, drive, share;
    std::vector<FilmLiquid> liquids;
    std::vector<double> friction, force, tension, end_speed;
    FlowOptions options;
    LineScratch scratch;

    Rig(std::size_t vertices, double segment, double a, const FilmLiquid& liquid) {
        area.assign(vertices, 0);
        length.assign(vertices, segment);
        length.front() = length.back() = 0.5 * segment;
        radius.assign(vertices, a);
        strain.assign(vertices, 0);
        edge_length.assign(vertices - 1, segment);
        for (auto* edges : {&speed, &face_area, &drive, &friction, &force, &end_speed})
            edges->assign(vertices - 1, 0);
        tension.assign(vertices, 0);
        liquids = {liquid};
    }
    std::size_t vertices() const { return area.size(); }
    std::size_t edges() const { return speed.size(); }
    void even_faces() {
        for (std::size_t e = 0; e < edges(); ++e) face_area[e] = 0.5 * (area[e] + area[e + 1]);
    }
    void upwind_faces() {
        for (std::size_t e = 0; e < edges(); ++e) {
            const double ahead = speed[e] != 0 ? speed[e] : drive[e];
            face_area[e] = ahead > 0 ? area[e] : ahead < 0 ? area[e + 1] : std::max(area[e], area[e + 1]);
        }
    }
    void run(double step) {
        const FilmLine line{area,  length,    radius, strain,  edge_length,
                            speed, face_area, drive,  liquids, share};
        line_forces(line, options, step, scratch, {friction, force, tension, end_speed});
    }
    /// One liquid only.
    double mass(std::size_t e) const {
        return 0.5 * liquids[0].density * (area[e] * length[e] + area[e + 1] * length[e + 1]);
    }
    /// Volumes follow the speeds; no film passes the ends.
    void flow(double step) {
        for (std::size_t e = 0; e < edges(); ++e) {
            const double moved = step * face_area[e] * end_speed[e];
            area[e] -= moved / length[e];
            area[e + 1] += moved / length[e + 1];
        }
        speed = end_speed;
    }
    double rate_at(std::size_t v) const {
        return ((v < edges() ? end_speed[v] : 0) - (v > 0 ? end_speed[v - 1] : 0)) / length[v];
    }
    double pressure(std::size_t v) const {
        const auto outer = [&](std::size_t i) { return std::sqrt(radius[i] * radius[i] + area[i] / kPi); };
        const bool first = v == 0, last = v + 1 == vertices();
        return liquids[0].surface_tension *
               curvature({first ? 0 : outer(v - 1), outer(v), last ? 0 : outer(v + 1)},
                         first ? 0 : edge_length[v - 1], last ? 0 : edge_length[v], length[v])
                   .value;
    }
};

Rig random_rig(int seed, const FilmLiquid& liquid) {
    const Random random(std::uint64_t(seed), 5);
    std::size_t at = 0;
    const auto next = [&] { return random.uniform(at++); };
    Rig rig(5 + std::size_t(30 * next()), 1e-3, 50e-6, liquid);
    for (std::size_t v = 0; v < rig.vertices(); ++v) {
        rig.radius[v] *= 1 + 0.2 * next();
        rig.area[v] = next() < 0.2 ? 0 : coat_area(rig.radius[v], rig.radius[v], 200e-6 * next());
        rig.strain[v] = 0.4 * next() - 0.2;
    }
    for (std::size_t e = 0; e < rig.edges(); ++e) {
        rig.edge_length[e] *= 0.7 + 0.6 * next();
        rig.speed[e] = rig.area[e] + rig.area[e + 1] > 0 ? 0.2 * next() - 0.1 : 0;
        rig.drive[e] = 40 * next() - 10;
    }
    for (std::size_t v = 0; v < rig.vertices(); ++v)
        rig.length[v] =
            0.5 * ((v > 0 ? rig.edge_length[v - 1] : 0) + (v < rig.edges() ? rig.edge_length[v] : 0));
    rig.upwind_faces();
    return rig;
}

TEST(LineForces, SpeedsBalanceFrictionAndForces) {
    int stuck = 0, flowing = 0;
    for (int k = 0; k < 300; ++k) {
        Rig rig = random_rig(k, k % 2 ? kCream : kWater);
        rig.options.surface_tension = k % 3 == 0;
        if (k % 5 == 0) rig.options.friction = {FrictionLaw::fei_2019, 1e-5};
        const double step = k % 4 ? 1e-3 : 1e-5;
        rig.run(step);
        for (std::size_t e = 0; e < rig.edges(); ++e) {
            const double mass = rig.mass(e);
            if (mass == 0) {
                EXPECT_EQ(rig.friction[e], 0);
                EXPECT_EQ(rig.force[e], 0);
                EXPECT_EQ(rig.end_speed[e], 0);
            } else if (rig.friction[e] == kInfinity) {
                EXPECT_EQ(rig.end_speed[e], 0);
                ++stuck;
            } else {
                const double kick = mass * (rig.speed[e] + step * rig.drive[e]), push = step * rig.force[e];
                EXPECT_NEAR((mass + step * rig.friction[e]) * rig.end_speed[e], kick + push,
                            1e-11 * (std::abs(kick) + std::abs(push)));
                ++flowing;
            }
        }
    }
    EXPECT_GT(stuck, 300);
    EXPECT_GT(flowing, 2000);
}

TEST(LineForces, WithoutMemoryEachEdgeSlidesByItself) {
    for (const FilmLiquid& liquid : {kWater, FilmLiquid{300, 0.03, 2, 1.5, 0.4, 0}}) {
        Rig rig = random_rig(3, liquid);
        rig.strain.clear();
        rig.run(1e-3);
        for (std::size_t e = 0; e < rig.edges(); ++e) {
            if (rig.mass(e) == 0) continue;
            const double a = 0.5 * (rig.radius[e] + rig.radius[e + 1]);
            const Slide alone = slide({}, liquid, a, rig.face_area[e], rig.speed[e], rig.drive[e], 1e-3);
            EXPECT_DOUBLE_EQ(rig.end_speed[e], alone.speed);
            EXPECT_DOUBLE_EQ(rig.friction[e], rig.mass(e) * alone.rate);
            EXPECT_EQ(rig.force[e], 0);
        }
    }
}

TEST(LineForces, TensionTelescopesToTheRoot) {
    Rig rig = random_rig(8, kCream);
    rig.run(1e-3);
    double sum = 0;
    for (std::size_t e = 0; e < rig.edges(); ++e) sum += rig.mass(e) > 0 ? rig.force[e] : 0;
    EXPECT_NE(rig.tension.front(), 0);
    EXPECT_EQ(rig.tension.back(), 0);
    EXPECT_NEAR(sum, -rig.tension.front(), 1e-12 * std::abs(sum) + 1e-20);
}

TEST(LineForces, TensionIsThatOfTheStrainAtTheEndOfTheStep) {
    // Small steps, in which the linear answer is the whole.
    Rig rig = random_rig(8, kCream);
    for (const double step : {1e-4, 1e-5, 1e-6}) {
        rig.run(step);
        for (std::size_t v = 0; v + 1 < rig.vertices(); ++v) {
            const double strain = advance_strain(kCream, rig.strain[v], rig.rate_at(v), step).strain;
            const double exact = kCream.shear_modulus * rig.area[v] * strain;
            EXPECT_NEAR(rig.tension[v], exact, (step < 1e-5 ? 1e-3 : 0.1) * std::abs(exact) + 1e-12) << step;
        }
    }
}

TEST(LineForces, ElasticFilmRingsAtTheSpeedOfItsWaves) {
    // Slides freely: waves of sqrt(4 mu / rho), anchored at the root and free at the tip.
    const FilmLiquid jelly{1000, 0, 1e9, 1, 1, 100};
    const std::size_t n = 161;
    const double segment = 1e-3, total = segment * double(n - 1), a = 50e-6,
                 speed = std::sqrt(4 * 100 / 1000.0);
    Rig rig(n, segment, a, jelly);
    rig.options.friction = {FrictionLaw::fei_2019, 1e40};
    rig.area.assign(n, coat_area(a, a, 50e-6));
    rig.even_faces();
    const double omega = 0.5 * kPi / total * speed, step = 2e-2 / omega / 10;
    for (std::size_t e = 0; e < n - 1; ++e)
        rig.speed[e] = 1e-6 * std::sin(0.5 * kPi * (double(e) + 0.5) / double(n - 1));
    double time = 0, crossing = 0, before = rig.speed.back();
    while (crossing == 0 && time < 10 / omega) {
        rig.run(step);
        for (std::size_t v = 0; v + 1 < n; ++v)
            rig.strain[v] = advance_strain(jelly, rig.strain[v], rig.rate_at(v), step).strain;
        rig.speed = rig.end_speed;
        time += step;
        const double now = rig.speed.back();
        if (now < 0) crossing = time - step * now / (now - before);
        before = now;
    }
    // A quarter of the last segment belongs to no edge.
    EXPECT_NEAR(crossing * omega / (0.5 * kPi), 1 - 0.25 / double(n - 1), 5e-4);
}

TEST(LineForces, StiffFilmIsStableAtLargeSteps) {
    // Sound crosses 600 segments in a step.
    FilmLiquid stiff = kCream;
    stiff.shear_modulus = 3e7;
    Rig rig(30, 1e-3, 50e-6, stiff);
    rig.area.assign(30, coat_area(50e-6, 50e-6, 400e-6));
    rig.drive.assign(29, 9.81);
    rig.even_faces();
    for (int k = 0; k < 200; ++k) {
        rig.run(1e-3);
        for (std::size_t v = 0; v + 1 < 30; ++v)
            rig.strain[v] = advance_strain(stiff, rig.strain[v], rig.rate_at(v), 1e-3).strain;
        rig.speed = rig.end_speed;
        for (const double u : rig.speed) {
            ASSERT_LT(u, 1.2e-4);
            ASSERT_GT(u, 0);
        }
    }
}

/// Slow twin: the nonlinear equations of the step by Newton's method with differences, from the result.
TEST(LineForces, TwoRoundsAreNearTheWholeNonlinearStep) {
    const FilmLiquid sauce{1000, 0, 0, 0.8, 0.5, 40};
    const std::size_t n = 12;
    Rig rig(n, 1e-3, 50e-6, sauce);
    const Random random(2, 2);
    for (std::size_t v = 0; v < n; ++v) {
        rig.area[v] = coat_area(50e-6, 50e-6, (150 + 60 * random.uniform(v)) * 1e-6);
        rig.strain[v] = 0.1 * random.uniform(100 + v);
    }
    rig.drive.assign(n - 1, 9.81);
    rig.speed.assign(n - 1, 1e-3);
    rig.even_faces();
    const double step = 1e-3;
    rig.run(step);
    const auto residual = [&](const std::vector<double>& u, std::size_t e) {
        const auto tension = [&](std::size_t v) {
            if (v + 1 == n) return 0.0;
            const double rate = (u[v] - (v > 0 ? u[v - 1] : 0)) / rig.length[v];
            return sauce.shear_modulus * rig.area[v] *
                   advance_strain(sauce, rig.strain[v], rate, step).strain;
        };
        const double k = friction_rate({}, sauce, 50e-6, rig.face_area[e], u[e]);
        return rig.mass(e) * (u[e] * (1 + step * k) - rig.speed[e] - step * rig.drive[e]) -
               step * (tension(e + 1) - tension(e));
    };
    std::vector<double> u = rig.end_speed;
    for (int sweep = 0; sweep < 1000; ++sweep)
        for (std::size_t e = 0; e < n - 1; ++e) {
            const double at = u[e], d = 1e-7 * std::abs(at) + 1e-12, here = residual(u, e);
            u[e] = at + d;
            const double slope = (residual(u, e) - here) / d;
            u[e] = at - here / slope;
        }
    for (std::size_t e = 0; e < n - 1; ++e) {
        ASSERT_NEAR(residual(u, e) / (rig.mass(e) * 9.81 * step), 0, 1e-6);
        EXPECT_NEAR(rig.end_speed[e] / u[e], 1, 0.02) << e;
    }
}

TEST(LineForces, BeadsGrowAsPlateauAndRayleighSay) {
    // VALIDATION: growth * mu a / sigma at the wave length 2 sqrt(2) pi R.
    const double a = 50e-6;
    const double expected[] = {3.2306e-4, 2.1053e-3};
    int which = 0;
    for (const double thickness : {0.2, 0.5}) {
        FilmLiquid oil = kWater;
        oil.consistency = 0.5;  // no inertia
        const double outer = a * (1 + thickness), wave = 2 * std::numbers::sqrt2 * kPi * outer;
        const std::size_t n = 33;  // one wave
        Rig rig(n, wave / double(n - 1), a, oil);
        rig.options.surface_tension = true;
        const double even = kPi * (outer * outer - a * a);
        for (std::size_t v = 0; v < n; ++v)
            rig.area[v] = even * (1 + 1e-4 * std::cos(2 * kPi * double(v) / double(n - 1)));
        const double growth = expected[which] * oil.surface_tension / (oil.consistency * a);
        const double step = 1e-2 / growth;
        const auto amplitude = [&] { return rig.area.front() / even - 1; };
        double first = 0;
        for (int k = 0; k < 150; ++k) {
            rig.even_faces();
            rig.run(step);
            rig.flow(step);
            if (k == 49) first = amplitude();
        }
        EXPECT_NEAR(std::log(amplitude() / first) / (100 * step) / growth, 1, 0.02) << thickness;
        ++which;
    }
}

TEST(LineForces, ShortWavesDieAtAnyStep) {
    const double a = 50e-6;
    const std::size_t n = 41;
    for (const double step : {1e-5, 1e-3, 1.0}) {
        Rig rig(n, 0.3 * a, a, kWater);
        rig.options.surface_tension = true;
        for (std::size_t v = 0; v < n; ++v) rig.area[v] = coat_area(a, a, a) * (v % 2 ? 1.01 : 0.99);
        double worst = 0.01;
        for (int k = 0; k < 5; ++k) {
            rig.even_faces();
            rig.run(step);
            rig.flow(step);
            double rough = 0;
            for (std::size_t v = 5; v + 5 < n; ++v)
                rough = std::max(
                    rough, std::abs(rig.area[v] - 0.5 * (rig.area[v - 1] + rig.area[v + 1])) / rig.area[v]);
            EXPECT_LT(rough, 0.025) << step << ' ' << k;
            worst = rough;
        }
        EXPECT_LT(worst, 2e-3) << step;
    }
}

TEST(LineForces, BeadComesToRestAtEvenPressure) {
    // Half a bead at the root of a wet fibre: what ends up in it has Carroll's pressure, 2 sigma / (a + b).
    const double a = 50e-6, segment = 0.25 * a;
    const std::size_t n = 49;
    FilmLiquid oil = kWater;
    oil.consistency = 0.02;
    Rig rig(n, segment, a, oil);
    rig.options.surface_tension = true;
    for (std::size_t v = 0; v < n; ++v) {
        const double x = double(v) / double(n - 1);
        rig.area[v] = coat_area(a, a, a * (0.02 + 2.4 * std::exp(-8 * x * x)));
    }
    double volume = 0;
    for (std::size_t v = 0; v < n; ++v) volume += rig.area[v] * rig.length[v];
    for (int k = 0; k < 8000; ++k) {
        rig.upwind_faces();
        rig.run(1e-5);
        rig.flow(1e-5);
    }
    double after = 0, fastest = 0;
    for (std::size_t v = 0; v < n; ++v) after += rig.area[v] * rig.length[v];
    for (const double u : rig.speed) fastest = std::max(fastest, std::abs(u));
    EXPECT_NEAR(after / volume, 1, 1e-11);
    const double b = std::sqrt(a * a + rig.area[0] / kPi);
    const double expected = 2 * oil.surface_tension / (a + b);
    EXPECT_GT(b, 2.5 * a);
    for (std::size_t v = 0; v < n / 3; ++v) EXPECT_NEAR(rig.pressure(v) / expected, 1, 0.03) << v;
    for (std::size_t v = 1; v < n / 3; ++v) EXPECT_NEAR(rig.pressure(v) / rig.pressure(0), 1, 1e-4) << v;
}

TEST(LineForces, MixedHalvesOfOneLiquidAreThatLiquid) {
    Rig one = random_rig(21, kCream), two = random_rig(21, kCream);
    one.options.surface_tension = two.options.surface_tension = true;
    two.liquids = {kCream, kCream};
    for (std::size_t v = 0; v < two.vertices(); ++v) {
        const double part = double(v % 5) / 4;
        const bool wet = two.area[v] > 0;
        two.share.push_back(wet ? part : 0);
        two.share.push_back(wet ? 1 - part : 0);
    }
    one.run(1e-4);
    two.run(1e-4);
    for (std::size_t e = 0; e < one.edges(); ++e) {
        EXPECT_NEAR(two.end_speed[e], one.end_speed[e], 1e-9);
        EXPECT_NEAR(two.force[e], one.force[e], 1e-9 * std::abs(one.force[e]) + 1e-18);
    }
}

TEST(LineForces, AreFiniteForAnyFilm) {
    for (int k = 0; k < 3000; ++k) {
        const Random random(std::uint64_t(k), 6);
        std::size_t at = 0;
        const auto between = [&](double low, double high) {
            return low * std::pow(high / low, random.uniform(at++));
        };
        FilmLiquid liquid;
        liquid.density = between(100, 1e4);
        liquid.surface_tension = between(1e-3, 1);
        liquid.yield_stress = k % 3 ? between(1e-3, 1e4) : 0;
        liquid.consistency = between(1e-6, 1e5);
        liquid.flow_index = k % 4 ? between(0.2, 2) : 1;
        liquid.shear_modulus = k % 5 ? between(1e-2, 1e8) : 0;
        Rig rig(4 + std::size_t(k % 9), between(1e-5, 1e-2), between(1e-5, 1e-3), liquid);
        rig.options.surface_tension = k % 2;
        rig.options.friction = {k % 7 ? FrictionLaw::annular : FrictionLaw::fei_2019, between(1e-9, 1e-3)};
        for (double& area : rig.area) area = random.uniform(at++) < 0.2 ? 0 : between(1e-25, 1e-5);
        for (double& strain : rig.strain) strain = (random.uniform(at++) - 0.5) * between(1e-6, 1e3);
        for (std::size_t e = 0; e < rig.edges(); ++e) {
            rig.speed[e] = (random.uniform(at++) - 0.5) * between(1e-12, 1e2);
            rig.drive[e] = (random.uniform(at++) - 0.5) * between(1e-6, 1e5);
        }
        rig.upwind_faces();
        rig.run(between(1e-8, 0.1));
        for (std::size_t e = 0; e < rig.edges(); ++e) {
            ASSERT_TRUE(std::isfinite(rig.end_speed[e])) << k;
            ASSERT_TRUE(std::isfinite(rig.force[e])) << k;
            ASSERT_GE(rig.friction[e], 0) << k;
        }
        for (const double tension : rig.tension) ASSERT_TRUE(std::isfinite(tension)) << k;
    }
}

TEST(LineForces, DependOnTheLineAloneNotOnTheScratch) {
    Rig small = random_rig(31, kCream), clean = random_rig(31, kCream);
    small.options.surface_tension = clean.options.surface_tension = true;
    small.scratch.memory.assign(5000, std::numeric_limits<double>::quiet_NaN());
    small.run(1e-3);
    clean.run(1e-3);
    EXPECT_EQ(small.scratch.memory.size(), 5000u);
    for (std::size_t e = 0; e < clean.edges(); ++e) {
        EXPECT_EQ(small.end_speed[e], clean.end_speed[e]);
        EXPECT_EQ(small.friction[e], clean.friction[e]);
        EXPECT_EQ(small.force[e], clean.force[e]);
    }
}

}  // namespace
}  // namespace rivulet::film
