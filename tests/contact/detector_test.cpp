#include <gtest/gtest.h>

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/contact/detector.h>

namespace rivulet::contact {
namespace {

using geometry::PoseInterval;
using geometry::Shape;
using geometry::Solid;
using geometry::SolidField;

/// Strands of equal numbers of vertices with all that a list needs.
struct Hair {
    std::vector<Vec3d> start, end;
    std::vector<std::array<std::uint32_t, 2>> vertices;
    std::vector<double> radius, arc_from, arc_to;
    std::vector<std::uint32_t> owner, index;
    std::vector<std::int32_t> grows_from;
    std::vector<std::uint8_t> held;

    void add(std::span<const Vec3d> from, std::span<const Vec3d> to, double r) {
        const auto first = static_cast<std::uint32_t>(start.size());
        const std::uint32_t strand = owner.empty() ? 0 : owner.back() + 1;
        double arc = 0;
        for (std::uint32_t i = 0; i + 1 < from.size(); ++i) {
            const double l = length(from[i + 1] - from[i]);
            vertices.push_back({first + i, first + i + 1});
            radius.push_back(r), owner.push_back(strand), index.push_back(i);
            arc_from.push_back(arc), arc_to.push_back(arc += l);
            grows_from.push_back(-1), held.push_back(0);
        }
        start.insert(start.end(), from.begin(), from.end());
        end.insert(end.end(), to.begin(), to.end());
    }
    EdgeList list() const {
        return {start, end, vertices, radius, owner, index, arc_from, arc_to, grows_from, held};
    }
};

Hair tangle(std::uint64_t seed, std::size_t strands, double size, double speed) {
    Hair hair;
    const Vec3d drift{0.02, -0.01, 0.005};
    for (std::size_t s = 0; s < strands; ++s) {
        const Random random(seed, s);
        std::vector<Vec3d> from{random.uniform3(0) * size}, to;
        Vec3d direction = random.direction(1);
        for (std::uint64_t i = 0; i < 9; ++i) {
            direction = normalized(direction + random.direction(i + 2) * 0.5);
            from.push_back(from.back() + direction * 3e-3);
        }
        const Vec3d shift = drift + random.direction(20) * (speed * 1e-3 * random.uniform(21));
        for (std::uint64_t i = 0; i < from.size(); ++i)
            to.push_back(from[i] + shift + random.direction(30 + i) * 5e-4);
        hair.add(from, to, 50e-6);
    }
    return hair;
}
SolidField solids() {
    const auto of = [](Shape::Part part, const Vec3d& shift, int obstacle) {
        auto shape = std::make_shared<Shape>(std::vector<Shape::Part>{part});
        const PoseInterval motion({}, {Mat3d::identity(), shift}, {});
        return Solid{shape, nullptr, false, motion, obstacle};
    };
    std::vector<Solid> all;
    all.push_back(of(geometry::HalfSpace{{0, 1e-3, 0}, {0, 1, 0}}, {}, 0));
    all.push_back(of(geometry::Sphere{{7e-3, 7e-3, 7e-3}, 2e-3}, {1e-3, 0, 0}, 1));
    all.push_back(of(geometry::Capsule{{0, 5e-3, 5e-3}, {2e-2, 5e-3, 4e-3}, 1e-4}, {0, 2e-3, 0}, 2));
    return SolidField(std::move(all), 1e-3);
}

bool same(const Contact& a, const Contact& b) {
    return a.key() == b.key() && a.owner_a == b.owner_a && a.owner_b == b.owner_b && a.hit == b.hit &&
           a.place_b == b.place_b && a.share == b.share && a.gap == b.gap && a.time == b.time &&
           a.normal == b.normal && a.velocity == b.velocity;
}
bool same(const std::vector<Contact>& a, const std::vector<Contact>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                              [](const Contact& x, const Contact& y) { return same(x, y); });
}

/// Slow twin: every two edges, no boxes.
std::vector<Contact> all_against_all(const EdgeList& e, DetectionSettings settings) {
    std::vector<Contact> out;
    const double margin = settings.margin;
    for (std::uint32_t a = 0; a < e.size(); ++a)
        for (std::uint32_t b = a + 1; b < e.size(); ++b) {
            const double touch = e.radius[a] + e.radius[b];
            settings.margin = std::max(margin, e.reach_of(a) + e.reach_of(b));
            if (!may_meet(e, a, b, touch + settings.margin)) continue;
            Contact found[2];
            const int count = contacts_of_edges(e.moving(a), e.moving(b), touch, settings, found);
            for (int i = 0; i < count; ++i) {
                found[i].edge_a = a, found[i].edge_b = b;
                found[i].owner_a = e.owner[a], found[i].owner_b = e.owner[b];
                out.push_back(found[i]);
            }
        }
    std::sort(out.begin(), out.end(), [](const Contact& x, const Contact& y) { return x.key() < y.key(); });
    return out;
}

TEST(Detector, EqualsAllAgainstAll) {
    Detector detector;
    std::vector<Contact> found;
    std::size_t contacts = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Hair hair = tangle(seed, 5 + 2 * seed, 1e-2, seed % 3 == 0 ? 50 : 2);
        for (std::size_t i = 0; i < hair.held.size(); i += 9) hair.held[i] = 1;
        const DetectionSettings settings{seed % 2 ? 5e-5 : 0.0};
        detector.detect(hair.list(), {}, settings, found);
        EXPECT_TRUE(same(found, all_against_all(hair.list(), settings))) << seed;
        contacts += found.size();
    }
    EXPECT_GT(contacts, 500u);
}

