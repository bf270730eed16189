#include <rivulet/session/branch.h>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/output/inputs.h>
#include <rivulet/scene/changes.h>
#include <rivulet/session/running.h>
#include <rivulet/session/stored_run.h>
#include <rivulet/world/adapt.h>

namespace rivulet::session {
namespace {

namespace fs = std::filesystem;

/// Whether a state is on the way to the beginning of what follows a frame.
bool not_later(const world::World& world, std::int64_t frame, double fps) {
    return world.clock.frame < frame ||
           (world.clock.frame == frame && world.clock.time == world::frame_time(frame, fps));
}

/// The state at the end of a frame of a run, bit for bit.
world::World state_at(const output::RunPaths& paths, std::int64_t frame, scene::Built built,
                      const RunSetup& setup) {
    world::World world = std::move(built.world);
    for (const std::int64_t step : output::checkpoint_steps(paths)) {
        try {
            output::Checkpoint stored = output::read_checkpoint(paths.checkpoint(step));
            if (!not_later(stored.world, frame, built.model.fps)) continue;
            world = std::move(stored.world);
            break;
        } catch (const InputError& damaged) {
            if (setup.watcher.message)
                setup.watcher.message(LogLevel::warning, std::string("passed over: ") + damaged.what());
        }
    }
    if (setup.watcher.message && world.clock.frame < frame)
        setup.watcher.message(LogLevel::info,
                              fmt::format("computing frames {} to {} once more: no checkpoint is nearer",
                                          world.clock.frame + 1, frame));
    world::Stepper stepper(built.model);
    while (world.clock.frame < frame) {
        stepper.advance(world);
        if (setup.watcher.stop_wanted && setup.watcher.stop_wanted())
            throw Error("stopped before the branch began; nothing was written");
    }
    return world;
}

void require_frame(const output::RunPaths& paths, const output::RunRecord& record, std::int64_t frame) {
    if (frame >= 0 && frame <= record.frames && fs::exists(paths.frame(frame))) return;
    throw InputError(Problem{paths.root.string(), 0, 0, "--at", fmt::format("the run has no frame {}", frame),
                             fmt::format("it has frames 0 to {}", record.frames)});
}

/// Obstacles that stand elsewhere from one moment to the next hit like hammers.
std::vector<std::string> jumps(const world::Model& before, const world::Model& after, double time) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < before.obstacles.size(); ++i) {
        if (before.obstacles.deforms(i) || after.obstacles.deforms(i)) continue;
        const double jump = length(after.obstacles.pose_at(i, time).translation -
                                   before.obstacles.pose_at(i, time).translation);
        if (jump > 1e-3 * after.cell)
            out.push_back(fmt::format("obstacle '{}' jumps by {:.3g} m at {:.4g} s, where the branch begins",
                                      after.obstacles.description(i).name, jump, time));
    }
    return out;
}

}  // namespace

output::RunRecord branch(const BranchOrder& order, const RunSetup& setup) {
    const output::RunPaths paths{order.from};
    const output::RunRecord old = output::read_run_record(paths.record().string());
    output::require_unchanged_inputs(paths.inputs());
    require_frame(paths, old, order.frame);
    const scene::Scene before = original_scene(paths, old);
    scene::ReadReport report;
    if (!order.scene) require_unchanged_scene(paths, old);
    const fs::path written = order.scene ? *order.scene : paths.scene();
    const scene::Scene after = scene::read_scene(written.string(), order.settings, &report);
    scene::Changes changes = scene::changes_between(before, after);
    if (!changes.refused.empty()) throw InputError(std::move(changes.refused));

    scene::Built built = scene::build(after), first = scene::build(before);
    const std::vector<std::string> warnings =
        jumps(first.model, built.model, world::frame_time(order.frame, before.time.fps));
    built.warnings.insert(built.warnings.end(), warnings.begin(), warnings.end());
    built.world = state_at(paths, order.frame, std::move(first), setup);
    world::adapt(built.model, built.world);

    output::RunRecord record;
    record.scene = written.string();
    record.branched_from = fmt::format("{} at frame {}", order.from.string(), order.frame);
    const std::string text = scene::resolved_text(after, output::input_folders(report.files));
    record.scene_xxh64 = hash_of_text(text);
    output::RunDirectory directory =
        output::RunDirectory::create(*setup.files, order.out, order.overwrite, record, report.files);
    output::store_inputs(*setup.files, order.out, report.files);
    directory.write_scene(text);
    directory.take_over(paths, built.world.clock.step, order.frame);
    for (const std::string& key : changes.keys) directory.append_log("changed: " + key);
    Run run(std::move(directory), after, std::move(built), std::move(record), setup);
    run.begin_with_frames();
    return run.finish();
}

}  // namespace rivulet::session
