#include <rivulet/session/run.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/units.h>
#include <rivulet/base/version.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/inputs.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/scene.h>

namespace rivulet::session {

namespace {

using output::RunDirectory;
using output::RunRecord;
using output::RunStatus;
using Clock = std::chrono::steady_clock;

constexpr double kRecordEvery = 2;  // s of wall time between heartbeats, at most one per step

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// One process working on one run directory.
class Run {
 public:
    Run(RunDirectory directory, const scene::Scene& scene, scene::Built built, RunRecord record,
        const RunSetup& setup)
        : directory_(std::move(directory)),
          scene_(scene),
          model_(std::move(built.model)),
          world_(std::move(built.world)),
          record_(std::move(record)),
          setup_(setup) {
        for (const std::string& w : built.warnings) warn(w);
        for (const std::string& n : built.notes) say(LogLevel::info, n);
        last_frame_ = model_.last_frame();
        if (setup.limits.end)
            last_frame_ = static_cast<std::int64_t>(std::floor(*setup.limits.end * model_.fps + 1e-9));
        if (setup.limits.frames) last_frame_ = *setup.limits.frames;
        record_.last_frame = last_frame_;
        record_.fps = model_.fps;
        record_.seed = model_.seed;
        record_.vertices = static_cast<std::int64_t>(world_.strands.vertex_count());
        wall_before_ = record_.wall_seconds;
        steps_before_ = world_.clock.step;
        frames_before_ = world_.clock.frame;
    }

    /// The first files of a new run: static arrays and frame 0.
    void begin() {
        tell_what_was_left();
        update_record(RunStatus::running);
        output::write_static(directory_.files(), directory_.paths().fixed(), model_, world_);
        write_frame();
    }
    /// Replaces the start by a stored state; what was written after it is dropped.
    void continue_from(output::Checkpoint checkpoint) {
        world_ = std::move(checkpoint.world);
        steps_before_ = world_.clock.step;
        frames_before_ = world_.clock.frame;
        for (const std::string& w :
             directory_.rewind(world_.clock.step, world_.clock.frame, checkpoint.lists))
            warn(w);
        update_record(RunStatus::running);
    }
    /// A run that has no checkpoint yet begins once more.
    void begin_again() {
        directory_.rewind(0, -1, {});
        begin();
    }

    RunRecord finish() {
        try {
            loop();
        } catch (const StepFailed& failure) {
            record_.error =
                RunRecord::Failure{failure.stage, failure.entity, failure.reason, world_.clock.frame};
            say(LogLevel::warning, fmt::format("stopped: {}", failure.what()));
            write_checkpoint();
            update_record(RunStatus::failed);
        } catch (const IoError& failure) {
            record_.error = RunRecord::Failure{"output", "files", failure.what(), world_.clock.frame};
            try {
                update_record(RunStatus::failed);
            } catch (const IoError&) {
                // The record cannot be written either; the caller learns of the first failure.
            }
            throw;
        }
        return record_;
    }

 private:
    void loop() {
        const Log log([this](LogLevel level, const std::string& text) { say(level, text); });
        world::Stepper stepper(model_, log, setup_.test_stage);
        while (world_.clock.frame < last_frame_) {
            if (setup_.rebuild_stepper) {
                world::Stepper fresh(model_, log, setup_.test_stage);
                step(fresh);
            } else {
                step(stepper);
            }
            if (setup_.watcher.stop_wanted && setup_.watcher.stop_wanted()) {
                write_checkpoint();
                update_record(RunStatus::interrupted);
                return;
            }
        }
        write_checkpoint();
        update_record(RunStatus::finished);
    }

    void step(world::Stepper& stepper) {
        const std::int64_t frame_before = world_.clock.frame;
        const world::StepCounts counts = stepper.advance(world_);
        const world::Metrics metrics = world::measure(model_, world_, counts);
        directory_.append_metrics(metrics);
        directory_.append_timings(world_.clock.step, stepper.timers());
        record_.particles_max = std::max(record_.particles_max, metrics.particles);
        record_.grid_cells_max = std::max(record_.grid_cells_max, metrics.grid_cells);
        add_stage_times(stepper.timers());
        const bool frame_done = world_.clock.frame != frame_before;
        if (frame_done) {
            require_disk_space();
            write_frame();
            if (seconds_since(checkpoint_written_) >= scene_.checkpoint.every) write_checkpoint();
        }
        if (frame_done || seconds_since(record_written_) > kRecordEvery) update_record(RunStatus::running);
        tell(counts, frame_done);
    }