TEST(Detector, LiquidReachesFromWetEdgesOnly) {
    const Hair hair = tangle(7, 40, 1e-2, 2);
    std::vector<double> reach(hair.radius.size(), 0.0);
    for (std::size_t e = 0; e < reach.size(); e += 5) reach[e] = 1e-3 * Random(3, e).uniform(0);
    EdgeList list = hair.list();
    const DetectionSettings settings{2e-5};
    Detector detector;
    std::vector<Contact> dry, wet;
    detector.detect(list, {}, settings, dry);
    const std::size_t tested = detector.tested_pairs();
    list.reach = reach;
    detector.detect(list, {}, settings, wet);
    EXPECT_TRUE(same(wet, all_against_all(list, settings)));
    EXPECT_GT(wet.size(), dry.size() + 10);
    const std::size_t own = detector.tested_pairs();
    detector.detect(hair.list(), {}, {2e-3}, wet);  // all as far as the farthest two
    EXPECT_GT(own, tested);
    EXPECT_LT(3 * own, detector.tested_pairs());
}

TEST(Detector, SameBitsForAnyNumberOfThreads) {
    const Hair hair = tangle(99, 400, 1e-2, 5);
    std::vector<Contact> first;
    for (int threads : {1, 2, 4}) {
        std::vector<Contact> found;
        Detector detector;
        with_threads(threads, [&] { detector.detect(hair.list(), solids(), {2e-5}, found); });
        if (threads == 1) first = found;
        EXPECT_TRUE(same(found, first)) << threads;
    }
    int kinds[3] = {0, 0, 0};
    for (const Contact& c : first) ++kinds[int(c.kind)];
    for (int k : kinds) EXPECT_GT(k, 20);
}

/// Motion that obeys every contact's inequality at its places passes no axis through the other at the end:
/// the gap along the normal is that of the start plus what the motion adds.
TEST(Detector, GapsAndMotionGiveTheDistanceAtTheEnd) {
    const Hair hair = tangle(5, 100, 1e-2, 5);
    const EdgeList e = hair.list();
    std::vector<Contact> found;
    const SolidField walls = solids();
    Detector().detect(e, walls, {2e-5}, found);
    for (const Contact& c : found) {
        EXPECT_NEAR(length(c.normal), 1, 1e-12);
        const auto place = [&](std::uint32_t edge, double w, double s) {
            const auto p = e.moving(edge).positions(s);
            return p[0] + (p[1] - p[0]) * w;
        };
        if (c.kind == ContactKind::edge_edge) {
            const Vec3d at_time = place(c.edge_a, c.place_a, c.time) - place(c.edge_b, c.place_b, c.time);
            const Vec3d at_start = place(c.edge_a, c.place_a, 0) - place(c.edge_b, c.place_b, 0);
            EXPECT_NEAR(dot(c.normal, at_start) - 1e-4, c.gap, 1e-12);
            EXPECT_GT(dot(c.normal, at_time), 0) << "the side of the start";
        } else if (c.time > 0) {
            const Vec3d motion = place(c.edge_a, c.place_a, 1) - place(c.edge_a, c.place_a, 0);
            const double then = c.gap + c.time * dot(c.normal, motion - c.velocity * walls.dt());
            const double d = walls.distance_to(c.edge_b, place(c.edge_a, c.place_a, c.time), c.time) - 50e-6;
            EXPECT_NEAR(then, d, 1e-9);
        }
    }
}

TEST(Detector, StrandsDoNotMeetThemselvesNorWhatTheyGrowFrom) {
    std::vector<Vec3d> x;
    for (int i = 0; i < 20; ++i) x.push_back({0, 1e-5 + 1e-4 * i, 0});
    Hair hair;
    hair.add(x, x, 50e-6);
    std::vector<Contact> found;
    const auto floor = [] {
        std::vector<Solid> all;
        all.push_back({std::make_shared<Shape>(std::vector<Shape::Part>{geometry::HalfSpace{{}, {0, 1, 0}}}),
                       nullptr, false, PoseInterval{}, 4});
        return SolidField(std::move(all), 1e-3);
    }();
    Detector detector;
    detector.detect(hair.list(), floor, {2e-5}, found);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, ContactKind::vertex_wall);
    hair.held[0] = 1;
    hair.grows_from[0] = hair.grows_from[1] = 4;
    detector.detect(hair.list(), floor, {2e-5}, found);
    EXPECT_TRUE(found.empty());
}

TEST(Detector, AFastLongEdgeAmongManyTakesLittleMemory) {
    Hair hair = tangle(3, 11000, 0.1, 1);
    Detector plain, with_long;
    std::vector<Contact> found;
    plain.detect(hair.list(), {}, {0}, found);
    const std::vector<Vec3d> from{{-0.5, -5, 0.05}, {0.5, -5, 0.05}}, to{{-0.5, 5, 0.05}, {0.5, 5, 0.06}};
    hair.add(from, to, 50e-6);
    std::vector<Contact> more;
    with_long.detect(hair.list(), {}, {0}, more);
    EXPECT_GT(more.size(), found.size());
    EXPECT_LT(double(with_long.memory()), 1.2 * double(plain.memory()) + 1e6);
    EXPECT_LT(with_long.tested_pairs(), plain.tested_pairs() + hair.vertices.size());
}

TEST(Detector, MemoryIsKeptBetweenSteps) {
    const Hair hair = tangle(8, 300, 1e-2, 5);
    Detector detector;
    std::vector<Contact> found;
    detector.detect(hair.list(), solids(), {2e-5}, found);
    const std::size_t memory = detector.memory();
    const Contact* where = found.data();
    detector.detect(hair.list(), solids(), {2e-5}, found);
    EXPECT_EQ(detector.memory(), memory);
    EXPECT_EQ(found.data(), where);
}

}  // namespace
}  // namespace rivulet::contact
