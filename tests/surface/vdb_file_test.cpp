#include <rivulet/surface/vdb_file.h>

#include <gtest/gtest.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>
#include <openvdb/tools/LevelSetMeasure.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/surface/film_tubes.h>
#include <rivulet/surface/mesh_measure.h>

#include "support/faulty_file_system.h"
#include "support/temporary_folder.h"

namespace rivulet::surface {
namespace {

VdbPoints cloud() {
    VdbPoints p;
    for (int i = 0; i < 500; ++i) {
        const auto x = float(i % 10), y = float(i / 10 % 10), z = float(i / 100);
        p.position.push_back({0.01f * x, 0.01f * y - 0.05f, 0.01f * z});
        p.velocity.push_back({x, y, -z});
        p.radius.push_back(0.001f * float(1 + i % 3));
        p.id.push_back((std::int64_t{1} << 40) + i);
        p.material.push_back(i % 2);
    }
    return p;
}

openvdb::GridBase::Ptr read_grid(const std::filesystem::path& path, const std::string& name) {
    openvdb::initialize();
    openvdb::io::File file(path.string());
    file.open();
    return file.readGrid(name);
}

TEST(VdbPointsFile, EveryParticleIsReadBackWithItsAttributes) {
    const test::TemporaryFolder folder;
    VdbPoints points = cloud();
    points.liquids = {"honey", "milk"};
    write_vdb_points(io::real_file_system(), folder / "p.vdb", points, 0.02);
    const auto grid =
        openvdb::gridPtrCast<openvdb::points::PointDataGrid>(read_grid(folder / "p.vdb", "points"));
    ASSERT_TRUE(grid);
    EXPECT_EQ(openvdb::points::pointCount(grid->tree()), 500u);
    EXPECT_EQ(grid->metaValue<std::string>("material_0"), "honey");
    EXPECT_EQ(grid->metaValue<std::string>("material_1"), "milk");
    EXPECT_FALSE((*grid)["material_2"]);
    std::size_t seen = 0;
    for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
        const openvdb::points::AttributeHandle<openvdb::Vec3f> place(leaf->constAttributeArray("P")),
            velocity(leaf->constAttributeArray("v"));
        const openvdb::points::AttributeHandle<float> radius(leaf->constAttributeArray("pscale"));
        const openvdb::points::AttributeHandle<std::int64_t> id(leaf->constAttributeArray("id"));
        const openvdb::points::AttributeHandle<std::int32_t> material(leaf->constAttributeArray("material"));
        for (auto i = leaf->beginIndexOn(); i; ++i, ++seen) {
            const auto k = std::size_t(id.get(*i) - (std::int64_t{1} << 40));
            ASSERT_LT(k, 500u);
            const auto world = grid->indexToWorld(openvdb::Vec3d(place.get(*i)) + i.getCoord().asVec3d());
            for (int a = 0; a < 3; ++a) {
                EXPECT_NEAR(world[a], double(points.position[k][a]), 1e-7);
                EXPECT_EQ(velocity.get(*i)[a], points.velocity[k][a]);
            }
            EXPECT_EQ(radius.get(*i), points.radius[k]);
            EXPECT_EQ(material.get(*i), points.material[k]);
        }
    }
    EXPECT_EQ(seen, 500u);
}

TEST(VdbPointsFile, NoParticlesAndWrongArrays) {
    const test::TemporaryFolder folder;
    write_vdb_points(io::real_file_system(), folder / "p.vdb", {}, 0.02);
    EXPECT_TRUE(read_grid(folder / "p.vdb", "points"));
    VdbPoints points = cloud();
    points.radius.pop_back();
    EXPECT_THROW(write_vdb_points(io::real_file_system(), folder / "q.vdb", points, 0.02), InputError);
    points = cloud();
    points.position[7].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(write_vdb_points(io::real_file_system(), folder / "q.vdb", points, 0.02), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder / "q.vdb"));
}

