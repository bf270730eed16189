#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/output/run_directory.h>

namespace rivulet::session {

/// Those of the frames on disk that "" (all), "last", "N" or "A:B" (either end may be left out, both are
/// included) picks. Throws InputError for a text that is no range, a folder that is no run, or when nothing
/// is picked.
std::vector<std::int64_t> pick_frames(const output::RunPaths& paths, const std::string& range);

}  // namespace rivulet::session
