#include <gtest/gtest.h>

#include <atomic>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/contact/moving_pairs.h>

namespace rivulet::contact {
namespace {

constexpr double kTouch = 100e-6;
const Reach kReach{kTouch, 20e-6, 1e-3 * kTouch};

struct Draw {
    Random random;
    std::uint64_t next = 0;
    explicit Draw(std::uint64_t stream) : random(7, stream) {}
    double in(double from, double to) { return random.uniform(next++, from, to); }
    Vec3d box(double size) { return (random.uniform3(next++) * 2.0 - Vec3d{1, 1, 1}) * size; }
    Vec3d direction() { return random.direction(next++); }
};

template <int N>
Moving<N> some(Draw& draw, double size, double speed) {
    Moving<N> m;
    const Vec3d centre = draw.box(size), shift = draw.direction() * (draw.in(0, speed) * 1e-3);
    for (int i = 0; i < N; ++i) {
        m.at[i] = centre + draw.direction() * (0.5 * size);
        m.shift[i] = shift + draw.direction() * (draw.in(0, 1) * draw.in(0, 1) * speed * 1e-3);
    }
    return m;
}

/// Slow twin: least distance over the step, by samples and again 100 times finer about the best ones; what
/// is passed over between samples is bounded by the speed.
template <int NA, int NB, class Find>
double sampled_distance(const Moving<NA>& a, const Moving<NB>& b, Find&& nearest, int samples, double until) {
    const auto d = [&](double s) { return length(nearest(a.positions(s), b.positions(s)).between); };
    double least = d(0), where = 0;
    for (int i = 1; i <= samples; ++i) {
        const double s = until * i / samples, now = d(s);
        if (now < least) least = now, where = s;
    }
    const double h = until / samples;
    for (int i = -100; i <= 100; ++i) {
        const double s = where + h * i / 100;
        if (s >= 0 && s <= until) least = std::min(least, d(s));
    }
    return least;
}

/// Pairs that were called hit because the work ran out.
std::atomic<int> unproven{0};

/// Both ways: what the twin sees near is reported, what is reported is near, and nothing is nearer than touch
/// before the time of impact.
template <int NA, int NB, class Find>
void compare(const Moving<NA>& a, const Moving<NB>& b, Find&& nearest, int samples, std::uint64_t which) {
    const Approach<NA, NB> found = approach(a, b, kReach, nearest);
    const double least = sampled_distance(a, b, nearest, samples, 1);
    if (least <= kTouch) {
        ASSERT_TRUE(found.hit) << which;
    }
    if (least <= kTouch + kReach.margin) {
        ASSERT_TRUE(found.near) << which;
    }
    if (!found.near) return;
    const auto pa = a.positions(found.time);
    const auto pb = b.positions(found.time);
    Vec3d between;
    for (int i = 0; i < NA; ++i) between += pa[i] * found.places.weight_a[i];
    for (int j = 0; j < NB; ++j) between -= pb[j] * found.places.weight_b[j];
    ASSERT_NEAR(length(between), found.distance, 1e-12);
    if (found.hit && found.distance > kTouch + kReach.tolerance) {
        ++unproven;
        return;
    }
    ASSERT_LE(found.distance, kTouch + kReach.margin + 2 * kReach.tolerance) << which;
    if (!found.hit) return;
    if (found.time > 0) {
        ASSERT_GE(found.distance, kTouch - 1e-12) << which;
        ASSERT_GE(sampled_distance(a, b, nearest, samples, found.time), kTouch - 1e-12) << which;
    }
}

TEST(Approach, FastEdgesNeverPassUnseen) {
    unproven = 0;
    parallel_for(100000, [&](std::size_t i) {
        Draw draw(i);
        const MovingEdge a = some<2>(draw, 5e-3, 50), b = some<2>(draw, 5e-3, 50);
        compare(a, b, nearest_of_edges, 60, i);
    });
    EXPECT_LE(unproven, 10);
}

/// Edges whose axes cross: signed volumes of opposite sign at start and end, and an exact root between. The
/// crossing must be seen, before it happens.
TEST(Approach, ExactCrossingsOfAxesAreSeenBeforeTheyHappen) {
    const auto volume = [](const MovingEdge& a, const MovingEdge& b, double s) {
        const auto p = a.positions(s);
        const auto q = b.positions(s);
        return dot(cross(p[1] - p[0], q[1] - q[0]), q[0] - p[0]);
    };
    int crossings = 0;
    for (std::uint64_t i = 0; i < 60000; ++i) {
        Draw draw(1000000 + i);
        const MovingEdge a = some<2>(draw, 5e-3, 50), b = some<2>(draw, 5e-3, 50);
        // The volume is a cubic of time: its roots by signs between samples and bisection.
        double first = 2;
        for (int k = 0; k < 24 && first > 1; ++k) {
            double from = k / 24.0, to = (k + 1) / 24.0;
            if (volume(a, b, from) * volume(a, b, to) >= 0) continue;
            for (int h = 0; h < 60; ++h) {
                const double mid = 0.5 * (from + to);
                (volume(a, b, from) * volume(a, b, mid) > 0 ? from : to) = mid;
            }
            if (length(nearest_of_edges(a.positions(from), b.positions(from)).between) < 1e-9) first = from;
        }
        if (first > 1) continue;
        ++crossings;
        const Approach<2, 2> found = approach_of_edges(a, b, kReach);
        ASSERT_TRUE(found.hit) << i;
        ASSERT_LE(found.time, first) << i;
    }
    EXPECT_GT(crossings, 1000);
}

TEST(Approach, FewPairsTakeAllTheStepsTheyMay) {
    int spent = 0, hits = 0;
    for (std::uint64_t i = 0; i < 50000; ++i) {
        Draw draw(i);
        const MovingEdge a = some<2>(draw, 5e-3, 50), b = some<2>(draw, 5e-3, 50);
        int steps = 0;
        const auto counted = [&](const std::array<Vec3d, 2>& p, const std::array<Vec3d, 2>& q) {
            ++steps;
            return nearest_of_edges(p, q);
        };
        hits += approach(a, b, kReach, counted).hit;
        spent += steps > kMostApproachSteps;
    }
    EXPECT_GT(hits, 1500);
    EXPECT_LE(spent, hits / 200);
}

TEST(Approach, WorstCasesEnd) {
    const MovingEdge rest{{Vec3d{0, 0, 0}, Vec3d{5e-3, 0, 0}}, {}};
    // Grazing: slides along at the touching distance, and a hair above it.
    for (double above : {0.0, 1e-9, 1e-7, 2e-7, 1e-6}) {
        const MovingEdge along{{Vec3d{-0.05, kTouch + above, 0}, Vec3d{-0.05, kTouch + above, 5e-3}},
                               {Vec3d{0.1, 0, 0}, Vec3d{0.1, 0, 0}}};
        const Approach<2, 2> found = approach_of_edges(along, rest, kReach);
        EXPECT_TRUE(found.near);
        EXPECT_EQ(found.hit, above <= kReach.tolerance) << above;
    }
    // Parallel, falling on it; identical; two points in one place.
    const MovingEdge falls{{Vec3d{0, 1e-2, 0}, Vec3d{5e-3, 1e-2, 0}},
                           {Vec3d{0, -0.05, 0}, Vec3d{0, -0.05, 0}}};
    const Approach<2, 2> on_it = approach_of_edges(falls, rest, kReach);
    EXPECT_TRUE(on_it.hit);
    EXPECT_NEAR(on_it.time, (1e-2 - kTouch) / 0.05, 1e-5);
    EXPECT_TRUE(approach_of_edges(rest, rest, kReach).hit);
    EXPECT_EQ(approach_of_edges(rest, rest, kReach).time, 0);
    const MovingEdge dot{};
    EXPECT_TRUE(approach_of_edges(dot, dot, kReach).hit);
    // Spinning in place, ends swapped: shrinks through a point.
    const MovingEdge swaps{{Vec3d{0, 2e-4, 0}, Vec3d{5e-3, 2e-4, 0}},
                           {Vec3d{5e-3, 0, 0}, Vec3d{-5e-3, 0, 0}}};
    EXPECT_FALSE(approach_of_edges(swaps, rest, kReach).near);
}

TEST(Approach, VerticesAndEdgesNeverPassTriangles) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
        Draw draw(2000000 + i);
        const MovingTriangle t = some<3>(draw, 5e-3, 20);
        compare(some<1>(draw, 5e-3, 50), t, nearest_of_vertex_and_triangle, 60, i);
        if (i % 4 == 0) compare(some<2>(draw, 5e-3, 50), t, nearest_of_edge_and_triangle, 60, i);
        if (HasFatalFailure()) return;
    }
}

TEST(Approach, VertexStopsAboveTheTriangleItFallsOn) {
    const MovingTriangle t{{Vec3d{0, 0, 0}, Vec3d{0, 0, 1e-2}, Vec3d{1e-2, 0, 0}}, {}};
    const MovingPoint p{{Vec3d{2e-3, 1e-2, 3e-3}}, {Vec3d{0, -0.02, 0}}};
    const Approach<1, 3> found = approach_of_vertex_and_triangle(p, t, kReach);
    ASSERT_TRUE(found.hit);
    EXPECT_NEAR(found.time, (1e-2 - kTouch) / 0.02, 1e-5);
    EXPECT_NEAR(found.places.weight_b[1], 0.3, 1e-12);
    EXPECT_NEAR(found.places.weight_b[2], 0.2, 1e-12);
    EXPECT_NEAR(found.places.between.y, kTouch, 2e-7);
}

}  // namespace
}  // namespace rivulet::contact