    void add_stage_times(const StageTimers& timers) {
        for (const auto& stage : timers.stages()) {
            auto known = std::find_if(record_.stages.begin(), record_.stages.end(),
                                      [&](const auto& s) { return s.name == stage.name; });
            if (known == record_.stages.end()) known = record_.stages.insert(known, {stage.name});
            known->seconds += stage.seconds;
            ++known->calls;
        }
    }

    void require_disk_space() {
        const auto free = directory_.files().free_space(directory_.paths().root);
        if (static_cast<double>(free) < scene_.output.min_free_disk)
            throw StepFailed("disk",
                             fmt::format("only {:.3g} GB free, output.min_free_disk asks for {:.3g} GB",
                                         static_cast<double>(free) / 1e9, scene_.output.min_free_disk / 1e9))
                .in_stage("output");
    }

    void write_frame() {
        directory_.write_frame(
            model_, world_,
            {.precision = scene_.output.precision == scene::Precision::single_ ? io::Precision::float32
                                                                               : io::Precision::exact,
             .deflate = scene_.output.compress});
    }

    void write_checkpoint() {
        directory_.write_checkpoint(world_, static_cast<int>(scene_.checkpoint.keep));
        checkpoint_written_ = Clock::now();
    }

    void update_record(RunStatus status) {
        record_.status = status;
        record_.version = version();
        record_.host = host_name();
        record_.pid = process_id();
        record_.threads = thread_count();
        record_.heartbeat = seconds_since_1970();
        record_.steps = world_.clock.step;
        record_.frames = world_.clock.frame;
        record_.simulated_seconds = world_.clock.time;
        record_.wall_seconds = wall_before_ + seconds_since(begin_);
        record_.peak_memory_bytes = std::max(record_.peak_memory_bytes, peak_memory_bytes());
        directory_.flush();
        directory_.write_record(record_);
        record_written_ = Clock::now();
    }

    void tell(const world::StepCounts& counts, bool frame_done) {
        if (!setup_.watcher.step) return;
        News news;
        news.frame = world_.clock.frame;
        news.last_frame = last_frame_;
        news.step = world_.clock.step;
        news.time = world_.clock.time;
        news.dt = counts.dt;
        news.particles = static_cast<std::int64_t>(world_.liquid.size());
        news.elapsed = seconds_since(begin_);
        const double begin_time = world::frame_time(frames_before_, model_.fps);
        const double done = world_.clock.time - begin_time;
        const double all = world::frame_time(last_frame_, model_.fps) - begin_time;
        news.remaining = done > 0 ? news.elapsed * (all - done) / done : 0;
        news.frame_done = frame_done;
        setup_.watcher.step(news);
    }

    void tell_what_was_left() {
        constexpr std::size_t kNamed = 5;
        const auto& left = directory_.left();
        if (left.empty()) return;
        std::string names;
        for (std::size_t i = 0; i < std::min(left.size(), kNamed); ++i)
            names += (i > 0 ? ", " : "") + left[i].string();
        if (left.size() > kNamed) names += fmt::format(" and {} more", left.size() - kNamed);
        say(LogLevel::warning,
            fmt::format("left in {}, as no run wrote it: {}", directory_.paths().root.string(), names));
    }

    void warn(const std::string& text) {
        if (std::find(record_.warnings.begin(), record_.warnings.end(), text) == record_.warnings.end())
            record_.warnings.push_back(text);
        say(LogLevel::warning, text);
    }

    void say(LogLevel level, const std::string& text) {
        directory_.append_log((level == LogLevel::warning ? "warning: " : "") + text);
        if (setup_.watcher.message) setup_.watcher.message(level, text);
    }

