#include <gtest/gtest.h>

#include <fstream>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/io/archive_reader.h>
#include <rivulet/render/frame_scene.h>
#include <rivulet/render/render.h>
#include <rivulet/session/frame_range.h>
#include <rivulet/session/movie.h>
#include <rivulet/session/pictures.h>
#include <rivulet/session/surfaces.h>
#include <rivulet/surface/mesh_measure.h>

#include "session/made_up_run.h"

namespace rivulet::session {
namespace {

namespace fs = std::filesystem;
using Frames = std::vector<std::int64_t>;

void damage(const fs::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(std::streamoff(fs::file_size(path) / 3));
    file.write("damage", 6);
}

PictureSettings small_picture() {
    PictureSettings s;
    s.width = 40, s.height = 30, s.samples = 4, s.voxels_per_cell = 2;
    return s;
}

TEST(FrameRange, PicksWhatIsThere) {
    const MadeUpRun run;
    EXPECT_EQ(pick_frames(run.paths, ""), (Frames{0, 1, 2}));
    EXPECT_EQ(pick_frames(run.paths, "last"), (Frames{2}));
    EXPECT_EQ(pick_frames(run.paths, "1"), (Frames{1}));
    EXPECT_EQ(pick_frames(run.paths, "1:"), (Frames{1, 2}));
    EXPECT_EQ(pick_frames(run.paths, ":1"), (Frames{0, 1}));
    for (const char* bad : {"x", "1:2:3", "-1", "5", "1-2", "99999999999999999999", "2:1"})
        EXPECT_THROW(pick_frames(run.paths, bad), InputError) << bad;
    EXPECT_THROW(pick_frames({run.paths.root / "nowhere"}, ""), InputError);
}

TEST(Surfaces, HoldBulkAndFilmAndAreMadeOnce) {
    const MadeUpRun run;
    auto& files = io::real_file_system();
    const SurfaceResult first = make_surfaces(files, run.paths, {{0, 1}, 4, false});
    EXPECT_EQ(first.made, 2);
    EXPECT_TRUE(first.failed.empty());
    const io::ArchiveReader archive(run.paths.surface(1));
    const auto position = archive.read<Vec3f>("position");
    EXPECT_EQ(archive.read<Vec3f>("velocity").size(), position.size());
    const double volume = surface::enclosed_volume(position, archive.read<Vec3i>("triangle"));
    // The surface also holds the wet strand itself.
    const double strand = 0.2 * std::numbers::pi * std::pow(MadeUpRun::kStrandRadius, 2);
    EXPECT_NEAR(volume, run.liquid_volume() + strand, 0.03 * run.liquid_volume());

    const SurfaceResult second = make_surfaces(files, run.paths, {{0, 1, 2}, 4, false});
    EXPECT_EQ(second.made, 1);
    EXPECT_EQ(second.skipped, 2);
    EXPECT_EQ(make_surfaces(files, run.paths, {{0}, 2, true}).made, 1);
}

TEST(Surfaces, ADamagedFrameIsNamedAndTheOthersAreMade) {
    const MadeUpRun run;
    damage(run.paths.frame(1));
    const SurfaceResult result = make_surfaces(io::real_file_system(), run.paths, {{0, 1, 2}, 2, false});
    EXPECT_EQ(result.made, 2);
    ASSERT_EQ(result.failed.size(), 1u);
    EXPECT_NE(result.failed[0].find("frame 1"), std::string::npos);
    EXPECT_FALSE(fs::exists(run.paths.surface(1)));
}

TEST(Pictures, LooksComeFromTheRun) {
    const MadeUpRun run;
    std::vector<std::string> messages;
    const output::Frame frame = frame_of_run(run.paths, 0, false, messages);
    EXPECT_TRUE(messages.empty()) << messages.front();
    ASSERT_TRUE(frame.has_look("liquid", 1));
    EXPECT_FALSE(frame.has_look("liquid", 2));
    EXPECT_FLOAT_EQ(frame.look("liquid", 1).colour.z, 0.8f);
    EXPECT_FLOAT_EQ(frame.look("liquid", 1).absorption, 5);
    EXPECT_FLOAT_EQ(frame.look("liquid", 1).opacity, 1);
    ASSERT_EQ(frame.obstacles.size(), 1u);
    EXPECT_EQ(frame.obstacles[0].name, "box 1");
    EXPECT_FLOAT_EQ(frame.obstacles[0].colour.x, 0.25f);
    EXPECT_EQ(frame.obstacles[0].inside, false);
}

/// The right half of the ball, x > 0, is the first liquid, which is clear; the rest is opaque.
output::Frame frame_of_two_liquids(const MadeUpRun& run) {
    std::vector<std::string> messages;
    output::Frame frame = frame_of_run(run.paths, 0, false, messages);
    for (output::FrameGroup& g : frame.groups)
        for (output::FrameNumbers& n : g.numbers)
            for (std::size_t i = 0; n.name == "material" && output::is_bulk(g) && i < n.values.size(); ++i)
                n.values[i] = g.position[i].x > 0 ? 0.0f : 1.0f;
    return frame;
}

TEST(Surfaces, TellLiquidsApartAndHaveWhatLiesBetween) {
    const MadeUpRun run;
    output::Frame frame = frame_of_two_liquids(run);
    give_surface(frame, 4);
    ASSERT_EQ(frame.surface.triangle_material.size(), frame.surface.triangle.size());
    ASSERT_EQ(frame.surface.liquids(), 2u);
    ASSERT_FALSE(frame.interface.triangle.empty());
    for (const std::uint8_t m : frame.interface.triangle_material) EXPECT_EQ(m, 1);
    for (const Vec3f& p : frame.interface.position) EXPECT_LT(std::abs(p.x), 2.5f * float(MadeUpRun::kCell));
    // Nothing lies between liquids that are all opaque.
    for (output::MaterialLook& look : frame.looks["liquid"]) look.opacity = 1;
    EXPECT_TRUE(surfaces_of(frame, 2).between.triangle.empty());
}

TEST(Surfaces, LiquidsAreStoredAndReadBack) {
    const MadeUpRun run;
    make_surfaces(io::real_file_system(), run.paths, {{0}, 2, false});
    const io::ArchiveReader archive(run.paths.surface(0));
    const auto vertices = archive.read<Vec3f>("position").size();
    EXPECT_EQ(archive.find("material_weight")->shape, (io::Shape{vertices, 2}));
    std::vector<std::string> messages;
    const output::Frame frame = frame_of_run(run.paths, 0, true, messages);
    EXPECT_TRUE(messages.empty());
    EXPECT_EQ(frame.surface.triangle_material, archive.read<std::uint8_t>("material"));
    ASSERT_EQ(frame.surface.share.size(), 2 * vertices);
    // The bulk is of the second liquid; of the film nothing is said, so it is the first.
    std::size_t second = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
        EXPECT_NEAR(frame.surface.share[2 * v] + frame.surface.share[2 * v + 1], 1, 1e-5f);
        second += frame.surface.share[2 * v + 1] > 0.5f;
    }
    EXPECT_GT(second, 0u);
    EXPECT_LT(second, vertices);
}

TEST(Pictures, OpaqueLiquidSeenThroughAClearOneIsNotBlack) {
    const MadeUpRun run;
    output::Frame frame = frame_of_two_liquids(run);
    std::erase_if(frame.groups, [](const output::FrameGroup& g) { return !output::is_bulk(g); });
    frame.obstacles.clear();
    frame.looks["liquid"][0] = {{0.9f, 0.8f, 0.7f}, 15, 0};
    frame.looks["liquid"][1] = {{0.9f, 0.9f, 0.9f}, 2, 1};
    give_surface(frame, 4);
    render::Options options;
    options.width = 24, options.height = 24, options.samples = 32;
    const auto middle = [&](const output::Frame& shown) {
        render::Scene scene = render::scene_of_frame(shown, 1);
        // Along x through the clear half, onto the opaque one.
        scene.camera.position = {0.6f, 0.3f, 0};
        scene.camera.target = {0, 0.3f, 0};
        const render::Image image = render::render(scene, options);
        float sum = 0;
        for (int y = 10; y < 14; ++y)
            for (int x = 10; x < 14; ++x) sum += image.at(x, y).y / 16;
        return sum;
    };
    const float seen = middle(frame);
    frame.interface = output::no_interface();
    EXPECT_GT(seen, 0.15f);
    EXPECT_GT(seen, 1.5f * middle(frame));
}

TEST(Surfaces, TheCellIsStoredAndNeverGuessed) {
    const MadeUpRun run;
    std::vector<std::string> messages;
    output::Frame frame = frame_of_run(run.paths, 0, false, messages);
    EXPECT_EQ(frame.cell, MadeUpRun::kCell);
    frame.cell = 0;
    EXPECT_THROW(surfaces_of(frame, 2), InputError);
}

TEST(Pictures, AreTheSameForAnyNumberOfThreads) {
    const MadeUpRun run;
    const auto taken = [&](int threads) {
        return with_threads(threads,
                            [&] { return Photographer(run.paths, small_picture(), {2}).take(2).bytes; });
    };
    const auto one = taken(1);
    EXPECT_EQ(one.size(), 40u * 30u * 3u);
    EXPECT_EQ(one, taken(3));
    EXPECT_GT(*std::max_element(one.begin(), one.end()), *std::min_element(one.begin(), one.end()) + 60);
}

TEST(Pictures, AreMadeOnceForTheSameSettings) {
    const MadeUpRun run;
    auto& files = io::real_file_system();
    PictureSettings settings = small_picture();
    EXPECT_EQ(make_pictures(files, run.paths, {0, 1}, settings, false).made, 2);
    EXPECT_EQ(make_pictures(files, run.paths, {0, 1}, settings, false).skipped, 2);
    fs::remove(run.paths.picture(1));
    EXPECT_EQ(make_pictures(files, run.paths, {0, 1}, settings, false).made, 1);
    settings.width = 48;
    EXPECT_EQ(make_pictures(files, run.paths, {0, 1}, settings, false).made, 2);
    EXPECT_EQ(make_pictures(files, run.paths, {0, 1}, settings, true).made, 2);
}

TEST(Pictures, RefuseACameraThatIsNotThere) {
    const MadeUpRun run;
    PictureSettings settings = small_picture();
    settings.camera = "nobody";
    EXPECT_THROW(Photographer(run.paths, settings, {0}), Error);
    settings.camera.clear();
    settings.from = Vec3d{1, 1, 1};
    EXPECT_THROW(Photographer(run.paths, settings, {0}), InputError);
}

TEST(Movie, HoldsThePicturesOrSaysWhyNot) {
    const MadeUpRun run;
    auto& files = io::real_file_system();
    try {
        require_ffmpeg();
    } catch (const InputError& e) {
        GTEST_SKIP() << e.what();
    }
    make_pictures(files, run.paths, {0, 1}, small_picture(), false);
    const fs::path movie = run.paths.root / "run.mp4";
    const std::vector<fs::path> pictures{run.paths.picture(0), run.paths.picture(1)};
    write_movie(files, movie, pictures, 10);
    const auto size = fs::file_size(movie);
    EXPECT_GT(size, 500u);
    EXPECT_THROW(write_movie(files, movie, {run.paths.frame(0)}, 10), IoError);
    EXPECT_EQ(fs::file_size(movie), size);
    EXPECT_FALSE(fs::exists(run.paths.root / "run.part.mp4"));
}

}  // namespace
}  // namespace rivulet::session
