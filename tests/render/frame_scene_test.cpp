#include <rivulet/render/frame_scene.h>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/io/archive.h>
#include <rivulet/render/mesh_tools.h>
#include <rivulet/render/optics.h>
#include <rivulet/render/render.h>

namespace rivulet::render {
namespace {

namespace fs = std::filesystem;

struct Cube {
    std::vector<Vec3d> position;
    std::vector<Vec3i> triangle;
    Cube(Vec3d low, Vec3d high) {
        for (int i = 0; i < 8; ++i)
            position.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
        const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
        for (const auto& q : quads) {
            triangle.push_back({q[0], q[1], q[2]});
            triangle.push_back({q[0], q[2], q[3]});
        }
    }
};

/// A run directory's files with one of everything.
class FrameScene : public testing::Test {
 protected:
    fs::path folder =
        fs::path(testing::TempDir()) /
        (std::string("rivulet_frame_scene_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    output::FrameFiles files{folder / "frame.npz", folder / "static.npz", folder / "surface.npz"};
    std::vector<std::string> messages;

    void SetUp() override {
        fs::remove_all(folder);
        fs::create_directories(folder);
        write_frame(false);
        write_static();
    }
    void TearDown() override { fs::remove_all(folder); }

    output::Frame read() {
        output::Frame frame = output::read_frame(files, messages);
        output::keep_usable(frame, messages);
        return frame;
    }

    void write_frame(bool short_radius) const {
        std::vector<Vec3d> position, strand;
        std::vector<double> radius, film;
        const Random random(3, 3);
        for (std::uint64_t i = 0; i < 300; ++i) {
            const Vec3d u = random.uniform3(i);
            position.push_back({u.x * 0.2, u.y * 0.05, u.z * 0.2});
            radius.push_back(0.004);
        }
        if (short_radius) radius.resize(7);
        for (int k = 0; k < 5; ++k)
            for (int i = 0; i < 6; ++i) {
                strand.push_back({0.02 * k, 0.2 - 0.03 * i, 0.1});
                film.push_back(i < 3 ? 0.0 : 1e-8);
            }
        strand[13].y = std::numeric_limits<double>::quiet_NaN();
        const std::vector<Vec3d> cloth{{0, 0.1, 0}, {0.1, 0.1, 0}, {0, 0.1, 0.1}, {0.1, 0.12, 0.1}};
        const std::vector<double> saturation{0, 0.5, 1, 0};
        const std::vector<Vec3d> body = Cube({0.1, 0.06, 0.1}, {0.15, 0.1, 0.15}).position;
        const std::array<std::array<float, 4>, 4> lift{
            {{1, 0, 0, 0}, {0, 1, 0, 0.5}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
        io::ArchiveWriter w;
        w.add_scalar("time", 0.25);
        w.add("liquid/position", position, io::Precision::float32);
        w.add("liquid/radius", radius, io::Precision::float32);
        w.add("strands/position", strand);
        w.add("strands/film_area", film, io::Precision::float32);
        w.add("fabric/position", cloth);
        w.add("fabric/saturation", saturation);
        w.add("bodies/position", body);
        w.add("obstacles/lid/transform", io::Dtype::float32, {4, 4}, std::as_bytes(std::span(&lift, 1)));
        w.write(io::real_file_system(), files.frame);
    }
    void write_static() const {
        const Cube tank({-0.01, -0.01, -0.01}, {0.21, 0.25, 0.21}), lid({0, 0, 0}, {0.2, 0.01, 0.2});
        const Cube body({0, 0, 0}, {1, 1, 1});
        const std::vector<std::int64_t> start{0, 6, 12, 18, 24, 30};
        const std::vector<double> radius(30, 5e-5);
        const std::vector<Vec3i> cloth{{0, 1, 2}, {1, 3, 2}};
        const std::vector<std::array<std::int32_t, 2>> yarn{{{0, 1}}, {{1, 3}}};
        io::ArchiveWriter w;
        w.add("strands/start", start);
        w.add("strands/radius", radius);
        w.add("fabric/triangle", cloth);
        w.add("fabric/segment", yarn);
        w.add("bodies/triangle", body.triangle);
        w.add("obstacles/tank/position", tank.position);
        w.add("obstacles/tank/triangle", tank.triangle);
        w.add("obstacles/lid/position", lid.position);
        w.add("obstacles/lid/triangle", lid.triangle);
        w.write(io::real_file_system(), files.fixed);
    }
    void write_surface() const {
        const Cube water({0, 0, 0}, {0.2, 0.05, 0.2});
        io::ArchiveWriter w;
        w.add("position", water.position);
        w.add("triangle", water.triangle);
        w.write(io::real_file_system(), files.surface);
    }
};

TEST_F(FrameScene, ShowsOneOfEverything) {
    files.surface.clear();
    const output::Frame a = read();
    EXPECT_TRUE(messages.empty()) << messages.front();
    EXPECT_EQ(a.time, 0.25);
    ASSERT_EQ(a.groups.size(), 4u);
    EXPECT_EQ(a.groups[2].name, "liquid");
    EXPECT_EQ(a.groups[2].position.size(), 300u);
    ASSERT_EQ(a.obstacles.size(), 2u);
    EXPECT_EQ(a.obstacles[0].name, "lid");
    EXPECT_NEAR(a.obstacles[0].placed()[0].y, 0.5f, 1e-6f);
    const Scene s = scene_of_frame(a, 1.5f);
    EXPECT_NO_THROW(validate(s));
    ASSERT_EQ(s.spheres.size(), 1u);
    EXPECT_EQ(s.spheres[0].position.size(), 300u);
    // Strands (one of five is broken), yarn, and the tank's twelve edges.
    ASSERT_EQ(s.curves.size(), 3u);
    EXPECT_EQ(s.curves[0].start.size(), 5u);
    EXPECT_EQ(s.curves[0].wetness[0], 0);
    EXPECT_GT(s.curves[0].wetness[5], 0.9f);
    EXPECT_EQ(s.curves[1].start.size(), 2u);
    EXPECT_EQ(s.curves[1].position.size(), 3u);
    EXPECT_EQ(s.curves[2].start.size(), 13u);
    EXPECT_EQ(s.meshes.size(), 4u);
    Options o;
    o.width = 16;
    o.height = 12;
    o.samples = 4;
    for (const Vec3f& p : render(s, o).pixel) EXPECT_TRUE(std::isfinite(luminance(p)));
}

TEST_F(FrameScene, SurfaceTakesThePlaceOfParticles) {
    write_surface();
    const Scene s = scene_of_frame(read(), 1.5f);
    EXPECT_TRUE(messages.empty());
    EXPECT_TRUE(s.spheres.empty());
    EXPECT_EQ(s.meshes.size(), 5u);
    EXPECT_EQ(s.materials[std::size_t(s.meshes[0].material)].look, Look::liquid);
}

TEST_F(FrameScene, ThickLiquidIsOpaque) {
    write_surface();
    output::Frame frame = read();
    frame.looks["liquid"].push_back({{0.8f, 0.7f, 0.6f}, 2, 1});
    const Scene s = scene_of_frame(frame, 1.5f);
    EXPECT_EQ(s.materials[std::size_t(s.meshes[0].material)].look, Look::opaque);
}

TEST_F(FrameScene, WrongLengthIsSaidAndTheRestIsShown) {
    files.surface.clear();
    write_frame(true);
    const Scene s = scene_of_frame(read(), 1.5f);
    EXPECT_EQ(messages.size(), 2u);
    EXPECT_TRUE(s.spheres.empty());
    EXPECT_EQ(s.meshes.size(), 4u);
}

TEST_F(FrameScene, MissingStaticLeavesTheLiquid) {
    files.surface.clear();
    fs::remove(files.fixed);
    const Scene s = scene_of_frame(read(), 1.5f);
    EXPECT_FALSE(messages.empty());
    EXPECT_EQ(s.spheres.size(), 1u);
    EXPECT_TRUE(s.curves.empty());
}

TEST_F(FrameScene, DamagedBytesNeverCrash) {
    files.surface.clear();
    std::string good(fs::file_size(files.frame), '\0');
    std::ifstream(files.frame, std::ios::binary).read(good.data(), std::streamsize(good.size()));
    const Random random(8, 1);
    for (std::uint64_t trial = 0; trial < 150; ++trial) {
        std::string bad = good;
        for (std::uint64_t k = 0; k < 1 + trial % 4; ++k) {
            const auto w = random.words(trial * 8 + k);
            bad[w[0] % bad.size()] = char(w[1] & 0xFF);
        }
        std::ofstream(files.frame, std::ios::binary).write(bad.data(), std::streamsize(bad.size()));
        try {
            validate(scene_of_frame(read(), 1));
        } catch (const Error&) {
        }
    }
}

/// A plate too large for the box stands on the floor instead of under it; a block deeper than the box is high
/// stands in it, and what is not drawn does not count.
TEST(FloorOfFrame, LiesUnderLargeObstacles) {
    output::Frame frame;
    const auto add = [&](const char* name, Vec3d low, Vec3d high) {
        const Cube cube(low, high);
        output::FrameObstacle o;
        o.name = name;
        for (const Vec3d& p : cube.position) o.position.push_back({float(p.x), float(p.y), float(p.z)});
        o.triangle = cube.triangle;
        frame.obstacles.push_back(o);
    };
    auto& liquid = frame.groups.emplace_back();
    liquid.materials = "liquid";
    for (const Vec3d& p : Cube({0, 0, 0}, {0.1, 0.1, 0.1}).position)
        liquid.position.push_back({float(p.x), float(p.y), float(p.z)});
    liquid.numbers.push_back({"radius", "m", std::vector<float>(liquid.position.size(), 0.01f)});
    EXPECT_NEAR(floor_of_frame(frame), 0, 1e-3);
    add("plate", {-1, -0.01, -1}, {1, 0, 1});
    EXPECT_GT(box_of_frame(frame).low.y, -0.005f);
    EXPECT_NEAR(floor_of_frame(frame), -0.01, 1e-6);
    EXPECT_LT(scene_of_frame(frame, 1).ground.height, -0.01f);
    add("cliff", {-1, -9, -1}, {1, -0.02, 1});
    const float size = length(box_of_frame(frame).size());
    EXPECT_NEAR(floor_of_frame(frame), box_of_frame(frame).low.y - size, 1e-6);
    frame.obstacles.back().visible = false;
    EXPECT_NEAR(floor_of_frame(frame), -0.01, 1e-6);
}

TEST(MeshTools, CubeHasFlatFacesAndTwelveEdges) {
    const Cube cube({0, 0, 0}, {1, 1, 1});
    Mesh mesh;
    for (const Vec3d& p : cube.position) mesh.position.push_back({float(p.x), float(p.y), float(p.z)});
    mesh.triangle = cube.triangle;
    EXPECT_EQ(outward(mesh.position, mesh.triangle), mesh.triangle);
    auto turned = mesh.triangle;
    for (Vec3i& t : turned) std::swap(t.x, t.y);
    EXPECT_NE(outward(mesh.position, turned), turned);
    EXPECT_EQ(crease_edges(mesh.position, mesh.triangle, 0.1f).start.size(), 13u);
    unshare_creases(mesh);
    EXPECT_EQ(mesh.position.size(), 24u);
    for (const Vec3f& n : mesh.normal) EXPECT_NEAR(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1, 1e-5f);
}

}  // namespace
}  // namespace rivulet::render