TEST(VdbVolumeFile, LevelSetEnclosesTheMeshAndVelocityIsTheParticles) {
    const test::TemporaryFolder folder;
    SurfaceMesh mesh;
    append_drop({0, 0, 0}, {}, {}, 4.0 / 3.0 * std::numbers::pi * 1e-6, mesh);
    VdbPoints particles;
    particles.position = {{0, 0, 0}, {0.004f, 0, 0}, {0, -0.004f, 0}};
    particles.velocity.assign(3, {1, -2, 0.5f});
    VdbVolume volume{mesh.position, mesh.triangle, 0.0005, &particles, 0.004};
    write_vdb_volume(io::real_file_system(), folder / "v.vdb", volume);
    const auto level_set = openvdb::gridPtrCast<openvdb::FloatGrid>(read_grid(folder / "v.vdb", "surface"));
    ASSERT_TRUE(level_set);
    const double enclosed = enclosed_volume(mesh.position, mesh.triangle);
    EXPECT_NEAR(openvdb::tools::levelSetVolume(*level_set), enclosed, 0.02 * enclosed);
    EXPECT_LT(level_set->tree().getValue(openvdb::Coord(0, 0, 0)), 0);
    EXPECT_GT(level_set->tree().getValue(openvdb::Coord(40, 0, 0)), 0);
    const auto velocity = openvdb::gridPtrCast<openvdb::Vec3SGrid>(read_grid(folder / "v.vdb", "v"));
    ASSERT_TRUE(velocity);
    ASSERT_GT(velocity->activeVoxelCount(), 20u);
    for (auto it = velocity->cbeginValueOn(); it; ++it)
        EXPECT_LT((it.getValue() - openvdb::Vec3s(1, -2, 0.5f)).length(), 1e-5f);
}

TEST(VdbVolumeFile, EachLiquidHasItsPartOfTheCells) {
    const test::TemporaryFolder folder;
    SurfaceMesh mesh;
    append_drop({0, 0, 0}, {}, {}, 4.0 / 3.0 * std::numbers::pi * 1e-6, mesh);
    VdbPoints particles;
    particles.position = {{0, 0, 0}, {0.04f, 0, 0}, {0.041f, 0, 0}};
    particles.material = {1, 0, 1};
    const VdbVolume volume{mesh.position, mesh.triangle, 0.0005, &particles, 0.004, {"honey", "milk"}};
    write_vdb_volume(io::real_file_system(), folder / "v.vdb", volume);
    const auto read = [&](const char* name) {
        return openvdb::gridPtrCast<openvdb::FloatGrid>(read_grid(folder / "v.vdb", name));
    };
    const auto honey = read("fraction_honey"), milk = read("fraction_milk");
    ASSERT_GT(honey->activeVoxelCount(), 20u);
    for (auto it = honey->cbeginValueOn(); it; ++it)
        EXPECT_NEAR(it.getValue() + milk->tree().getValue(it.getCoord()), 1, 1e-5f);
    EXPECT_EQ(milk->tree().getValue({0, 0, 0}), 1);
    EXPECT_NEAR(honey->tree().getValue({10, 0, 0}), 0.5f, 0.15f);
}

std::size_t points_in(const std::filesystem::path& path) {
    return openvdb::points::pointCount(
        openvdb::gridPtrCast<openvdb::points::PointDataGrid>(read_grid(path, "points"))->tree());
}

/// A fault at every operation in turn: it is reported, and the file found afterwards is whole.
void write_with_every(test::Fault fault) {
    bool happened = true;
    for (long at = 1; happened; ++at) {
        const test::TemporaryFolder folder;
        write_vdb_points(io::real_file_system(), folder / "p.vdb", {}, 0.02);
        test::FaultyFileSystem files(fault, at);
        bool failed = false;
        try {
            write_vdb_points(files, folder / "p.vdb", cloud(), 0.02);
        } catch (const IoError&) {
            failed = true;
        } catch (const test::SimulatedCrash&) {
            failed = true;
        }
        happened = files.triggered();
        ASSERT_EQ(failed, happened && fault != test::Fault::partial_write) << at;
        const std::size_t points = points_in(folder / "p.vdb");
        EXPECT_TRUE(points == 500u || (failed && points == 0u)) << at << ": " << points;
        if (!files.crashed()) {
            const auto n = std::distance(std::filesystem::directory_iterator(folder.path()), {});
            EXPECT_EQ(n, 1) << at;
        }
        ASSERT_LT(at, 100);
    }
}

TEST(VdbPointsFile, NoFaultIsSilentOrLosesTheEarlierFile) {
    using test::Fault;
    for (const Fault fault :
         {Fault::no_space, Fault::short_write, Fault::partial_write, Fault::crash, Fault::crash_after})
        write_with_every(fault);
}

}  // namespace
}  // namespace rivulet::surface
