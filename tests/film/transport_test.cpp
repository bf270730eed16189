#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/film/transport.h>

namespace rivulet::film {
namespace {

/// A strand with a film, and the arrays behind a CarriedLine.
struct Strand {
    std::vector<double> area, strain, share, speed, spin, length, radius, solid_mass, solid_spin, density;
    std::vector<Vec3d> velocity, tangent;
    std::size_t held_first = 0, held_last = 0;

    Strand(std::size_t n, std::size_t liquids, double bend) {
        const Random random(11, 5);
        density = liquids == 1 ? std::vector<double>{1000} : std::vector<double>{1000, 1600};
        for (std::size_t i = 0; i < n; ++i) {
            area.push_back(1e-9 * (0.2 + random.uniform(i)));
            strain.push_back(random.uniform(i + 1000) - 0.5);
            length.push_back(1e-3 * (i == 0 || i + 1 == n ? 0.5 : 1.0));
            radius.push_back(50e-6);
            solid_mass.push_back(1e-8);
            solid_spin.push_back(1e-17);
            velocity.push_back(random.uniform3(i + 2000));
            speed.push_back(i + 1 < n ? 0.6 * (random.uniform(i + 3000) - 0.4) : 0.0);
            spin.push_back(i + 1 < n ? random.uniform(i + 4000) : 0.0);
            const double angle = bend * double(i) / double(n);
            tangent.push_back({std::cos(angle), std::sin(angle), 0});
            const double first = random.uniform(i + 5000);
            share.push_back(liquids == 1 ? 1 : first);
            if (liquids == 2) share.push_back(1 - first);
        }
    }
    CarriedLine line() {
        return {area,   strain,     share,      speed,   velocity,   spin,     length,
                radius, solid_mass, solid_spin, tangent, held_first, held_last};
    }
    double film_mass(std::size_t i) const {
        double rho = 0;
        for (std::size_t l = 0; l < density.size(); ++l) rho += share[i * density.size() + l] * density[l];
        return rho * area[i] * length[i];
    }
    double volume(std::size_t liquid) const {
        double sum = 0;
        for (std::size_t i = 0; i < area.size(); ++i)
            sum += area[i] * length[i] * share[i * density.size() + liquid];
        return sum;
    }
    /// P = Σ (m_s + m_f) u + Σ m_e w t; what is dammed at an end is not in m_e.
    Vec3d momentum() const {
        Vec3d p;
        const std::size_t n = area.size();
        for (std::size_t i = 0; i < n; ++i) p += (solid_mass[i] + film_mass(i)) * velocity[i];
        for (std::size_t e = 0; e + 1 < n; ++e) {
            const bool first = e > 0 || speed[e] > 0, last = e + 2 < n || speed[e] < 0;
            p += ((first ? 0.5 * film_mass(e) : 0) + (last ? 0.5 * film_mass(e + 1) : 0)) * speed[e] *
                 tangent[e];
        }
        return p;
    }
};

TEST(FilmTransport, KeepsEveryLiquidAndTheMomentumOfACurvedStrand) {
    for (const std::size_t liquids : {1, 2}) {
        Strand s(40, liquids, 2.5);
        const Vec3d before = s.momentum();
        std::vector<double> volume;
        for (std::size_t l = 0; l < liquids; ++l) volume.push_back(s.volume(l));
        Transport transport;
        for (int step = 0; step < 200; ++step) transport.move(s.line(), s.density, 2e-3, Carry::mixture);
        for (std::size_t l = 0; l < liquids; ++l) EXPECT_NEAR(s.volume(l) / volume[l], 1, 1e-13);
        EXPECT_NEAR(length(s.momentum() - before) / length(before), 0, 1e-13);
    }
}

TEST(FilmTransport, LeavesNoAreaNegativeAndMakesNoSpeed) {
    Strand s(40, 2, 0);
    for (std::size_t i = 10; i < 20; ++i) s.area[i] = 0;
    s.area[30] = 1e-5;  // a drop ten thousand times as heavy as the strand
    double fastest = 0, quickest = 0;
    for (const Vec3d& u : s.velocity) fastest = std::max(fastest, length(u));
    for (const double w : s.speed) quickest = std::max(quickest, std::abs(w));
    // What stops at an end or turns pushes the strand, no faster than it was itself.
    const double bound = fastest + quickest;
    Transport transport;
    for (int step = 0; step < 100; ++step) {
        transport.move(s.line(), s.density, 5e-3, Carry::mixture);
        for (std::size_t i = 0; i < s.area.size(); ++i) {
            ASSERT_GE(s.area[i], 0);
            ASSERT_LE(length(s.velocity[i]), bound * (1 + 1e-12));
            ASSERT_LE(std::abs(s.speed[i]), quickest * (1 + 1e-9));
            ASSERT_LE(std::abs(s.spin[i]), 1);
            if (s.area[i] > 0) {
                ASSERT_NEAR(s.share[2 * i] + s.share[2 * i + 1], 1, 1e-12);
            }
        }
    }
}

TEST(FilmTransport, HeldVerticesKeepTheirVelocity) {
    Strand s(20, 1, 1.0);
    s.held_first = 2, s.held_last = 1;
    const Vec3d first = s.velocity[0], second = s.velocity[1], last = s.velocity[19];
    Transport().move(s.line(), s.density, 2e-3, Carry::mixture);
    EXPECT_EQ(s.velocity[0], first);
    EXPECT_EQ(s.velocity[1], second);
    EXPECT_EQ(s.velocity[19], last);
}

/// A smooth bump carried at constant speed: error of the second order in the mean.
double bump_error(std::size_t n) {
    Strand s(n, 1, 0);
    const double spacing = 0.1 / double(n);
    const auto bump = [](double x) { return 1e-9 * (1 + std::exp(-std::pow((x - 0.03) / 0.008, 2))); };
    for (std::size_t i = 0; i < n; ++i) {
        s.length[i] = spacing;
        s.area[i] = bump((double(i) + 0.5) * spacing);
        s.speed[i] = 0.5;
    }
    const double dt = 0.1 * spacing / 0.5;
    Transport transport;
    const int steps = static_cast<int>(std::round(0.02 / (0.5 * dt)));
    for (int k = 0; k < steps; ++k) {
        std::fill(s.speed.begin(), s.speed.end() - 1, 0.5);
        transport.move(s.line(), s.density, dt, Carry::mixture);
    }
    double error = 0;
    const double moved = 0.5 * dt * steps;
    for (std::size_t i = n / 4; i < 3 * n / 4; ++i)
        error += std::abs(s.area[i] - bump((double(i) + 0.5) * spacing - moved)) * spacing;
    return error / 1e-9;
}

TEST(FilmTransport, CarriesABumpToSecondOrder) {
    const double coarse = bump_error(100), fine = bump_error(400);
    const double order = std::log(coarse / fine) / std::log(4.0);
    EXPECT_GT(order, 1.5);
    EXPECT_LT(fine, 2e-5);
}

TEST(FilmTransport, RescalingKeepsTheMomentumOfAVertexOnly) {
    Strand s(20, 1, 0);
    for (std::size_t i = 0; i + 1 < 20; ++i) s.speed[i] = 0.1;
    const double before = (s.solid_mass[5] + s.film_mass(5)) * s.velocity[5].x;
    Transport().move(s.line(), s.density, 1e-3, Carry::rescaled);
    EXPECT_NEAR((s.solid_mass[5] + s.film_mass(5)) * s.velocity[5].x / before, 1, 1e-13);
}

TEST(FilmTransport, AMovingFrameChangesNothing) {
    Strand still(30, 1, 0), moving(30, 1, 0);
    const Vec3d frame{3, -2, 1};
    for (Vec3d& u : still.velocity) u = {};
    for (Vec3d& u : moving.velocity) u = frame;
    Transport transport;
    for (int k = 0; k < 50; ++k) {
        transport.move(still.line(), still.density, 1e-3, Carry::mixture);
        transport.move(moving.line(), moving.density, 1e-3, Carry::mixture);
    }
    for (std::size_t i = 0; i < 30; ++i) {
        EXPECT_EQ(still.area[i], moving.area[i]);
        EXPECT_NEAR(length(moving.velocity[i] - still.velocity[i] - frame), 0, 1e-12);
    }
}

}  // namespace
}  // namespace rivulet::film
