#include <numbers>
#include <numeric>

#include "session/support.h"
#include "support/same_world.h"

#include <rivulet/output/frame.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/session/exports.h>
#include <rivulet/viewer/preview.h>

/// Contacts and bridges in frames, for the viewer and for exports.
namespace rivulet::viewer {
namespace {

using session::ScratchFolder;
using session::start;
namespace fs = std::filesystem;

constexpr double kRadius = 0.5e-3, kLength = 0.04, kDensity = 1130;

/// A noodle lies on a table; two wet hairs, as thick and far too stiff to bend, hang beside each other.
std::string noodles(bool contacts) {
    const auto strands = [](const std::string& name, const std::string& material, const std::string& groom,
                            const std::string& more) {
        return "[strands." + name + "]\nmaterial = \"" + material +
               "\"\nradius = { root = \"0.5 mm\" }\nsegment = \"4 mm\"\n" +
               "groom = { type = \"rows\", length = \"4 cm\", " + groom + " }\n" + more;
    };
    return std::string("format = 1\ntime = { fps = 50, end = \"0.2 s\" }\nstep = { max = \"2 ms\" }\n") +
           "output = { min_free_disk = 0, contacts = " + (contacts ? "true" : "false") +
           " }\n[material.wetted]\ntype = \"strand\"\nbase = \"human_hair\"\ncontact_angle = "
           "0\n[obstacle.table]\nshape = { type = \"plane\", point = \"0, -10, 0 cm\" }\n" +
           strands("lying", "cooked_spaghetti", "origin = \"5, -9.95, 0 cm\", direction = [1, 0, 0]",
                   "root = { type = \"free\" }\n") +
           strands("wet", "wetted",
                   "origin = \"0, 0, 0 cm\", columns = 2, column_step = \"1.15, 0, 0 mm\", direction = "
                   "[0, -1, 0]",
                   "film = { liquid = \"water\", thickness = \"0.1 mm\" }\n");
}

output::Frame last_frame(const fs::path& run) {
    const output::RunPaths paths{run};
    std::vector<std::string> messages;
    output::Frame frame = output::read_frame({paths.frame(10), paths.fixed(), {}}, messages);
    EXPECT_TRUE(messages.empty()) << messages[0];
    return frame;
}

const output::FrameGroup* find(const output::Frame& frame, std::string_view name) {
    for (const output::FrameGroup& g : frame.groups)
        if (g.name == name) return &g;
    return nullptr;
}

TEST(ContactFrames, SayWhereThingsTouchHowHardAndWhatLiquidJoins) {
    const ScratchFolder folder;
    const auto record = start(folder.write("scene.toml", noodles(true)), {}, folder / "out", false, {});
    ASSERT_EQ(record.status, output::RunStatus::finished);
    const output::Frame frame = last_frame(folder / "out");
    const output::FrameGroup* contacts = find(frame, "contacts");
    ASSERT_TRUE(contacts);
    EXPECT_EQ(contacts->shape, GroupShape::lines);
    const auto gap = contacts->find("gap"), force = contacts->find("force"),
               bridge = contacts->find("bridge"), radius = contacts->find("radius");
    ASSERT_EQ(force.size(), contacts->position.size());
    ASSERT_EQ(gap.size(), contacts->position.size());
    ASSERT_EQ(bridge.size(), contacts->position.size());
    double carried = 0, drawn = 0;
    int bridges = 0, supports = 0;
    for (std::size_t k = 0; k < contacts->lines(); ++k) {
        const auto i = std::size_t(contacts->start[k]);
        ASSERT_EQ(contacts->start[k + 1] - contacts->start[k], 2);
        const Vec3f from = contacts->position[i], to = contacts->position[i + 1];
        EXPECT_NEAR(radius[i], 1.2 * kRadius, 1e-9);
        if (bridge[i] != 0) {
            ++bridges;
            drawn += force[i];
            EXPECT_NEAR(length(from - to), gap[i] + 2 * kRadius, 0.1 * kRadius);
        } else if (from.y < -0.05f) {
            ++supports;
            carried += force[i];
            EXPECT_NEAR(to.y, -0.1, 1e-6);
            EXPECT_NEAR(gap[i], 0, 0.02 * kRadius);
        }
    }
    EXPECT_GE(supports, 2);
    EXPECT_GE(bridges, 10);
    EXPECT_LT(drawn, 0) << "water draws them together";
    const double weight = kDensity * std::numbers::pi * kRadius * kRadius * kLength * 9.81;
    EXPECT_NEAR(carried / weight, 1, 0.02);
}

TEST(ContactFrames, AreShownAndExportedLikeAnyLines) {
    const ScratchFolder folder;
    start(folder.write("scene.toml", noodles(true)), {}, folder / "out", false, {});
    const output::RunPaths paths{folder / "out"};
    const std::string packet = make_preview(10, {paths.frame(10), paths.fixed(), {}});
    EXPECT_NE(packet.find("\"contacts\""), std::string::npos);
    EXPECT_NE(packet.find("\"force\""), std::string::npos);
    const output::Frame frame = last_frame(folder / "out");
    const output::ExportFrame exported = session::export_frame(frame, 10, {});
    const auto curves = std::find_if(exported.curves.begin(), exported.curves.end(),
                                     [](const output::ExportCurves& c) { return c.name == "contacts"; });
    ASSERT_NE(curves, exported.curves.end());
    EXPECT_EQ(curves->start.size(), find(frame, "contacts")->start.size());
    // How many there are changes from frame to frame.
    for (const auto format : {session::ExportFormat::usda, session::ExportFormat::vtk}) {
        session::ExportJob job;
        job.format = format;
        job.frames = {0, 5, 10};
        const session::ExportResult result = session::export_run(io::real_file_system(), paths, job);
        EXPECT_EQ(result.made, 3);
        EXPECT_TRUE(result.failed.empty()) << result.failed[0];
    }
}

TEST(ContactFrames, AreThereOnlyWhenAskedFor) {
    const ScratchFolder folder;
    start(folder.write("scene.toml", noodles(false)), {}, folder / "out", false, {});
    EXPECT_FALSE(find(last_frame(folder / "out"), "contacts"));
    // They are no truth: the same run otherwise.
    start(folder.write("with.toml", noodles(true)), {}, folder / "with", false, {});
    const output::RunPaths a{folder / "out"}, b{folder / "with"};
    EXPECT_EQ(world::first_difference(
                  output::read_checkpoint(a.checkpoint(output::checkpoint_steps(a).front())).world,
                  output::read_checkpoint(b.checkpoint(output::checkpoint_steps(b).front())).world),
              "");
}

}  // namespace
}  // namespace rivulet::viewer
