#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/session/run.h>

namespace rivulet::session {

/// Where a run goes on with other numbers.
struct BranchOrder {
    std::filesystem::path from;                  // a run
    std::int64_t frame = 0;                      // the last frame of it that the new run shares
    std::optional<std::filesystem::path> scene;  // the changed scene; without it that of the run
    std::vector<std::string> settings;           // "key=value", on top of the scene
    std::filesystem::path out;
    bool overwrite = false;
};

/// Goes on from a frame of a run, with changed keys, into a new run directory that holds the frames and rows
/// up to there as if it had computed them. Starts from the newest checkpoint not later than the frame and
/// computes what lies between once more. Keys that cannot change (scene/changes.h) are refused before
/// anything is written.
output::RunRecord branch(const BranchOrder& order, const RunSetup& setup);

}  // namespace rivulet::session
