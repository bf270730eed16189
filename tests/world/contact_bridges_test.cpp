#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rivulet/contact/detector.h>
#include <rivulet/scene/build.h>
#include <rivulet/world/contact_bridges.h>
#include <rivulet/world/stepper.h>

/// Liquid bridges in the step: what they add to what detection finds, how they live, how they hold.
namespace rivulet::world {
namespace {

/// Strands of radius 50 µm in weightlessness, each of eight edges of 1 mm, with 10 µm of liquid around.
std::string strand(const std::string& name, const std::string& origin, const std::string& along,
                   const std::string& thickness = "10 um") {
    return "[strands." + name + "]\nmaterial = \"human_hair\"\nradius = { root = \"50 um\" }\n" +
           "segment = \"1 mm\"\nroot = { type = \"free\" }\n" + "film = { liquid = \"wet\", thickness = \"" +
           thickness + "\" }\ngroom = { type = \"rows\", origin = \"" + origin + "\", direction = [" + along +
           "], length = \"8 mm\" }\n";
}

scene::Built scene_of(const std::string& rest, const std::string& liquid = "base = \"water\"",
                      const std::string& gravity = "0, 0, 0 m/s^2") {
    return scene::build(scene::read_scene_text(
        "format = 1\ntime = { fps = 1000, end = \"1 s\" }\n"
        "step = { max = \"1 ms\" }\nworld = { gravity = \"" +
            gravity + "\" }\n[material.wet]\ntype = \"liquid\"\n" + liquid + "\n" + rest,
        "test.toml", "."));
}

/// What detection finds and bridges add, with nothing moving.
struct Joined {
    std::vector<contact::Contact> contacts;
    std::vector<RowBridge> rows;
    std::size_t bridges() const {
        return std::size_t(
            std::count_if(rows.begin(), rows.end(), [](const RowBridge& r) { return r.joined; }));
    }
};
Joined join(const scene::Built& built, const contact::ContactState& last,
            const std::vector<double>& dryness = {}) {
    const strand::StrandState& s = built.world.strands;
    contact::StrandEdges edges;
    ContactBridges bridges(built.model);
    edges.prepare(s, 0, {}, {});
    edges.move(s, std::vector<Vec3d>(s.vertex_count()), 1e-3);
    bridges.begin(built.world.film, edges, dryness);
    contact::EdgeList list = edges.list(s);
    list.reach = bridges.reach();
    const contact::DetectionSettings settings;
    contact::Detector detector;
    Joined out;
    detector.detect(list, {}, settings, out.contacts);
    bridges.join(s, edges, {}, last, out.contacts, out.rows);
    return out;
}

/// One bridge between the edges that begin with these vertices.
contact::ContactState one_bridge(std::uint32_t edge, std::uint32_t other) {
    contact::ContactState s;
    s.edge = {edge}, s.other = {other}, s.kind = {0}, s.place = {0.5}, s.other_place = {0.5};
    s.normal = {Vec3d{0, 1, 0}}, s.impulse = {Vec3d{}}, s.bridge = {1}, s.step = 1e-3;
    return s;
}

TEST(ContactBridges, WetStrandsThatCrossAreStillGuardedWhereTheyCross) {
    const auto built =
        scene_of(strand("a", "-3.6, 0, 0 mm", "1, 0, 0") + strand("b", "0, 0.105, -3.6 mm", "0, 0, 1"));
    const Joined found = join(built, {});
    EXPECT_EQ(found.bridges(), 2u);
    int guards = 0;
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        if (found.rows[i].joined) continue;
        ++guards;
        const contact::Contact& c = found.contacts[i];
        EXPECT_NEAR(c.place_a, 0.6, 1e-9);
        EXPECT_NEAR(c.place_b, 0.6, 1e-9);
        EXPECT_NEAR(c.gap, 5e-6, 1e-9);
    }
    EXPECT_EQ(guards, 1);
    EXPECT_TRUE(std::is_sorted(found.contacts.begin(), found.contacts.end(),
                               [](const auto& x, const auto& y) { return x.key() < y.key(); }));
}

TEST(ContactBridges, WetStrandsThrownAcrossEachOtherDoNotPass) {
    auto built =
        scene_of(strand("a", "-3.7, 0, 0 mm", "1, 0, 0") + strand("b", "0.1, 0.4, -3.3 mm", "0.1, 0, 1"));
    strand::StrandState& s = built.world.strands;
    for (std::size_t v = s.begin(1); v < s.end(1); ++v) s.velocity[v] = {0, -1, 0};
    Stepper stepper(built.model);
    double least = 1;
    for (int k = 0; k < 30; ++k) {
        stepper.advance(built.world);
        const auto& now = built.world.strands;
        for (std::size_t i = now.begin(0); i + 1 < now.end(0); ++i)
            for (std::size_t j = now.begin(1); j + 1 < now.end(1); ++j) {
                const contact::NearestPlaces n =
                    contact::nearest_places({now.position[i], now.position[i + 1] - now.position[i]},
                                            {now.position[j], now.position[j + 1] - now.position[j]});
                least = std::min(least, length(n.between));
            }
    }
    EXPECT_GT(least, 0.9 * 100e-6);  // what every step is checked for
    EXPECT_LT(least, 1.2 * 100e-6);  // they did meet
}

TEST(ContactBridges, ABridgeMovesOnToTheNextEdgeAndNoFarther) {
    // Gap 25 µm: films (10 µm each) do not touch, a bridge reaches. The strands cross 20 µm beyond vertex 4.
    const auto built =
        scene_of(strand("a", "-4.02, 0, 0 mm", "1, 0, 0") + strand("b", "0, 0.125, -3.5 mm", "0, 0, 1"));
    const strand::StrandState& s = built.world.strands;
    const auto b = [&](std::uint32_t edge) { return std::uint32_t(s.begin(1)) + edge; };
    EXPECT_EQ(join(built, {}).bridges(), 0u);
    EXPECT_GT(join(built, one_bridge(4, b(3))).bridges(), 0u);
    EXPECT_GT(join(built, one_bridge(3, b(3))).bridges(), 0u);  // slid here from edge 3
    EXPECT_EQ(join(built, one_bridge(5, b(3))).bridges(),
              0u);  // the bridge does not reach that end of edge 4
    EXPECT_EQ(join(built, one_bridge(2, b(3))).bridges(), 0u);
    EXPECT_EQ(join(built, one_bridge(3, b(4))).bridges(), 0u);
}

TEST(ContactBridges, SlidesAlongAStrandWithoutDying) {
    auto built = scene_of(
        "[[contact.pair]]\nmaterials = [\"human_hair\", \"human_hair\"]\nfriction = { dry = 0, wet = 0 }\n" +
        strand("a", "-3, 0, 0 mm", "1, 0, 0") + strand("b", "0, 0.105, -3.5 mm", "0, 0, 1"));
    strand::StrandState& s = built.world.strands;
    for (std::size_t v = s.begin(1); v < s.end(1); ++v) s.velocity[v] = {0.1, 0, 0};
    Stepper stepper(built.model);
    std::uint32_t last_edge = 0;
    for (int k = 0; k < 30; ++k) {  // three edges
        stepper.advance(built.world);
        const contact::ContactState& c = built.world.contacts;
        ASSERT_GT(std::count(c.bridge.begin(), c.bridge.end(), 1), 0) << k;
        for (std::size_t i = 0; i < c.size(); ++i) last_edge = std::max(last_edge, c.edge[i]);
    }
    EXPECT_GE(last_edge, 4u);
}

/// How far and how fast a strand is below a ceiling that it sticks to with a yield-stress liquid.
struct Hanging {
    double fallen = 0, fastest_late = 0;
};
Hanging hang(const std::string& gravity) {
    auto built = scene_of(
        "[contact]\ntolerance = 1e-4\n[obstacle.ceiling]\nshape = { type = \"plane\", point = \"0, 0, 0 "
        "mm\", normal = [0, -1, 0] }\n" +
            strand("a", "-4, -0.075, 0 mm", "1, 0, 0", "30 um"),
        "density = \"1000 kg/m^3\"\nsurface_tension = \"1e-6 N/m\"\nyield_stress = \"20 Pa\"\n"
        "consistency = \"0.1 Pa*s^0.5\"\nflow_index = 0.5\nshear_modulus = \"300 Pa\"",
        gravity);
    const double start = built.world.strands.position[4].y;
    Stepper stepper(built.model);
    Hanging out;
    for (int k = 0; k < 100; ++k) {
        stepper.advance(built.world);
        const auto& s = built.world.strands;
        if (k >= 20)
            for (const Vec3d& v : s.velocity) out.fastest_late = std::max(out.fastest_late, length(v));
        out.fallen = start - s.position[4].y;
    }
    return out;
}

TEST(ContactBridges, WhatYieldStressHoldsStaysAndDoesNotFlicker) {
    // Weight 1.02e-4 N/m at 1 g; the liquid holds 2 · 20 Pa · wetted length, 100 to 300 µm: 4e-3 to 1.2e-2.
    const Hanging still = hang("0, -98.1, 0 m/s^2");
    EXPECT_LT(still.fallen, 1e-6);
    EXPECT_LT(still.fastest_late, 1e-3 * 98.1 * 1e-3);  // of what a step of fall would give
    EXPECT_GT(hang("0, -1962, 0 m/s^2").fallen, 1e-4);
}

TEST(ContactBridges, FadeUnderLiquid) {
    EXPECT_EQ(bridge_dryness(0), 0);
    EXPECT_EQ(bridge_dryness(1), 1);
    EXPECT_EQ(bridge_dryness(0.5), 0.5);
    EXPECT_LT(bridge_dryness(1e-3), 3.1e-6);  // no bend at the ends
    const auto built =
        scene_of(strand("a", "-4, 0, 0 mm", "1, 0, 0") + strand("b", "-4, 0.105, 0 mm", "1, 0, 0"));
    const std::size_t n = built.world.strands.vertex_count();
    const auto pull = [&](const std::vector<double>& dryness) {
        const Joined found = join(built, {}, dryness);
        double force = 0, wetted = 0;
        for (const RowBridge& r : found.rows) force += r.force, wetted += r.wetted;
        return std::pair{force, wetted};
    };
    const auto [air, wetted] = pull({});
    EXPECT_GT(std::abs(air), 0);
    EXPECT_EQ(pull(std::vector<double>(n, 1.0)).first, air);
    EXPECT_NEAR(pull(std::vector<double>(n, 0.3)).first / air, bridge_dryness(0.3), 1e-12);
    EXPECT_NEAR(pull(std::vector<double>(n, 0.3)).second / wetted, bridge_dryness(0.3), 1e-12);
    EXPECT_EQ(join(built, {}, std::vector<double>(n, 0.0)).bridges(), 0u);
}

TEST(ContactBridges, SurfacesUnderLiquidAreWet) {
    auto built = scene_of(strand("a", "-4, 0, 0 mm", "1, 0, 0") + strand("b", "-4, 1, 0 mm", "1, 0, 0"));
    std::fill(built.world.film.area.begin(), built.world.film.area.end(), 0.0);
    const strand::StrandState& s = built.world.strands;
    contact::StrandEdges edges;
    edges.prepare(s, 0, {}, {});
    ContactBridges bridges(built.model);
    bridges.begin(built.world.film, edges);
    EXPECT_EQ(bridges.wetness(0, 1), 0);
    std::vector<double> dryness(s.vertex_count(), 1.0);
    dryness[0] = dryness[1] = 0;
    bridges.begin(built.world.film, edges, dryness);
    EXPECT_EQ(bridges.wetness(0, 4), 1);
    EXPECT_EQ(bridges.wetness(4, 5), 0);
}

TEST(ContactBridges, KeepItsMemory) {
    const auto built =
        scene_of(strand("a", "-4, 0, 0 mm", "1, 0, 0") + strand("b", "-4, 0.105, 0 mm", "1, 0, 0"));
    const strand::StrandState& s = built.world.strands;
    contact::StrandEdges edges;
    ContactBridges bridges(built.model);
    edges.prepare(s, 0, {}, {});
    edges.move(s, std::vector<Vec3d>(s.vertex_count()), 1e-3);
    bridges.begin(built.world.film, edges);
    contact::EdgeList list = edges.list(s);
    list.reach = bridges.reach();
    const contact::DetectionSettings settings;
    contact::Detector detector;
    std::vector<contact::Contact> found;
    std::vector<RowBridge> rows;
    const auto once = [&] {
        detector.detect(list, {}, settings, found);
        bridges.begin(built.world.film, edges);
        bridges.join(s, edges, {}, {}, found, rows);
    };
    once(), once();
    const std::size_t held = bridges.memory();
    const auto* kept = rows.data();
    once();
    EXPECT_EQ(bridges.memory(), held);
    EXPECT_EQ(rows.data(), kept);
    EXPECT_GT(held, rows.size() * sizeof(RowBridge));
}

}  // namespace
}  // namespace rivulet::world
