#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rivulet/contact/detector.h>
#include <rivulet/contact/repeats.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/strand/make.h>

namespace rivulet::contact {
namespace {

constexpr double kRadius = 50e-6, kSegment = 2e-3;

/// Two strands of 11 vertices that just touch, the second one shifted along by this part of a segment and
/// turned by this angle.
std::vector<Contact> side_by_side(double shift, double angle) {
    strand::Curves curves;
    for (int k = 0; k < 2; ++k) {
        std::vector<Vec3d> points;
        for (int i = 0; i < 11; ++i) {
            const double x = (i + k * shift) * kSegment;
            points.push_back({x, 2 * kRadius * k, k * (x - 4.6 * kSegment) * angle});
        }
        curves.add_strand(points, std::vector<double>(points.size(), kRadius));
    }
    strand::MakeOptions options;
    options.root = strand::EndKind::free;
    const strand::StrandState state = strand::make_strands(curves, options);
    StrandEdges edges;
    edges.prepare(state, 0, {}, {});
    edges.move(state, state.velocity, 1e-3);
    std::vector<Contact> found;
    DetectionSettings settings;
    settings.margin = 0.1 * kRadius;
    Detector().detect(edges.list(state), {}, settings, found);
    return found;
}

/// Every place that detection has found is that of a contact which is kept, and no two kept ones are at one.
void expect_each_place_once(const std::vector<Contact>& found) {
    const auto near = [](const Contact& c, const Contact& d) {
        const auto a = [](const Contact& e) { return double(e.edge_a) + e.place_a; };
        const auto b = [](const Contact& e) { return double(e.edge_b) + e.place_b; };
        return std::abs(a(c) - a(d)) < 0.05 && std::abs(b(c) - b(d)) < 0.05;
    };
    for (const Contact& c : found) {
        int kept = 0;
        for (const Contact& d : found) kept += !d.repeats && near(c, d);
        EXPECT_EQ(kept, 1) << c.edge_a << " + " << c.place_a << ", " << c.edge_b << " + " << c.place_b;
    }
}

TEST(Repeats, VerticesBesideVerticesAreFoundFourTimesAndKeptOnce) {
    const std::vector<Contact> found = side_by_side(0, 0);
    expect_each_place_once(found);
    const auto kept = std::count_if(found.begin(), found.end(), [](const Contact& c) { return !c.repeats; });
    EXPECT_EQ(kept, 11);
    EXPECT_EQ(found.size(), 2 + 9 * 4u) << "ends, and four pairs of edges at each inner vertex";
}

TEST(Repeats, VerticesBesideEdgesAreKeptOnce) {
    const std::vector<Contact> found = side_by_side(0.4, 0);
    expect_each_place_once(found);
    const auto kept = std::count_if(found.begin(), found.end(), [](const Contact& c) { return !c.repeats; });
    EXPECT_EQ(kept, 20) << "ten vertices of either beside the other";
}

TEST(Repeats, CrossingsAreKept) {
    const std::vector<Contact> found = side_by_side(0.3, 1.2);
    ASSERT_FALSE(found.empty());
    for (const Contact& c : found) EXPECT_FALSE(c.repeats);
}

TEST(Repeats, NormalsThatDifferAreKept) {
    std::vector<Contact> found = side_by_side(0, 0);
    for (Contact& c : found)
        if (c.edge_a % 2 == 1) c.normal = normalized(c.normal + Vec3d{0, 0, 0.1});
    strand::Curves curves;
    for (int k = 0; k < 2; ++k) {
        std::vector<Vec3d> points;
        for (int i = 0; i < 11; ++i) points.push_back({i * kSegment, 2 * kRadius * k, 0});
        curves.add_strand(points, std::vector<double>(points.size(), kRadius));
    }
    const strand::StrandState state = strand::make_strands(curves);
    StrandEdges edges;
    edges.prepare(state, 0, {}, {});
    edges.move(state, state.velocity, 1e-3);
    mark_repeats(edges.list(state), found);
    const auto kept = std::count_if(found.begin(), found.end(), [](const Contact& c) { return !c.repeats; });
    EXPECT_EQ(kept, 20) << "an inner vertex twice: by the edge before and the edge after it";
}

}  // namespace
}  // namespace rivulet::contact
