#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

namespace fs = std::filesystem;

class SceneFiles : public testing::Test {
 protected:
    SceneFiles()
        : folder_(fs::temp_directory_path() /
                  (std::string("rivulet_scene_") +
                   testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "sub");
    }
    ~SceneFiles() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    static std::string error_of(const std::string& path, const std::vector<std::string>& settings = {}) {
        try {
            read_scene(path, settings);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    fs::path folder_;
};

const std::string kTop = "format = 1\ntime = { end = \"1 s\" }\n";
const std::string kPlane = "shape = { type = \"plane\", point = 0 }\n";

TEST_F(SceneFiles, IncludesMergeByKeyAndLaterWins) {
    write("a.toml", kTop + "grid = { cell = \"1 mm\", memory_limit = \"1 GB\" }\n[obstacle.one]\n" + kPlane +
                        "[[obstacle.one.motion]]\ntype = \"spin\"\nrate = \"1 rpm\"\n");
    write("b.toml", "grid = { cell = \"2 mm\" }\n[obstacle.two]\n" + kPlane);
    const std::string path =
        write("s.toml", "include = [\"a.toml\", \"b.toml\"]\ndetail = 2\n[obstacle.zero]\n" + kPlane +
                            "[obstacle.one]\nmotion = []\n");
    ReadReport report;
    const Scene scene = read_scene(path, {}, &report);
    EXPECT_EQ(scene.grid.cell, 2e-3);
    EXPECT_EQ(scene.grid.memory_limit, 1e9);
    EXPECT_EQ(scene.cell_size(), 1e-3);
    ASSERT_EQ(scene.obstacles.size(), 3u);
    EXPECT_EQ(scene.obstacles[0].name, "one");
    EXPECT_EQ(scene.obstacles[1].name, "two");
    EXPECT_EQ(scene.obstacles[2].name, "zero");
    EXPECT_TRUE(scene.obstacles[0].motion.empty());
    EXPECT_EQ(report.files.size(), 3u);
}

TEST_F(SceneFiles, BadIncludesStopAtTheirLine) {
    EXPECT_NE(error_of(write("s.toml", "format = 1\ninclude = [\"no.toml\"]\n"))
                  .find("s.toml:2:12: include: no such"),
              std::string::npos);
    write("round.toml", "include = [\"circle.toml\"]\n");
    EXPECT_NE(error_of(write("circle.toml", "include = [\"round.toml\"]\n")).find("circle"),
              std::string::npos);
    EXPECT_NE(error_of(write("n.toml", "include = 3\n")).find("expected an array of file names"),
              std::string::npos);
    for (int i = 0; i < 40; ++i)
        write("d" + std::to_string(i) + ".toml", "include = [\"d" + std::to_string(i + 1) + ".toml\"]\n");
    write("d40.toml", kTop);
    EXPECT_NE(error_of((folder_ / "d0.toml").string()).find("nested deeper"), std::string::npos);
    // Every level doubles the number of files read.
    for (int i = 0; i < 12; ++i) {
        const std::string next = "\"w" + std::to_string(i + 1) + ".toml\"";
        write("w" + std::to_string(i) + ".toml", "include = [" + next + ", " + next + "]\n");
    }
    write("w12.toml", kTop);
    EXPECT_NE(error_of((folder_ / "w0.toml").string()).find("too many includes"), std::string::npos);
}

TEST_F(SceneFiles, MissingOrStrangeSceneFiles) {
    EXPECT_NE(error_of((folder_ / "none.toml").string()).find("no such file"), std::string::npos);
    EXPECT_NE(error_of(folder_.string()).find("not a file"), std::string::npos);
    EXPECT_NE(error_of(write("big.toml", std::string(5 << 20, '#'))).find("4 MB"), std::string::npos);
}

TEST_F(SceneFiles, FilesAreRelativeToTheTextTheyStandIn) {
    write("sub/head.obj", "");
    write("sub/part.toml",
          "[obstacle.head]\nshape = { type = \"mesh\", file = \"head.obj\", file_unit = \"cm\" }\n");
    const std::string path = write("s.toml", kTop + "include = [\"sub/part.toml\"]\n");
    ReadReport report;
    const Scene scene = read_scene(path, {}, &report);
    EXPECT_EQ(scene.obstacles[0].shape.file, fs::canonical(folder_ / "sub/head.obj").string());
    EXPECT_EQ(scene.obstacles[0].shape.file_scale, 0.01);
    EXPECT_EQ(report.files.back(), scene.obstacles[0].shape.file);
}

TEST_F(SceneFiles, SequencesOfMeshesNameEveryFile) {
    for (const char* name : {"m_008.obj", "m_009.obj", "m_010.obj"}) write(name, "");
    const std::string shape = kTop + "[obstacle.a]\n" + kPlane + "[[obstacle.a.motion]]\ntype = \"meshes\"\n";
    ReadReport report;
    read_scene(write("s.toml", shape + "file = \"m_###.obj\"\nfirst_frame = 8\nlast_frame = 10\n"), {},
               &report);
    EXPECT_EQ(report.files.size(), 4u);
    const std::string error = error_of(write("t.toml", shape + "file = \"m_###.obj\"\nlast_frame = 10\n"));
    EXPECT_NE(error.find("no such file"), std::string::npos);
    EXPECT_NE(error_of(write("u.toml", shape + "file = \"m.obj\"\nlast_frame = 1\n")).find("must contain"),
              std::string::npos);
}

TEST_F(SceneFiles, SettingsAreStrongest) {
    const std::string path =
        write("s.toml", kTop +
                            "grid = { cell = \"1 mm\" }\n[liquid.pool]\nmaterial = \"water\"\n"
                            "fill = { type = \"sphere\", center = 0, radius = \"1 m\" }\n"
                            "[material.honey]\nviscosity = \"10 Pa*s\"\n"
                            "[obstacle.a]\n" +
                            kPlane + "[[obstacle.a.motion]]\ntype = \"spin\"\nrate = \"1 rad/s\"\n");
    const Scene scene = read_scene(path, {"liquid.pool.material=honey", "grid.cell=5 mm", "detail=0.5",
                                          "title=7", "obstacle.a.motion.0.rate=\"2 rad/s\"", "step.courant=3",
                                          "material.honey.color=[1, 0.5, 0]", "time.end=48 f"});
    EXPECT_EQ(scene.materials[std::size_t(scene.liquids[0].material)].name, "honey");
    EXPECT_EQ(scene.grid.cell, 5e-3);
    EXPECT_EQ(scene.cell_size(), 10e-3);
    EXPECT_EQ(scene.title, "7");
    EXPECT_EQ(scene.obstacles[0].motion[0].rate, 2);
    EXPECT_EQ(scene.step.courant, 3);
    EXPECT_EQ(scene.materials[0].color, (Vec3d{1, 0.5, 0}));
    EXPECT_EQ(scene.time.end, 2);
    // A resolved scene can still be turned finer, and is not divided twice.
    const std::string resolved = write("r.toml", resolved_text(scene));
    EXPECT_EQ(read_scene(resolved).cell_size(), 10e-3);
    EXPECT_EQ(read_scene(resolved, {"detail=1"}).cell_size(), 5e-3);
    EXPECT_NE(error_of(path, {"obstacle.a.motion.1.rate=3"}).find("no such entry of the list"),
              std::string::npos);
}

TEST_F(SceneFiles, MaterialsDeriveInChains) {
    const std::string text = kTop +
                             "[material.thin]\nbase = \"thick\"\nviscosity = \"1 mPa*s\"\n"
                             "[material.thick]\nbase = \"water\"\nviscosity = \"1 Pa*s\"\nopacity = 0.5\n"
                             "[material.water]\ncolor = [0, 0, 1]\n";
    const Scene scene = read_scene(write("s.toml", text));
    ASSERT_EQ(scene.materials.size(), 3u);
    EXPECT_EQ(scene.materials[0].name, "thin");
    EXPECT_EQ(scene.materials[0].viscosity, 1e-3);
    EXPECT_EQ(scene.materials[0].opacity, 0.5);
    EXPECT_EQ(scene.materials[0].density, 998.2);
    EXPECT_EQ(scene.materials[0].color, (Vec3d{0, 0, 1}));
    EXPECT_EQ(scene.materials[2].surface_tension, 0.07275);
}

}  // namespace
}  // namespace rivulet::scene
