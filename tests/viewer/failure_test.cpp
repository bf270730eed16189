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

/// A step of a real run fails at a particle whose place in the arrays is not its id, and that is another one
/// in the last frame: what run.json says leads the viewer to it.
TEST(ViewerFailure, TheParticleThatFailedIsTheOneThatIsMarked) {
    const session::ScratchFolder folder;
    const auto scene = folder.write("scene.toml", session::small_scene());
    constexpr std::size_t place = 7;
    std::uint64_t id = 0;
    session::RunSetup setup;
    setup.test_stage = [&](const StepView& view, int, world::World& next) {
        if (view.time < 0.1) return;
        id = next.liquid.id[place];
        next.liquid.velocity[place].y = std::numeric_limits<double>::quiet_NaN();
    };
    session::start(scene, {}, folder / "out", false, setup);
    const output::RunPaths paths{folder / "out"};
    const auto record = output::read_run_record(paths.record().string());
    ASSERT_TRUE(record.error);
    ASSERT_NE(id, place) << "the scene must not keep its particles in the order of their ids";
    EXPECT_EQ(record.error->entity, fmt::format("liquid/velocity of particle {}", id));

    const io::ArchiveReader frame(paths.frame(record.error->frame));
    const auto ids = frame.read<std::uint64_t>("liquid/id");
    const auto found = std::find(ids.begin(), ids.end(), id);
    ASSERT_NE(found, ids.end());
    const Vec3f p = frame.read<Vec3f>("liquid/position")[std::size_t(found - ids.begin())];
    EXPECT_EQ(
        viewer::locate_entity({paths.frame(record.error->frame), paths.fixed(), {}}, record.error->entity),
        fmt::format("{{\"points\": [[{:.9g}, {:.9g}, {:.9g}]]}}", p.x, p.y, p.z));
}

}  // namespace
}  // namespace rivulet
