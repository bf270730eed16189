#include <rivulet/liquid/free_flight.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/liquid/particles.h>

namespace rivulet::liquid {
namespace {

constexpr double kCell = 0.01, kDt = 2e-3;

/// Drops of a few particles, thrown anyhow; `width` in cells.
LiquidState spray(std::size_t drops, double width, double speed) {
    const Random random(11, 3);
    LiquidState state;
    std::vector<NewParticle> particles;
    for (std::size_t d = 0; d < drops; ++d) {
        const Vec3d centre = random.uniform3(d) * (width * kCell);
        const std::size_t members = 1 + d % 4;
        for (std::size_t m = 0; m < members; ++m) {
            const std::uint64_t number = 1000 * (d + 1) + m;
            NewParticle p;
            p.position = centre + random.uniform3(number) * kCell;
            p.velocity = (random.uniform3(number + 500) - Vec3d{0.5, 0.5, 0.5}) * speed;
            p.volume = kCell * kCell * kCell / 8 * (d % 7 == 0 ? 3 : 1);
            particles.push_back(p);
        }
    }
    add_particles(state, particles);
    return state;
}

StepView view_of_step() {
    return {0, kDt, 0, {0, -9.81, 0}, 0};
}

/// Ids of those that fly.
std::set<std::uint64_t> flying(const LiquidState& state, const Vec3i& period,
                               const FreeFlight::Near& near = {}) {
    FreeFlight flight;
    const std::vector<std::uint8_t> flies{1};
    flight.find(state, kCell, period, view_of_step(), max_speed(state), flies, near);
    std::set<std::uint64_t> ids;
    for (const std::uint32_t p : flight.found()) ids.insert(state.id[p]);
    return ids;
}

/// The closest that two particles come along their straight paths, looked at often enough [cells].
double closest(const LiquidState& s, std::size_t p, std::size_t q, const Vec3i& period) {
    double least = 1e300;
    constexpr int kLooks = 400;
    for (int n = 0; n <= kLooks; ++n) {
        const Vec3d d = s.position[q] - s.position[p] + (s.velocity[q] - s.velocity[p]) * (kDt * n / kLooks);
        double far = 0;
        for (int a = 0; a < 3; ++a) {
            double x = d[a] / kCell;
            if (period[a] > 0) x -= period[a] * std::round(x / period[a]);
            far = std::max(far, std::abs(x));
        }
        least = std::min(least, far);
    }
    return least;
}

/// All pairs, and the smallest number of a piece spread until nothing changes.
std::set<std::uint64_t> flying_by_hand(const LiquidState& s, const Vec3i& period) {
    std::vector<std::size_t> label(s.size());
    std::iota(label.begin(), label.end(), std::size_t{0});
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t p = 0; p < s.size(); ++p)
        for (std::size_t q = p + 1; q < s.size(); ++q)
            if (closest(s, p, q, period) <= kTouch) pairs.emplace_back(p, q);
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [p, q] : pairs) {
            const std::size_t least = std::min(label[p], label[q]);
            changed |= label[p] != least || label[q] != least;
            label[p] = label[q] = least;
        }
    }
    std::set<std::uint64_t> ids;
    for (std::size_t p = 0; p < s.size(); ++p) {
        double volume = 0;
        std::size_t number = 0;
        for (std::size_t q = 0; q < s.size(); ++q)
            if (label[q] == label[p]) volume += s.volume[q], ++number;
        if (number <= kMostFlying && volume <= kMostFlyingVolume * kCell * kCell * kCell) ids.insert(s.id[p]);
    }
    return ids;
}

TEST(FreeFlight, PiecesAreThoseFoundByHand) {
    for (const double speed : {0.0, 3.0, 12.0}) {
        const LiquidState state = spray(150, 40, speed);
        const auto found = flying(state, {});
        EXPECT_EQ(found, flying_by_hand(state, {})) << speed;
        EXPECT_GT(found.size(), 20u) << speed;
        EXPECT_LT(found.size(), state.size() - 20) << speed;
    }
}

TEST(FreeFlight, PiecesReachAcrossPeriodicEnds) {
    const LiquidState state = spray(150, 40, 3);
    const Vec3i period{32, 0, 28};
    const auto found = flying(state, period);
    EXPECT_EQ(found, flying_by_hand(state, period));
    EXPECT_NE(found, flying(state, {}));
}

TEST(FreeFlight, TheOrderOfParticlesAndThreadsDoNotMatter) {
    const LiquidState state = spray(3000, 110, 3);
    LiquidState turned = state;
    for_particle_arrays(turned, [](auto& array) { std::reverse(array.begin(), array.end()); });
    const auto found = flying(state, {});
    EXPECT_GT(found.size(), 300u);
    EXPECT_EQ(found, flying(turned, {}));
    for (const int threads : {1, 2, 4}) with_threads(threads, [&] { EXPECT_EQ(found, flying(state, {})); });
}

TEST(FreeFlight, ABlockFullOfLiquidHoldsWhatComesNear) {
    LiquidState state;
    std::vector<NewParticle> particles;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            for (int k = 0; k < 8; ++k) {
                NewParticle p;
                p.position = Vec3d{i + 0.5, j + 0.5, k + 0.5} * (0.5 * kCell);
                p.volume = kCell * kCell * kCell / 8;
                particles.push_back(p);
            }
    NewParticle drop = particles[0];
    for (const double height : {5.5, 6.5, 7.5, 8.5}) {
        drop.position = Vec3d{2, height, 2} * kCell;
        std::vector<NewParticle> both = particles;
        both.push_back(drop);
        LiquidState still;
        add_particles(still, both);
        EXPECT_EQ(flying(still, {}).size(), height < 6.2 ? 0u : 1u) << height;
        // On its way down by 3 cells it is held earlier, and from the side of the liquid too.
        both.back().velocity = {0, -3 * kCell / kDt, 0};
        LiquidState falling;
        add_particles(falling, both);
        EXPECT_EQ(flying(falling, {}).size(), 0u) << height;
    }
}

TEST(FreeFlight, WhatIsNearSomethingIsHeldWithItsWholePiece) {
    LiquidState state;
    std::vector<NewParticle> particles(4);
    for (std::size_t i = 0; i < 4; ++i) {
        particles[i].position = Vec3d{1.9 * double(i < 3 ? i : 10), 0, 0} * kCell;
        particles[i].volume = 1e-8;
    }
    add_particles(state, particles);
    EXPECT_EQ(flying(state, {}).size(), 4u);
    const auto at_origin = [](const geometry::Bounds& path) { return path.contains({0, -1e-5, 0}); };
    EXPECT_EQ(flying(state, {}, at_origin), std::set<std::uint64_t>{3});
}

TEST(FreeFlight, MaterialsThatHoldTogetherDoNotFly) {
    LiquidState state;
    std::vector<NewParticle> particles(3);
    for (std::size_t i = 0; i < 3; ++i) {
        particles[i].position = Vec3d{i == 2 ? 9.0 : double(i), 0, 0} * kCell;
        particles[i].volume = 1e-8;
        particles[i].material = i == 1 ? 1 : 0;
    }
    add_particles(state, particles);
    FreeFlight flight;
    const std::vector<std::uint8_t> flies{1, 0};
    flight.find(state, kCell, {}, view_of_step(), 0, flies, {});
    ASSERT_EQ(flight.found().size(), 1u);
    EXPECT_EQ(flight.found()[0], 2u);
}

}  // namespace
}  // namespace rivulet::liquid
