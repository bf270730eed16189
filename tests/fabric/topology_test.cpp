#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/fabric/sheet.h>
#include <rivulet/fabric/topology.h>

namespace rivulet::fabric {
namespace {

double area(const Sheet& s, const Vec3d& facing) {
    double twice = 0;
    for (const Vec3i& t : s.triangle) {
        const auto at = [&](int i) { return s.position[std::size_t(t[i])]; };
        twice += dot(cross(at(1) - at(0), at(2) - at(0)), facing);
    }
    return 0.5 * twice;
}

std::string fault_of(const Sheet& s) {
    const auto fault = find_fault(s.position, s.triangle);
    return fault ? fault->message : "";
}

TEST(Sheets, AreSoundAndOfTheirSize) {
    for (const Cut cut : {Cut::along, Cut::crossed, Cut::random}) {
        const Sheet r = rectangle(0.3, 0.2, 0.021, cut);
        EXPECT_EQ(fault_of(r), "");
        EXPECT_NEAR(area(r, {0, 0, 1}), 0.06, 1e-14);
        for (const double spacing : {0.2, 0.1, 0.013}) {
            const Sheet d = disc(0.2, spacing, cut);
            EXPECT_EQ(fault_of(d), "");
            const double sides = 6 * std::max(1.0, std::round(0.2 / spacing));
            EXPECT_NEAR(area(d, {0, 0, 1}), 0.5 * sides * 0.04 * std::sin(2 * std::numbers::pi / sides),
                        1e-12);
        }
    }
    const Sheet t = tube(0.1, 0.3, 0.02);
    EXPECT_EQ(fault_of(t), "");
    const Topology topology = make_topology(t.position.size(), t.triangle);
    EXPECT_EQ(std::ptrdiff_t(topology.vertices) - std::ptrdiff_t(topology.edges()) +
                  std::ptrdiff_t(topology.triangles()),
              0);  // Euler characteristic of an open tube
}

TEST(Topology, EdgesKnowTheirTriangles) {
    const Sheet s = rectangle(1, 1, 0.25);
    const Topology t = make_topology(s.position.size(), s.triangle);
    EXPECT_EQ(t.vertices + t.triangles() - t.edges(), 1u);
    for (std::size_t e = 0; e < t.edges(); ++e) {
        EXPECT_LT(t.edge[e][0], t.edge[e][1]);
        for (const int k : t.edge_triangle[e])
            if (k >= 0) {
                const Vec3i& of = t.triangle_edge[std::size_t(k)];
                EXPECT_TRUE(of.x == int(e) || of.y == int(e) || of.z == int(e));
            }
    }
    for (std::size_t k = 0; k < t.triangles(); ++k)
        for (int i = 0; i < 3; ++i) {
            const auto& e = t.edge[std::size_t(t.triangle_edge[k][i])];
            const bool forward = t.forward[k][std::size_t(i)] > 0;
            EXPECT_EQ(e[forward ? 0 : 1], t.triangle[k][(i + 1) % 3]);
            EXPECT_EQ(e[forward ? 1 : 0], t.triangle[k][(i + 2) % 3]);
        }
}

TEST(Topology, FaultsAreNamed) {
    const Sheet good = rectangle(1, 1, 0.5);
    const auto with = [&](const Vec3i& t) {
        Sheet s = good;
        s.triangle.push_back(t);
        return fault_of(s);
    };
    EXPECT_NE(with({0, 1, 99}).find("corner 99"), std::string::npos);
    EXPECT_NE(with({0, 1, 1}).find("vertex 1 twice"), std::string::npos);
    EXPECT_NE(with({0, 1, 2}).find("degenerate"), std::string::npos);
    EXPECT_NE(with(good.triangle[3]).find("three triangles"), std::string::npos);
    Sheet twice;
    twice.position = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    twice.triangle = {{0, 1, 2}, {2, 1, 0}};
    EXPECT_EQ(fault_of(twice), "triangles 0 and 1 have the same corners");
    Sheet turned = good;
    std::swap(turned.triangle[0].x, turned.triangle[0].y);
    EXPECT_NE(fault_of(turned).find("face different ways"), std::string::npos);
    Sheet third = good;
    third.position.push_back({0, 0, 1});
    third.triangle.push_back({4, 1, 9});
    EXPECT_NE(fault_of(third).find("three triangles"), std::string::npos);
    Sheet lone = good;
    lone.position.push_back({5, 5, 5});
    EXPECT_NE(fault_of(lone).find("vertex 9 belongs to no triangle"), std::string::npos);
    EXPECT_EQ(fault_of({}), "has no triangles");
}

}  // namespace
}  // namespace rivulet::fabric
