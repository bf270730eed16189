#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include <rivulet/io/archive_reader.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/viewer/preview.h>

#include "session/support.h"

namespace rivulet {
namespace {

/// A run of water and strands in which a step fails, and what run.json says of it.
struct FailedRun {
    session::ScratchFolder folder;
    output::RunPaths paths{folder / "out"};
    output::RunRecord record;

    /// `spoil` a world every time a step from 0.1 s on has made one.
    template <class Spoil>
    explicit FailedRun(Spoil&& spoil) {
        session::RunSetup setup;
        setup.test_stage = [&](const StepView& view, int, world::World& next) {
            if (view.time >= 0.1) spoil(next);
        };
        const auto scene = folder.write("scene.toml", session::small_scene());
        session::start(scene, {}, paths.root, false, setup);
        record = output::read_run_record(paths.record().string());
    }
    output::FrameFiles last_frame() const { return {paths.frame(record.frames), paths.fixed(), {}}; }
    /// What the viewer marks in the last frame.
    std::string marked() const { return viewer::locate_entity(last_frame(), record.error->entity); }
};

std::string marks(const std::vector<Vec3f>& points) {
    std::string json;
    for (const Vec3f& p : points)
        json += fmt::format("{}[{:.9g}, {:.9g}, {:.9g}]", json.empty() ? "" : ", ", p.x, p.y, p.z);
    return fmt::format("{{\"points\": [{}]}}", json);
}

/// A step of a real run fails at a particle whose place in the arrays is not its id, and that is another one
/// in the last frame: what run.json says leads the viewer to it.
TEST(ViewerFailure, TheParticleThatFailedIsTheOneThatIsMarked) {
    constexpr std::size_t place = 7;
    std::uint64_t id = 0;
    const FailedRun run([&](world::World& next) {
        id = next.liquid.id[place];
        next.liquid.velocity[place].y = std::numeric_limits<double>::quiet_NaN();
    });
    ASSERT_TRUE(run.record.error);
    ASSERT_NE(id, place) << "the scene must not keep its particles in the order of their ids";
    EXPECT_EQ(run.record.error->entity, fmt::format("liquid/velocity of particle {}", id));

    const io::ArchiveReader frame(run.last_frame().frame);
    const auto ids = frame.read<std::uint64_t>("liquid/id");
    const auto found = std::find(ids.begin(), ids.end(), id);
    ASSERT_NE(found, ids.end());
    EXPECT_EQ(run.marked(), marks({frame.read<Vec3f>("liquid/position")[std::size_t(found - ids.begin())]}));
}

TEST(ViewerFailure, TheVertexThatIsNotFiniteIsTheOneThatIsMarked) {
    std::size_t vertex = 0;
    const FailedRun run([&](world::World& next) {
        vertex = std::size_t(next.strands.start[4]) + 3;
        next.strands.velocity[vertex].z = std::numeric_limits<double>::infinity();
    });
    ASSERT_TRUE(run.record.error);
    EXPECT_EQ(run.record.error->stage, "commit");
    EXPECT_EQ(run.record.error->frame, run.record.frames + 1);
    const io::ArchiveReader fixed(run.paths.fixed()), frame(run.last_frame().frame);
    const auto id = fixed.read<std::uint64_t>("strands/id").at(4);
    EXPECT_EQ(run.record.error->entity, fmt::format("strands/velocity of strand {}, vertex 3", id));
    EXPECT_EQ(run.marked(), marks({frame.read<Vec3f>("strands/position").at(vertex)}));
}

/// Newton's method itself fails: a strand has been given a speed that no step can go on from.
TEST(ViewerFailure, TheStrandThatFoundNoEndOfTheStepIsTheOneThatIsMarked) {
    constexpr std::size_t strand = 6;
    const FailedRun run([&](world::World& next) {
        next.strands.velocity[std::size_t(next.strands.start[strand]) + 3] = {1e160, -1e160, 1e160};
    });
    EXPECT_EQ(run.record.status, output::RunStatus::failed);
    ASSERT_TRUE(run.record.error);
    EXPECT_EQ(run.record.error->stage, "predict_solids") << run.record.error->message;
    EXPECT_EQ(run.record.error->frame, run.record.frames + 1);
    const io::ArchiveReader fixed(run.paths.fixed()), frame(run.last_frame().frame);
    EXPECT_EQ(run.record.error->entity,
              fmt::format("strand {}", fixed.read<std::uint64_t>("strands/id").at(strand)));
    const auto start = fixed.read<std::int64_t>("strands/start");
    const auto position = frame.read<Vec3f>("strands/position");
    EXPECT_EQ(run.marked(), marks({position.begin() + start[strand], position.begin() + start[strand + 1]}));
}

}  // namespace
}  // namespace rivulet
