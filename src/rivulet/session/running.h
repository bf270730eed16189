#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <rivulet/output/run_directory.h>
#include <rivulet/scene/build.h>
#include <rivulet/session/run.h>

namespace rivulet::session {

/// A new run directory with the scene's text and copies of its inputs in it.
output::RunDirectory create_run(const std::filesystem::path& out, bool overwrite, const std::string& text,
                                const std::vector<std::string>& inputs, output::RunRecord& record,
                                const RunSetup& setup);

/// One process working on one run directory.
class Run {
 public:
    Run(output::RunDirectory directory, const scene::Scene& scene, scene::Built built,
        output::RunRecord record, const RunSetup& setup);

    /// The first files of a new run: static arrays and frame 0.
    void begin();
    /// Replaces the start by a stored state; what was written after it is dropped.
    void continue_from(output::Checkpoint checkpoint);
    /// The same for a run that took over the frames up to its present state from another one.
    void begin_with_frames();
    /// A run that has no checkpoint yet begins once more.
    void begin_again();
    output::RunRecord finish();

 private:
    /// Does a part of the run; when its files cannot be written, the record says so.
    template <class Work>
    void recorded(Work&& work);
    void start_with(void (Run::*write_state)());
    void loop();
    void step(world::Stepper& stepper);
    world::StepCounts advance(world::Stepper& stepper);
    void add_stage_times(const StageTimers& timers);
    void require_disk_space();
    void write_frame();
    void write_checkpoint();
    void update_record(output::RunStatus status);
    void tell(const world::StepCounts& counts, bool frame_done);
    void tell_what_was_left();
    void warn(const std::string& text);
    void say(LogLevel level, const std::string& text);

    output::RunDirectory directory_;
    const scene::Scene& scene_;
    world::Model model_;
    world::World world_;
    output::RunRecord record_;
    const RunSetup& setup_;
    std::int64_t last_frame_ = 0, steps_before_ = 0, frames_before_ = 0;
    std::int64_t written_ = -1;    // last frame that is written
    std::int64_t asked_for_ = -1;  // last frame after which the disk was asked for space
    double wall_before_ = 0;
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now(), checkpoint_written_ = begin_, record_written_ = begin_;
};

}  // namespace rivulet::session
