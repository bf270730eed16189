#include <gtest/gtest.h>

#include <algorithm>

#include <rivulet/base/random.h>
#include <rivulet/contact/edge_pair.h>

namespace rivulet::contact {
namespace {

const Random kRandom(16, 1);

Vec3d point(std::uint64_t i, double size = 1) {
    return (kRandom.uniform3(i) * 2.0 - Vec3d{1, 1, 1}) * size;
}

/// Slow twin: the distance from the places of one segment to the other is convex; golden section.
double slow_distance(const Segment& a, const Segment& b) {
    const auto d = [&](double place) {
        const Vec3d p = a.at(place);
        return length(p - b.at(nearest_place(b, p)));
    };
    double from = 0, to = 1;
    for (int i = 0; i < 200; ++i) {
        const double x = from + (to - from) * 0.382, y = from + (to - from) * 0.618;
        (d(x) < d(y) ? to : from) = d(x) < d(y) ? y : x;
    }
    return std::min({d(0.5 * (from + to)), d(0), d(1)});
}

TEST(EdgePair, NearestPlacesEqualASlowSearch) {
    for (std::uint64_t i = 0; i < 3000; ++i) {
        Segment a{point(4 * i), point(4 * i + 1)};
        Segment b{point(4 * i + 2), point(4 * i + 3)};
        if (i % 4 == 1) b.along = a.along * (2 * kRandom.uniform(i) - 1);                      // parallel
        if (i % 4 == 2) b.along = a.along + point(i, std::pow(10, -12 * kRandom.uniform(i)));  // nearly
        if (i % 8 == 3) a.along = {};
        if (i % 24 == 3) b.along = {};
        const NearestPlaces p = nearest_places(a, b);
        EXPECT_LT(length(a.at(p.place_a) - b.at(p.place_b) - p.between), 1e-14);
        EXPECT_NEAR(length(p.between), slow_distance(a, b), 3e-8) << i;
        EXPECT_LE(length(p.between), slow_distance(a, b) + 1e-14) << i;
    }
}

TEST(EdgePair, CrossingEdgesHaveOnePlaceAndParallelOnesTheEndsOfTheirOverlap) {
    const Bearing bearing{0.3, 1e-6};
    const Segment a{{0, 0, 0}, {5e-3, 0, 0}};
    const Segment across{{2e-3, 1e-4, -3e-3}, {0, 0, 5e-3}};
    const BearingPlaces one = bearing_places(a, across, nearest_places(a, across), bearing);
    EXPECT_EQ(one.count, 1);
    EXPECT_NEAR(one.place_a[0], 0.4, 1e-12);
    EXPECT_NEAR(one.place_b[0], 0.6, 1e-12);
    const Segment beside{{7e-3, 1e-4, 0}, {-5e-3, 0, 0}};
    const BearingPlaces two = bearing_places(a, beside, nearest_places(a, beside), bearing);
    ASSERT_EQ(two.count, 2);
    EXPECT_NEAR(two.place_a[0], 0.4, 1e-12);
    EXPECT_NEAR(two.place_b[0], 1.0, 1e-12);
    EXPECT_NEAR(two.place_a[1], 1.0, 1e-12);
    EXPECT_NEAR(two.place_b[1], 0.4, 1e-12);
    EXPECT_EQ(two.share[0] + two.share[1], 1);
}

/// Two places always; one place counts twice.
struct Ends {
    double a[2], b[2];
};
Ends ends_of(const Segment& a, const Segment& b) {
    const BearingPlaces p = bearing_places(a, b, nearest_places(a, b), {0.3, 1e-6});
    const int last = p.count - 1;
    return {{p.place_a[0], p.place_a[last]}, {p.place_b[0], p.place_b[last]}};
}
double change(const Ends& x, const Ends& y) {
    double most = 0;
    for (int i = 0; i < 2; ++i) most = std::max({most, std::abs(x.a[i] - y.a[i]), std::abs(x.b[i] - y.b[i])});
    return most;
}

/// Steepest change of the places while `pair(x)` is swept over [from, to]; then again 10 times finer about
/// the steepest place: a jump does not shrink.
template <class PairAt>
double jump(double from, double to, PairAt&& pair_at) {
    const int steps = 2000;
    double largest = 0;
    for (int level = 0; level < 5; ++level) {
        largest = 0;
        double where = from;
        const double h = (to - from) / steps;
        for (int i = 0; i < steps; ++i) {
            const auto p = pair_at(from + h * i), q = pair_at(from + h * (i + 1));
            const double c = change(ends_of(p.first, p.second), ends_of(q.first, q.second));
            if (c > largest) largest = c, where = from + h * i;
        }
        from = where - 50 * h, to = where + 50 * h;
    }
    return largest;
}

TEST(EdgePair, PlacesDoNotJumpAsEdgesTurn) {
    const Segment a{{0, 0, 0}, {5e-3, 0, 0}};
    for (int tilt = 0; tilt < 5; ++tilt)
        for (double offset : {-4e-3, -1e-3, 0.0, 2e-3}) {
            const double lift = 0.02 * (tilt - 2);
            const double largest = jump(-0.6, 0.6, [&](double angle) {
                const Vec3d along{5e-3 * std::cos(angle), 5e-3 * lift * std::sin(angle),
                                  5e-3 * std::sin(angle)};
                return std::pair(a, Segment{Vec3d{2.5e-3 + offset, 1.05e-4, 0} - along * 0.5, along});
            });
            EXPECT_LT(largest, 0.01) << tilt << " " << offset;
        }
}

TEST(EdgePair, PlacesDoNotJumpAsEdgesRockOrSlide) {
    const Segment a{{0, 0, 0}, {5e-3, 0, 0}};
    const double rocking = jump(-0.1, 0.1, [&](double angle) {
        const Vec3d along{5e-3 * std::cos(angle), 5e-3 * std::sin(angle), 0};
        return std::pair(a, Segment{Vec3d{3e-3, 4e-4, 0} - along * 0.5, along});
    });
    EXPECT_LT(rocking, 0.01);
    for (double angle : {0.0, 1e-4, 0.01, 0.29, 0.31, 1.5}) {
        const double sliding = jump(-8e-3, 8e-3, [&](double x) {
            const Vec3d along{5e-3 * std::cos(angle), 0, 5e-3 * std::sin(angle)};
            return std::pair(a, Segment{Vec3d{x, 1.05e-4, 0}, along});
        });
        EXPECT_LT(sliding, 0.01) << angle;
    }
}

TEST(EdgePair, PlacesLieWithinTheDepthOfTheNearest) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const Segment a{point(7 * i, 1e-3), point(7 * i + 1, 5e-3)};
        Segment b{point(7 * i + 2, 1e-3), point(7 * i + 3, 5e-3)};
        if (i % 2) b.along = a.along + point(7 * i + 4, 1e-3 * kRandom.uniform(i));
        const NearestPlaces p = nearest_places(a, b);
        const BearingPlaces q = bearing_places(a, b, p, {0.3, 1e-6});
        for (int k = 0; k < q.count; ++k) {
            const double d = length(a.at(q.place_a[k]) - b.at(q.place_b[k]));
            EXPECT_LE(d, length(p.between) + 1e-6 + 1e-12) << i;
        }
    }
}

}  // namespace
}  // namespace rivulet::contact
