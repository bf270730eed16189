#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/base/log.h>
#include <rivulet/io/file_system.h>
#include <rivulet/output/run_record.h>
#include <rivulet/world/stepper.h>

namespace rivulet::session {

/// What a watcher is told after every step.
struct News {
    std::int64_t frame = 0, last_frame = 0, step = 0;
    double time = 0, dt = 0;
    std::int64_t particles = 0;
    double elapsed = 0, remaining = 0;  // wall seconds; remaining is an estimate
    bool frame_done = false;
};

struct Watcher {
    std::function<void(const News&)> step;
    std::function<void(LogLevel, const std::string&)> message;
    /// Asked after every step; true ends the run with a checkpoint, as `interrupted`.
    std::function<bool()> stop_wanted;
};

struct Limits {
    std::optional<std::int64_t> frames;  // stop after this frame
    std::optional<double> end;           // or at this time, s
};

struct RunSetup {
    io::FileSystem* files = &io::real_file_system();
    Limits limits;
    Watcher watcher;
    /// Failures on command, and a new Stepper for every step: for tests.
    world::Stepper::TestStage test_stage;
    bool rebuild_stepper = false;
};

/// "6 s", "0.5 min"; throws InputError when it is no time.
double parse_time(const std::string& text);

/// Simulates a scene into a new run directory. Bad input throws before anything is written. A step that fails
/// for good ends the run with status `failed` in the returned record; earlier frames and checkpoints stay.
output::RunRecord start(const std::filesystem::path& scene, const std::vector<std::string>& settings,
                        const std::filesystem::path& out, bool overwrite, const RunSetup& setup);

/// Continues a run from its newest good checkpoint, bit for bit; also extends a finished one.
output::RunRecord resume(const std::filesystem::path& out, const RunSetup& setup);

}  // namespace rivulet::session
