#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>

namespace rivulet::output {

inline constexpr int kRunFormat = 1;

enum class RunStatus { running, finished, interrupted, failed };

/// run.json: what happened, rewritten atomically as the run goes.
struct RunRecord {
    struct Failure {
        std::string stage, entity, message;
        std::int64_t frame = 0;  // that was being made: the one after the last written
    };
    struct Stage {
        std::string name;
        double seconds = 0;
        std::uint64_t calls = 0;
    };

    int format = kRunFormat;
    std::string version;
    std::string scene;            // file the run was started from, as typed
    std::string scene_xxh64;      // of the run's own scene.toml; empty in runs of earlier versions
    std::string branched_from;    // "out/first at frame 40"; empty for a run that began by itself
    std::int64_t first_step = 0;  // where it began: what came before was computed by another run
    RunStatus status = RunStatus::running;
    std::optional<Failure> error;
    std::string host;
    std::int64_t pid = 0;
    double heartbeat = 0;  // seconds since 1970, UTC
    int threads = 0;
    std::uint64_t seed = 0;
    std::int64_t steps = 0;
    std::int64_t frames = 0;      // last frame written
    std::int64_t last_frame = 0;  // where the run stops
    double fps = 0;
    double simulated_seconds = 0, wall_seconds = 0;
    std::int64_t peak_memory_bytes = 0;
    std::vector<Stage> stages;
    std::int64_t particles_max = 0, vertices = 0, grid_cells_max = 0;
    std::vector<std::string> warnings;
};

std::string to_text(RunStatus status);

std::string to_json(const RunRecord& record);
/// Throws InputError with `name` as file when the text is not a run record of a format we know.
RunRecord parse_run_record(const std::string& text, const std::string& name);

void write_run_record(io::FileSystem& files, const std::string& path, const RunRecord& record);
RunRecord read_run_record(const std::string& path);

/// A `running` run whose heartbeat is older than this has died, unless its lock is held.
inline constexpr double kHeartbeatTimeout = 120;  // s

}  // namespace rivulet::output
