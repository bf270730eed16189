#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/base/random.h>
#include <rivulet/geometry/tessellate.h>
#include <rivulet/obstacle/obstacle_set.h>

namespace rivulet::obstacle {
namespace {

using namespace geometry;

ObstacleDescription ball(const std::string& name, int parent = -1) {
    ObstacleDescription d;
    d.name = name;
    d.shape.type = ShapeType::sphere;
    d.shape.radius = 0.1;
    d.parent = parent;
    return d;
}
Motion spin_about_y(double rate) {
    Motion m;
    m.type = MotionType::spin;
    m.rate = rate;
    return m;
}
Motion shift_to(const Vec3d& end) {
    Motion m;
    m.type = MotionType::translate;
    m.offset = {{0, 1}, {{}, end}, Ease::linear};
    return m;
}
std::vector<std::string> keys_of_refusal(std::vector<ObstacleDescription> list) {
    std::vector<std::string> keys;
    try {
        ObstacleSet set(std::move(list), 0.01);
    } catch (const InputError& e) {
        for (const Problem& p : e.problems()) keys.push_back(p.key);
    }
    return keys;
}

class MeshFiles : public testing::Test {
 protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() /
                 ("rivulet_obstacles_" +
                  std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                  std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string write(const std::string& name, const TriangleMesh& mesh) {
        const std::string path = (folder / name).string();
        std::ofstream out(path);
        out.precision(17);
        for (const Vec3d& p : mesh.positions) out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
        for (const Vec3i& t : mesh.triangles)
            out << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
        return path;
    }
    static TriangleMesh sphere(double radius, const Vec3d& centre = {}) {
        return tessellate(Shape({Sphere{centre, radius}}), 1, 32);
    }
    std::filesystem::path folder;
};

TEST(ObstacleSet, ChildRidesOnItsParent) {
    auto parent = ball("arm"), child = ball("hand", 0);
    parent.motion = {spin_about_y(std::numbers::pi / 2)};
    child.motion = {shift_to({1, 0, 0})};
    const ObstacleSet set({parent, child}, 0.01);
    EXPECT_LT(length(set.pose_at(1, 1).apply({0, 0, 0}) - Vec3d{0, 0, -1}), 1e-14);
    EXPECT_LT(length(set.pose_at(0, 1).apply({0, 0, 0})), 1e-14);
}

TEST(ObstacleSet, RatesAreSlopesOfThePoseToTheRight) {
    ObstacleDescription spins = ball("spins"), shifts = ball("shifts");
    spins.motion = {spin_about_y(3)};
    shifts.motion = {shift_to({2, 0, -4})};
    const ObstacleSet set({spins, shifts}, 0.01);
    const Vec3d arm{0.5, 0, 0};
    for (const double t : {0.0, 0.3, 2.0}) {
        const auto rate = set.pose_rate_at(0, t);
        const Vec3d expected = cross(Vec3d{0, 3, 0}, set.pose_at(0, t).apply(arm));
        EXPECT_LT(length(rate.rotation * arm + rate.translation - expected), 1e-7) << t;
    }
    EXPECT_LT(length(set.pose_rate_at(1, 0).translation - Vec3d{2, 0, -4}), 1e-8);
    EXPECT_LT(length(set.pose_rate_at(1, 1).translation), 1e-8);  // it has arrived
}

TEST(ObstacleSet, FieldVelocityIsDisplacementOverTheStep) {
    auto moving = ball("ball");
    moving.motion = {shift_to({1, 0.5, 0}), spin_about_y(3)};
    auto tank = ball("tank");
    tank.side = Side::inside, tank.shape.radius = 5;
    const ObstacleSet set({moving, tank}, 0.01);
    const double t = 0.3, dt = 0.02;
    const SolidField field = set.field_over(t, dt);
    EXPECT_EQ(field.dt(), dt);
    for (double s : {0.0, 0.5, 1.0}) {
        const Vec3d rest{0.07, 0.02, 0.01};
        const Vec3d x = field.solid(0).motion.at(s).apply(rest);
        const SolidSample sample = field.sample(x, s);
        EXPECT_EQ(sample.solid, 0);
        EXPECT_NEAR(sample.distance, length(rest) - 0.1, 1e-12);
        const Vec3d expected = (set.pose_at(0, t + dt).apply(rest) - set.pose_at(0, t).apply(rest)) / dt;
        EXPECT_LT(length(sample.velocity - expected), 1e-9);
    }
    EXPECT_EQ(field.sample({4.9, 0, 0}, 1).solid, 1);
    EXPECT_EQ(field.sample({4.9, 0, 0}, 1).velocity, Vec3d{});
    const double most = set.max_speed(t, dt, {{-5, -5, -5}, {5, 5, 5}});
    EXPECT_GT(most, std::sqrt(1.25));
    EXPECT_LT(most, 3);
    EXPECT_TRUE(ObstacleSet({}, 0.01).field_over(0, 1).empty());
}

TEST(ObstacleSet, SweptVolumeClosesOverManySteps) {
    // The flux of the wall velocity through the end pose of a translating box equals its face area times the
    // shift.
    auto box = ball("box");
    box.shape.type = ShapeType::box;
    box.shape.min = {-0.1, -0.1, -0.1}, box.shape.max = {0.1, 0.1, 0.1};
    Motion m = shift_to({0.3, 0, 0});
    m.offset.ease = Ease::smooth;
    box.motion = {m};
    const ObstacleSet set({box}, 0.01);
    double swept = 0;
    for (int step = 0; step < 10; ++step) {
        const SolidField field = set.field_over(0.1 * step, 0.1);
        const double x = set.pose_at(0, 0.1 * (step + 1)).translation.x + 0.1;
        swept += field.sample({x, 0, 0}, 1).velocity.x * 0.1;
    }
    EXPECT_NEAR(swept, 0.3, 1e-12);
}

TEST(ObstacleSet, ReportsEveryProblemWithTheNameOfTheObstacle) {
    auto a = ball("a"), b = ball("b"), c = ball("c", 7), d = ball("d");
    a.shape.radius = 0;
    b.motion = {Motion{}};
    d.wall.friction = -1;
    const std::vector<std::string> expected{"obstacle.a.shape.radius", "obstacle.b.motion[0].keys",
                                            "obstacle.d.wall.friction", "obstacle.c.parent"};
    EXPECT_EQ(keys_of_refusal({a, b, c, d}), expected);
    EXPECT_EQ(keys_of_refusal({ball("x", 1), ball("y", 0)}), std::vector<std::string>{"obstacle.x.parent"});
    EXPECT_EQ(keys_of_refusal({ball("x", 0)}), std::vector<std::string>{"obstacle.x.parent"});
    auto missing = ball("m");
    missing.shape.type = ShapeType::mesh;
    missing.shape.file = "no/such/mesh.obj";
    EXPECT_EQ(keys_of_refusal({missing}), std::vector<std::string>{"obstacle.m.shape.file"});
    auto wrong = ball("w");
    Motion meshes;
    meshes.type = MotionType::meshes;
    wrong.motion = {meshes};
    EXPECT_EQ(keys_of_refusal({wrong}), std::vector<std::string>{"obstacle.w.motion[0].type"});
}

TEST_F(MeshFiles, MeshIsScaledSampledAndListed) {
    auto d = ball("head");
    d.shape.type = ShapeType::mesh;
    d.shape.file = write("head.obj", sphere(10));
    d.shape.file_scale = 0.01;
    d.shape.offset = {0, 1, 0};
    auto twin = d;
    twin.name = "twin", twin.motion = {shift_to({5, 0, 0})};
    const ObstacleSet set({d, twin}, 0.005);
    EXPECT_EQ(set.files(), std::vector<std::string>{d.shape.file});
    const SolidField field = set.field_over(1, 0.1);
    EXPECT_NEAR(field.distance({0, 1.13, 0}, 1), 0.03, 1e-3);
    EXPECT_NEAR(field.distance({5, 1.05, 0}, 1), -0.05, 1e-3);
    EXPECT_NEAR(signed_volume(set.surface(0, 1)), 4.0 / 3 * std::numbers::pi * 1e-3, 1e-4);
    EXPECT_TRUE(set.vertices_at(0, 0).empty());
}

TEST_F(MeshFiles, OpenMeshIsRefusedAndSplitVerticesAreJoined) {
    auto d = ball("head");
    d.shape.type = ShapeType::mesh;
    TriangleMesh mesh = sphere(0.2), split;
    for (const Vec3i& t : mesh.triangles) {
        const int first = static_cast<int>(split.positions.size());
        for (int k = 0; k < 3; ++k) split.positions.push_back(mesh.positions[static_cast<std::size_t>(t[k])]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    d.shape.file = write("split.obj", split);
    EXPECT_TRUE(keys_of_refusal({d}).empty());
    mesh.triangles.pop_back();
    d.shape.file = write("open.obj", mesh);
    EXPECT_EQ(keys_of_refusal({d}), std::vector<std::string>{"obstacle.head.shape.file"});
}

TEST_F(MeshFiles, SequenceDeformsBetweenItsFrames) {
    for (int f = 0; f < 3; ++f) write("ball_00" + std::to_string(7 + f) + ".obj", sphere(0.2 + 0.1 * f));
    auto d = ball("lung");
    d.shape.type = ShapeType::mesh;
    Motion m;
    m.type = MotionType::meshes;
    m.file = (folder / "ball_###.obj").string();
    m.fps = 10, m.first_frame = 7, m.last_frame = 9;
    d.motion = {m, shift_to({1, 0, 0})};
    const ObstacleSet set({d}, 0.01);
    ASSERT_TRUE(set.deforms(0));
    EXPECT_EQ(set.files().size(), 3u);
    for (const Vec3d& p : set.vertices_at(0, 0.05)) EXPECT_NEAR(length(p - Vec3d{0.05, 0, 0}), 0.25, 1e-12);
    for (const Vec3d& p : set.vertices_at(0, 3)) EXPECT_NEAR(length(p - Vec3d{1, 0, 0}), 0.4, 1e-12);
    const double t = 0.05, dt = 0.02;
    const SolidField field = set.field_over(t, dt);
    // The radius grows by 1 m/s while the whole moves with 1 m/s along x.
    const SolidSample top = field.sample({0.05, 0.26, 0}, 0);
    EXPECT_NEAR(top.distance, 0.01, 2e-3);
    EXPECT_NEAR(top.velocity.x, 1, 0.05);
    EXPECT_NEAR(top.velocity.y, 1, 0.05);
    EXPECT_NEAR(field.distance({0.07, 0.28, 0}, 1), 0.01, 2e-3);
    EXPECT_GE(set.max_speed(t, dt, {}), length(top.velocity) * 0.99);
    EXPECT_EQ(set.surface(0, 1).positions.size(), set.vertices_at(0, 0).size());
}

TEST_F(MeshFiles, SequenceOfDifferentMeshesIsRefused) {
    write("a_0.obj", sphere(0.2));
    write("a_1.obj", tessellate(Shape({Sphere{{}, 0.2}}), 1, 16));
    auto d = ball("x");
    d.shape.type = ShapeType::mesh;
    Motion m;
    m.type = MotionType::meshes;
    m.file = (folder / "a_{frame}.obj").string();
    m.last_frame = 1;
    d.motion = {m};
    EXPECT_EQ(keys_of_refusal({d}), std::vector<std::string>{"obstacle.x.motion[0].file"});
    d.motion[0].last_frame = 2000000000;
    EXPECT_EQ(keys_of_refusal({d}), std::vector<std::string>{"obstacle.x.motion[0].file"});
    d.motion[0].file = (folder / "a_0.obj").string();
    EXPECT_EQ(keys_of_refusal({d}), std::vector<std::string>{"obstacle.x.motion[0].file"});
    d.motion[0].last_frame = -1;
    EXPECT_EQ(keys_of_refusal({d}), std::vector<std::string>{"obstacle.x.motion[0].last_frame"});
}

TEST(MeshSequence, FrameNumbersInFileNames) {
    EXPECT_EQ(frame_file("a/b_####.obj", 17), "a/b_0017.obj");
    EXPECT_EQ(frame_file("b_#.obj", 1234), "b_1234.obj");
    EXPECT_EQ(frame_file("#1/b{frame}.ply", 3), "#1/b3.ply");
    EXPECT_EQ(frame_file("plain.obj", 3), "");
    EXPECT_EQ(frame_file("{frame}/b_##.obj", 3), "{frame}/b_03.obj");
    EXPECT_EQ(frame_file("take_##/b.obj", 3), "") << "all files of a sequence lie in one folder";
    EXPECT_EQ(frame_file("####", 3), "0003");
    EXPECT_EQ(frame_number("a/b_####.obj", "a/b_0017.obj"), 17);
    EXPECT_EQ(frame_number("a/b_{frame}.obj", "a/b_17.obj"), 17);
    for (const char* other : {"a/b_17.obj", "a/b_0017.ply", "a/b_.obj", "a/b_00017.obj", "c/b_0017.obj", ""})
        EXPECT_FALSE(frame_number("a/b_####.obj", other)) << other;
    EXPECT_FALSE(frame_number("plain.obj", "plain.obj"));
}

}  // namespace
}  // namespace rivulet::obstacle
