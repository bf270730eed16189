#include <numbers>

#include "session/support.h"

#include <rivulet/io/archive_reader.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/frame.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/session/exports.h>
#include <rivulet/session/surfaces.h>
#include <rivulet/surface/mesh_measure.h>

/// Films from the scene to the run directory, and on to what is made of it.
namespace rivulet::session {
namespace {

constexpr double kRadius = 0.5e-3, kThickness = 0.3e-3, kLength = 0.1;
const double kFilmArea = std::numbers::pi * kThickness * (2 * kRadius + kThickness);

/// Four noodles of 10 cm, of which the first two are wet, one with milk over all of it, one with honey on its
/// lower half.
std::string wet_noodles() {
    const auto noodle = [](int number, const std::string& more) {
        return "[strands.n" + std::to_string(number) +
               "]\nmaterial = \"cooked_spaghetti\"\nradius = { root = \"0.5 mm\" }\nsegment = \"5 mm\"\n" +
               "groom = { type = \"rows\", origin = \"" + std::to_string(number) +
               ", 0, 0 cm\", direction = [0, -1, 0], length = \"10 cm\" }\n" + more;
    };
    return "format = 1\ntime = { fps = 100, end = \"0.02 s\" }\nstep = { max = \"5 ms\" }\ngrid = { cell = "
           "\"4 mm\" }\n"
           "output = { min_free_disk = 0 }\nfilm = { flow = false, dripping = false }\n" +
           noodle(0, "film = { liquid = \"milk\", thickness = \"0.3 mm\" }\n") +
           noodle(1, "film = { liquid = \"honey\", thickness = \"0.3 mm\", from = 0.5 }\n") + noodle(2, "") +
           noodle(3, "");
}

TEST(FilmRun, IsWrittenCountedAndPartOfTheSurface) {
    const ScratchFolder folder;
    const auto record = start(folder.write("scene.toml", wet_noodles()), {}, folder / "out", false, {});
    ASSERT_EQ(record.status, output::RunStatus::finished);

    const io::ArchiveReader frame(folder / "out/frames/000002.npz");
    const std::size_t vertices = frame.find("strands/position")->shape[0];
    EXPECT_EQ(frame.find("strands/film_area")->shape, (io::Shape{vertices}));
    EXPECT_EQ(frame.find("strands/film_share")->shape, (io::Shape{vertices, 2}));
    EXPECT_FALSE(frame.has("strands/film_length"));
    const auto area = frame.read<float>("strands/film_area"),
               share = frame.read_table<float>("strands/film_share");
    EXPECT_NEAR(area[3], kFilmArea, 1e-12);
    EXPECT_EQ(share[2 * 3], 1);
    EXPECT_EQ(area[21 + 3], 0);
    EXPECT_NEAR(area[21 + 15], kFilmArea, 1e-12);
    EXPECT_EQ(share[2 * (21 + 15) + 1], 1);
    EXPECT_EQ(area.back(), 0);

    const double volume = 1.5 * kLength * kFilmArea;
    const output::Csv metrics = output::parse_csv(io::read_text(folder / "out/metrics.csv"));
    for (const auto& row : metrics.rows) {
        EXPECT_NEAR(std::stod(row[std::size_t(metrics.column("volume_film"))]) / volume, 1, 1e-12);
        EXPECT_EQ(std::stod(row[std::size_t(metrics.column("volume_bulk"))]), 0);
        EXPECT_NEAR(std::stod(row[std::size_t(metrics.column("volume_error"))]), 0, 1e-15);
    }

    std::vector<std::string> messages;
    const output::RunPaths paths{folder / "out"};
    const output::Frame read = output::read_frame({paths.frame(2), paths.fixed(), {}}, messages);
    EXPECT_TRUE(messages.empty()) << messages[0];
    EXPECT_TRUE(read.is_wet());
    ASSERT_EQ(read.groups.size(), 1u);
    EXPECT_EQ(read.groups[0].liquids(), 2u);

    const SurfaceResult made = make_surfaces(io::real_file_system(), paths, {{2}, 4, false});
    ASSERT_EQ(made.made, 1) << (made.failed.empty() ? "" : made.failed[0]);
    const io::ArchiveReader surface(paths.surface(2));
    const auto position = surface.read<Vec3f>("position");
    // It also holds the wet strands themselves, and half a segment more where a film ends between vertices.
    const double strand = 1.525 * kLength * std::numbers::pi * kRadius * kRadius;
    EXPECT_NEAR(surface::enclosed_volume(position, surface.read<Vec3i>("triangle")) / (volume + strand), 1,
                0.03);
    EXPECT_EQ(surface.find("material_weight")->shape, (io::Shape{position.size(), 2}));

    ExportJob job;
    job.frames = {2};
    ASSERT_EQ(export_run(io::real_file_system(), paths, job).made, 1);
    const std::string clip = io::read_text(paths.root / "export/usda/frames/run.0002.usda", 1 << 24);
    for (const char* name : {"film_area", "film_velocity", "film_share_milk", "film_share_honey"})
        EXPECT_NE(clip.find(std::string("primvars:") + name + ".timeSamples"), std::string::npos) << name;
}

TEST(FilmRun, DryStrandsHaveNoFilmArrays) {
    const ScratchFolder folder;
    std::string dry = wet_noodles();
    for (std::size_t at; (at = dry.find("film = ")) != std::string::npos;)
        dry.erase(at, dry.find('\n', at) - at);
    start(folder.write("scene.toml", dry), {}, folder / "out", false, {});
    const io::ArchiveReader frame(folder / "out/frames/000002.npz");
    EXPECT_FALSE(frame.has("strands/film_area"));
    EXPECT_FALSE(frame.has("strands/film_share"));
}

TEST(FilmRun, AFilmThatIsNotFiniteIsNamedByItsStrand) {
    const ScratchFolder folder;
    RunSetup setup;
    setup.test_stage = [](const StepView&, int, world::World& next) {
        next.film.share[2 * (21 + 4) + 1] = std::numeric_limits<double>::quiet_NaN();
    };
    const auto record = start(folder.write("scene.toml", wet_noodles()), {}, folder / "out", false, setup);
    ASSERT_TRUE(record.error);
    EXPECT_EQ(record.error->entity, "strands/film_share of strand 1, vertex 4");
}

/// Wet curls that touch, bridge, flow, drip and are fed.
std::string wet_curls() {
    return R"(format = 1
time = { fps = 100, end = "0.12 s" }
step = { max = "1 ms" }
grid = { cell = "0.7 mm" }
output = { min_free_disk = 0, precision = "double" }
world = { keep = { min = "-5, -9, -5 cm", max = "5, 2, 5 cm" } }
[strands.curls]
material = "human_hair"
radius = { root = "50 um" }
segment = "1.5 mm"
film = { liquid = "water", thickness = "0.15 mm", feed = "5 mm^3/s" }
groom = { type = "rows", origin = "0, 0, 0 mm", columns = 4, column_step = "0.5, 0, 0 mm", direction = [0.4, -1, 0],
          length = "3 cm", curl = { radius = "1 mm", pitch = "1 cm" }, seed = 3 }
[strands.red]
material = "human_hair"
radius = { root = "50 um" }
segment = "1.5 mm"
film = { liquid = "blood", thickness = "0.2 mm", from = 0.5 }
groom = { type = "rows", origin = "0, 0, 1 mm", columns = 2, column_step = "1, 0, 0 mm", direction = [0.3, -1, -0.05],
          length = "3 cm" }
)";
}

TEST(FilmRun, DependsNeitherOnThreadsNorOnTheStepperNorOnStopping) {
    const ScratchFolder folder;
    const fs::path scene = folder.write("scene.toml", wet_curls());
    expect_same_however_run(scene, folder, 7);

    const output::Csv metrics = output::parse_csv(io::read_text(folder / "1/metrics.csv"));
    double contacts = 0, bulk = 0, in = 0;
    for (const auto& row : metrics.rows) {
        const auto value = [&](const char* name) {
            return std::stod(row[std::size_t(metrics.column(name))]);
        };
        EXPECT_LE(std::abs(value("volume_error")), 1e-12);
        contacts += value("contacts"), bulk = std::max(bulk, value("volume_bulk")), in = value("volume_in");
    }
    EXPECT_GT(contacts, 0);
    EXPECT_GT(bulk, 0);
    EXPECT_NEAR(in, 4 * 5e-9 * 0.12, 1e-15);
}

}  // namespace
}  // namespace rivulet::session
