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

/// The newest state of a run that is not later than the end of a frame; nothing when it has none.
std::optional<world::World> state_before(const output::RunPaths& paths, std::int64_t frame, double fps,
                                         const RunSetup& setup) {
    for (const std::int64_t step : output::checkpoint_steps(paths)) {
        try {
            output::Checkpoint stored = output::read_checkpoint(paths.checkpoint(step));
            if (not_later(stored.world, frame, fps)) return std::move(stored.world);
        } catch (const InputError& damaged) {
            if (setup.watcher.message)
                setup.watcher.message(LogLevel::warning, std::string("passed over: ") + damaged.what());
        }
    }
    return std::nullopt;
}

/// The state at the end of a frame of a run, bit for bit. The start of a run that is itself a branch is not
/// the one that its scene describes, so that it can be had from its checkpoints only.
world::World state_at(const output::RunPaths& paths, const output::RunRecord& record, std::int64_t frame,
                      scene::Built built, const RunSetup& setup) {
    std::optional<world::World> stored = state_before(paths, frame, built.model.fps, setup);
    if (!stored && !record.branched_from.empty())
        throw InputError(Problem{
            paths.root.string(), 0, 0, "--at",
            fmt::format("the run has no state from which frame {} could be computed: it began as a branch "
                        "of {}",
                        frame, record.branched_from),
            "branch from that run, or at a later frame"});
    world::World world = stored ? std::move(*stored) : std::move(built.world);
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

void require_another_folder(const BranchOrder& order) {
    if (fs::weakly_canonical(order.from) == fs::weakly_canonical(order.out))
        throw InputError(
            Problem{order.out.string(), 0, 0, "--out", "is the run to branch from", "give another folder"});
}

/// How far a point of an obstacle stands, at a time, from where another model has it [m]: the farthest of its
/// vertices when it deforms in both; else the farthest of its bounds, as poses differ by an affine map. What
/// has no bounds is asked near the origin of its rest frame.
double jump_of(std::size_t i, const world::Model& before, const world::Model& after, double time) {
    const obstacle::ObstacleSet &a = before.obstacles, &b = after.obstacles;
    std::vector<Vec3d> from = a.vertices_at(i, time), to = b.vertices_at(i, time);
    if (from.size() != to.size() || from.empty()) {
        geometry::Bounds rest = (a.deforms(i) ? b : a).shape(i).bounds();
        if (!rest.is_finite()) rest = geometry::Bounds{{}, {}}.grown(1);
        from.clear(), to.clear();
        for (int corner = 0; corner < 8; ++corner) {
            from.push_back(a.pose_at(i, time).apply(rest.corner(corner)));
            to.push_back(b.pose_at(i, time).apply(rest.corner(corner)));
        }
    }
    double most = 0;
    for (std::size_t k = 0; k < from.size(); ++k) most = std::max(most, length(to[k] - from[k]));
    return most;
}

/// Obstacles that stand elsewhere from one moment to the next hit like hammers.
std::vector<std::string> jumps(const world::Model& before, const world::Model& after, double time) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < before.obstacles.size(); ++i)
        if (const double jump = jump_of(i, before, after, time); jump > 1e-3 * after.cell)
            out.push_back(fmt::format("obstacle '{}' jumps by {:.3g} m at {:.4g} s, where the branch begins",
                                      after.obstacles.description(i).name, jump, time));
    return out;
}

}  // namespace

output::RunRecord branch(const BranchOrder& order, const RunSetup& setup) {
    const output::RunPaths paths{order.from};
    const output::RunRecord old = output::read_run_record(paths.record().string());
    output::require_unchanged_inputs(paths.inputs());
    require_frame(paths, old, order.frame);
    require_another_folder(order);
    scene::ReadReport first_report, report;
    const scene::Scene before = original_scene(paths, old, &first_report);
    if (!order.scene) require_unchanged_scene(paths, old);
    const fs::path written = order.scene ? *order.scene : paths.scene();
    const scene::Scene after = scene::read_scene(written.string(), order.settings, &report,
                                                 fs::weakly_canonical(paths.root).string());
    scene::Changes changes = scene::changes_between({before, first_report.files}, {after, report.files});
    if (!changes.refused.empty()) throw InputError(std::move(changes.refused));

    scene::Built built = scene::build(after), first = scene::build(before);
    const std::vector<std::string> warnings =
        jumps(first.model, built.model, world::frame_time(order.frame, before.time.fps));
    built.warnings.insert(built.warnings.end(), warnings.begin(), warnings.end());
    built.world = state_at(paths, old, order.frame, std::move(first), setup);
    world::adapt(built.model, built.world);

    output::RunRecord record;
    record.scene = written.string();
    record.branched_from = fmt::format("{} at frame {}", order.from.string(), order.frame);
    record.first_step = built.world.clock.step;
    const std::string text = scene::resolved_text(after, output::input_folders(report.files));
    output::RunDirectory directory =
        create_run(order.out, order.overwrite, text, report.files, record, setup);
    directory.take_over(paths, built.world.clock.step, order.frame);
    for (const std::string& key : changes.keys) directory.append_log("changed: " + key);
    Run run(std::move(directory), after, std::move(built), std::move(record), setup);
    run.begin_with_frames();
    return run.finish();
}

}  // namespace rivulet::session
