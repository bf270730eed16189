#include <rivulet/session/running.h>

#include <fmt/format.h>

#include <algorithm>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/version.h>
#include <rivulet/output/inputs.h>
#include <rivulet/session/stored_run.h>

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

RunRecord::Failure failure_of_files(const IoError& error, std::int64_t frame) {
    return {"output", "files", error.what(), frame};
}

}  // namespace

RunDirectory create_run(const std::filesystem::path& out, bool overwrite, const std::string& text,
                        const std::vector<std::string>& inputs, RunRecord& record, const RunSetup& setup) {
    record.scene_xxh64 = hash_of_text(text);
    RunDirectory directory = RunDirectory::create(*setup.files, out, overwrite, record, inputs);
    try {
        output::store_inputs(*setup.files, out, inputs);
        directory.write_scene(text);
    } catch (const IoError& error) {
        record.error = failure_of_files(error, 0);
        record.status = RunStatus::failed;
        try {
            directory.write_record(record);
        } catch (const IoError&) {
            // As in Run::recorded.
        }
        throw;
    }
    return directory;
}

Run::Run(RunDirectory directory, const scene::Scene& scene, scene::Built built, RunRecord record,
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
    if (setup.limits.end) last_frame_ = world::last_frame_before(*setup.limits.end, model_.fps);
    if (setup.limits.frames) last_frame_ = *setup.limits.frames;
    record_.last_frame = last_frame_;
    record_.fps = model_.fps;
    record_.seed = model_.seed;
    record_.vertices = world::vertex_count(world_);
    wall_before_ = record_.wall_seconds;
    steps_before_ = world_.clock.step;
    frames_before_ = world_.clock.frame;
}

template <class Work>
void Run::recorded(Work&& work) {
    try {
        work();
    } catch (const IoError& failure) {
        record_.error = failure_of_files(failure, written_ + 1);
        try {
            update_record(RunStatus::failed);
        } catch (const IoError&) {
            // The record cannot be written either; the caller learns of the first failure.
        }
        throw;
    }
}

void Run::begin() {
    start_with(&Run::write_frame);
}

void Run::begin_with_frames() {
    written_ = world_.clock.frame;
    start_with(&Run::write_checkpoint);
}

void Run::start_with(void (Run::*write_state)()) {
    recorded([&] {
        tell_what_was_left();
        update_record(RunStatus::running);
        output::write_static(directory_.files(), directory_.paths().fixed(), model_, world_);
        (this->*write_state)();
    });
}

void Run::continue_from(output::Checkpoint checkpoint) {
    world_ = std::move(checkpoint.world);
    steps_before_ = world_.clock.step;
    frames_before_ = written_ = world_.clock.frame;
    for (const std::string& w : directory_.rewind(world_.clock.step, world_.clock.frame, checkpoint.lists))
        warn(w);
    update_record(RunStatus::running);
}

void Run::begin_again() {
    directory_.rewind(0, -1, {});
    begin();
}

RunRecord Run::finish() {
    recorded([&] {
        try {
            loop();
        } catch (const StepFailed& failure) {
            record_.error = RunRecord::Failure{failure.stage, failure.entity, failure.reason, written_ + 1};
            say(LogLevel::warning, fmt::format("stopped: {}", failure.what()));
            write_checkpoint();
            update_record(RunStatus::failed);
        }
    });
    return record_;
}

void Run::loop() {
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

void Run::step(world::Stepper& stepper) {
    const std::int64_t frame_before = world_.clock.frame;
    // Before the frame is worked on: nothing that cannot be written is in a checkpoint.
    if (frame_before != asked_for_) require_disk_space();
    asked_for_ = frame_before;
    const world::StepCounts counts = advance(stepper);
    const world::Metrics metrics = world::measure(model_, world_, counts);
    directory_.append_metrics(metrics);
    directory_.append_timings(world_.clock.step, stepper.timers());
    record_.particles_max = std::max(record_.particles_max, metrics.particles);
    record_.grid_cells_max = std::max(record_.grid_cells_max, metrics.grid_cells);
    add_stage_times(stepper.timers());
    const bool frame_done = world_.clock.frame != frame_before;
    if (frame_done) {
        write_frame();
        if (seconds_since(checkpoint_written_) >= scene_.checkpoint.every) write_checkpoint();
    }
    if (frame_done || seconds_since(record_written_) > kRecordEvery) update_record(RunStatus::running);
    tell(counts, frame_done);
}

/// Books the time of stages also when one of them failed.
world::StepCounts Run::advance(world::Stepper& stepper) {
    try {
        return stepper.advance(world_);
    } catch (const StepFailed&) {
        add_stage_times(stepper.timers());
        throw;
    }
}

void Run::add_stage_times(const StageTimers& timers) {
    for (const auto& stage : timers.stages()) {
        auto known = std::find_if(record_.stages.begin(), record_.stages.end(),
                                  [&](const auto& s) { return s.name == stage.name; });
        if (known == record_.stages.end()) known = record_.stages.insert(known, {stage.name});
        known->seconds += stage.seconds;
        ++known->calls;
    }
}

void Run::require_disk_space() {
    const auto free = directory_.files().free_space(directory_.paths().root);
    if (static_cast<double>(free) < scene_.output.min_free_disk)
        throw StepFailed("disk",
                         fmt::format("only {:.3g} GB free, output.min_free_disk asks for {:.3g} GB",
                                     static_cast<double>(free) / 1e9, scene_.output.min_free_disk / 1e9))
            .in_stage("output");
}

void Run::write_frame() {
    directory_.write_frame(
        model_, world_,
        {.precision = scene_.output.precision == scene::Precision::single_ ? io::Precision::float32
                                                                           : io::Precision::exact,
         .deflate = scene_.output.compress,
         .contacts = scene_.output.contacts});
    written_ = world_.clock.frame;
}

void Run::write_checkpoint() {
    directory_.write_checkpoint(world_, static_cast<int>(scene_.checkpoint.keep), record_.first_step);
    checkpoint_written_ = Clock::now();
}

void Run::update_record(RunStatus status) {
    record_.status = status;
    record_.version = version();
    record_.host = host_name();
    record_.pid = process_id();
    record_.threads = thread_count();
    record_.heartbeat = seconds_since_1970();
    record_.steps = world_.clock.step;
    record_.frames = std::max<std::int64_t>(written_, 0);
    record_.simulated_seconds = world_.clock.time;
    record_.wall_seconds = wall_before_ + seconds_since(begin_);
    record_.peak_memory_bytes = std::max(record_.peak_memory_bytes, peak_memory_bytes());
    directory_.flush();
    directory_.write_record(record_);
    record_written_ = Clock::now();
}

void Run::tell(const world::StepCounts& counts, bool frame_done) {
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

void Run::tell_what_was_left() {
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

void Run::warn(const std::string& text) {
    if (std::find(record_.warnings.begin(), record_.warnings.end(), text) == record_.warnings.end())
        record_.warnings.push_back(text);
    say(LogLevel::warning, text);
}

void Run::say(LogLevel level, const std::string& text) {
    directory_.append_log((level == LogLevel::warning ? "warning: " : "") + text);
    if (setup_.watcher.message) setup_.watcher.message(level, text);
}

}  // namespace rivulet::session
