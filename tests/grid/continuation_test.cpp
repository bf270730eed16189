#include <rivulet/grid/continuation.h>

#include <gtest/gtest.h>

using namespace rivulet;
using namespace rivulet::grid;

namespace {

/// A row of cells along x in a grid of one block and its halo: faces x < settled are settled, faces up to
/// x < heavy have mass.
struct Row {
    Topology topology;
    FaceField mass, before, velocity;
    FaceFlags known;

    Row(int settled, int heavy) {
        TopologyBuilder builder;
        builder.start(1, {});
        builder.add_block({0, 0, 0});
        builder.build(topology);
        for (FaceField* f : {&mass, &before, &velocity}) fill(*f, topology.cells(), 0.0);
        for (auto& flags : known) fill(flags, topology.cells(), std::uint8_t{0});
        for_faces([&](std::size_t a, std::size_t f, int x) {
            known[a][f] = x < settled;
            mass[a][f] = x < heavy ? 1 : 0;
            before[a][f] = x < heavy ? 10.0 * x : 0;
            velocity[a][f] = before[a][f] + (x < settled ? -3 : 0);
        });
    }
    template <class F>
    void for_faces(F&& body) {
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t f = 0; f < topology.cells(); ++f)
                body(a, f, topology.corner[f / kBlockCells].x + int(f % kBlockEdge));
    }
};

}  // namespace

TEST(Continuation, FacesWithMassKeepTheirVelocityAndTakeTheChange) {
    Row row(2, 4);
    Continuation().run(row.topology, row.mass, row.before, row.known, row.velocity);
    row.for_faces([&](std::size_t a, std::size_t f, int x) {
        if (x < 4) {
            EXPECT_DOUBLE_EQ(row.velocity[a][f], 10.0 * x - 3) << x;
            EXPECT_EQ(row.known[a][f], 1);
        } else if (x < 7) {  // three layers: the mean of known faces, all with x = 3 in the first
            EXPECT_DOUBLE_EQ(row.velocity[a][f], 27) << x;
            EXPECT_EQ(row.known[a][f], x - 2);
        } else {
            EXPECT_EQ(row.velocity[a][f], 0) << x;
            EXPECT_EQ(row.known[a][f], 0);
        }
    });
}

TEST(Continuation, MassBeyondTheReachOfTheChangeIsCarriedOver) {
    // The change reaches two layers beyond the settled faces: x = 4 and 5 have mass but take their
    // neighbours'.
    Row row(2, 6);
    Continuation().run(row.topology, row.mass, row.before, row.known, row.velocity);
    row.for_faces([&](std::size_t a, std::size_t f, int x) {
        if (x < 4) {
            EXPECT_DOUBLE_EQ(row.velocity[a][f], 10.0 * x - 3);
        } else if (x < 7) {
            EXPECT_DOUBLE_EQ(row.velocity[a][f], 27);
        }
    });
}

TEST(Continuation, BeyondMassSettledFacesStayAndTwoLayersFollow) {
    Row row(4, 4);
    // A flag of its own marks a face as known as well as any.
    row.for_faces([&](std::size_t a, std::size_t f, int x) {
        if (x == 3) row.known[a][f] = 255;
    });
    Continuation().run_beyond_mass(row.topology, row.known, row.velocity);
    row.for_faces([&](std::size_t a, std::size_t f, int x) {
        EXPECT_DOUBLE_EQ(row.velocity[a][f], x < 4 ? 10.0 * x - 3 : x < 6 ? 27.0 : 0.0) << x;
        EXPECT_EQ(row.known[a][f], x < 3 ? 1 : x == 3 ? 255 : x < 6 ? x - 2 : 0) << x;
    });
}
