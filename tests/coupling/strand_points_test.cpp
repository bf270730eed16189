#include <gtest/gtest.h>

#include <numbers>

#include <rivulet/coupling/strand_points.h>
#include <rivulet/strand/mass.h>

namespace rivulet::coupling {
namespace {

/// Two strands: one of three edges of different length, one of a single long edge.
strand::StrandState two_strands() {
    strand::StrandState s;
    s.position = {{0, 0, 0}, {0.01, 0, 0}, {0.01, 0.05, 0}, {0.01, 0.05, 0.002}, {1, 0, 0}, {1, 0, 0.3}};
    s.velocity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {2, 0, 0}, {0, 2, 0}};
    s.start = {0, 4, 6};
    s.radius = {1e-3, 1e-3, 2e-3, 1e-3, 5e-4, 5e-4};
    s.aspect = {1, 1};
    s.material = {0, 0};
    s.rest_length = {0.01, 0.05, 0.002, 0, 0.3, 0};
    return s;
}

TEST(StrandPoints, StandForTheWholeStrandNoFartherApartThanHalfACell) {
    const strand::StrandState s = two_strands();
    StrandPoints points;
    points.place(s, 0.004);
    double volume = 0, length = 0;
    for (std::size_t p = 0; p < points.elements().size(); ++p) {
        volume += points.elements().volume[p], length += points.length(p);
        EXPECT_LE(points.length(p), 0.5 * 0.004 + 1e-15);
    }
    double wanted = 0;
    for (const auto& [strand, edge] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 4}})
        wanted += strand::edge_section(s, std::size_t(strand), std::size_t(edge)).area() *
                  s.rest_length[std::size_t(edge)];
    EXPECT_NEAR(volume, wanted, 1e-14 * wanted);
    EXPECT_NEAR(length, 0.362, 1e-14);
}

TEST(StrandPoints, MoveWithTheirEdgeAndHandEverythingToItsVertices) {
    const strand::StrandState s = two_strands();
    StrandPoints points;
    points.place(s, 0.004);
    const auto& e = points.elements();
    Vec3d by_points, by_vertices;
    for (std::size_t p = 0; p < e.size(); ++p) by_points += e.volume[p] * e.velocity[p];
    double share_of_all = 0;
    for (std::size_t v = 0; v < s.vertex_count(); ++v)
        points.for_points_of(v, [&](std::size_t p, double share) {
            by_vertices += (share * e.volume[p]) * s.velocity[v];
            share_of_all += share;
        });
    EXPECT_NEAR(length(by_points - by_vertices), 0, 1e-15 * length(by_points));
    EXPECT_NEAR(share_of_all, double(e.size()), 1e-10);
}

TEST(StrandPoints, OfEndsThatMeetBelongToNoOtherStrand) {
    const strand::StrandState s = two_strands();
    StrandPoints points;
    points.place(s, 0.004);
    points.for_points_of(3, [&](std::size_t p, double) { EXPECT_EQ(points.elements().owner[p], 2u); });
    points.for_points_of(4, [&](std::size_t p, double) { EXPECT_EQ(points.elements().owner[p], 4u); });
}

}  // namespace
}  // namespace rivulet::coupling