    RunDirectory directory_;
    const scene::Scene& scene_;
    world::Model model_;
    world::World world_;
    RunRecord record_;
    const RunSetup& setup_;
    std::int64_t last_frame_ = 0, steps_before_ = 0, frames_before_ = 0;
    double wall_before_ = 0;
    Clock::time_point begin_ = Clock::now(), checkpoint_written_ = begin_, record_written_ = begin_;
};

/// The newest checkpoint that can be read; damaged ones are named and passed over. Nothing when the run has
/// none yet. When there are some and none is good, going on would mean to throw frames away: that is refused.
std::optional<output::Checkpoint> newest_good_checkpoint(const output::RunPaths& paths,
                                                         std::vector<std::string>& warnings) {
    std::vector<Problem> problems;
    for (std::int64_t step : output::checkpoint_steps(paths)) {
        try {
            output::Checkpoint checkpoint = output::read_checkpoint(paths.checkpoint(step));
            for (const Problem& p : problems)
                warnings.push_back("passed over a checkpoint that cannot be used: " + p.text());
            return checkpoint;
        } catch (const InputError& e) {
            problems.insert(problems.end(), e.problems().begin(), e.problems().end());
        }
    }
    if (problems.empty()) return std::nullopt;
    problems.push_back(
        {paths.root.string(), 0, 0, "", "no checkpoint of this run can be used",
         "nothing was changed; begin again with 'rivulet run " + paths.scene().string() + " -o ELSEWHERE'"});
    throw InputError(std::move(problems));
}

std::string hash_of(const std::string& text) {
    return io::hash_text(io::xxh64(std::as_bytes(std::span(text))));
}

/// A checkpoint belongs to the scene it was computed with.
void require_unchanged_scene(const output::RunPaths& paths, const RunRecord& record) {
    if (record.scene_xxh64.empty() || hash_of(io::read_text(paths.scene())) == record.scene_xxh64) return;
    throw InputError(Problem{
        paths.scene().string(), 0, 0, "", "was edited after the run started, which goes on only as it began",
        fmt::format(
            "take the edit back, or start a new run from the edited scene: 'rivulet run {} -o ELSEWHERE'",
            paths.scene().string())});
}

}  // namespace

double parse_time(const std::string& text) {
    const auto refuse = [&](const std::string& message) {
        return InputError(Problem{"", 0, 0, "--end", message, "write a time with its unit, e.g. '6 s'"});
    };
    try {
        const Quantity q = parse_quantity(text);
        if (!same(q.dimension, parse_unit("s"))) throw refuse(fmt::format("\"{}\" is not a time", text));
        return q.value;
    } catch (const UnitError& e) {
        throw refuse(e.what());
    }
}

RunRecord start(const std::filesystem::path& scene_path, const std::vector<std::string>& settings,
                const std::filesystem::path& out, bool overwrite, const RunSetup& setup) {
    scene::ReadReport report;
    const scene::Scene scene = scene::read_scene(scene_path.string(), settings, &report);
    scene::Built built = scene::build(scene);
    const std::string text = scene::resolved_text(scene, output::input_folders(report.files));
    RunRecord record;
    record.scene = scene_path.string();
    record.scene_xxh64 = hash_of(text);
    RunDirectory directory = RunDirectory::create(*setup.files, out, overwrite, record, report.files);
    output::store_inputs(*setup.files, out, report.files);
    directory.write_scene(text);
    Run run(std::move(directory), scene, std::move(built), std::move(record), setup);
    run.begin();
    return run.finish();
}

RunRecord resume(const std::filesystem::path& out, const RunSetup& setup) {
    RunDirectory directory = RunDirectory::reopen(*setup.files, out);
    const output::RunPaths paths = directory.paths();
    RunRecord record = output::read_run_record(paths.record().string());
    record.error.reset();
    output::require_unchanged_inputs(paths.inputs());
    require_unchanged_scene(paths, record);
    const scene::Scene scene = scene::read_scene(paths.scene().string());
    scene::Built built = scene::build(scene);
    std::optional<output::Checkpoint> stored = newest_good_checkpoint(paths, built.warnings);
    Run run(std::move(directory), scene, std::move(built), std::move(record), setup);
    if (stored)
        run.continue_from(std::move(*stored));
    else
        run.begin_again();
    return run.finish();
}

}  // namespace rivulet::session
