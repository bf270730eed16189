#pragma once

#include <string>
#include <vector>

namespace rivulet::cli {

/// Reads and builds the scene (every problem is thrown), then prints sizes, materials, memory and time.
void print_scene_info(const std::string& scene, const std::vector<std::string>& settings, bool json);

/// What a run did, from its run.json, lock and frames.
void print_run_info(const std::string& out, bool json);

}  // namespace rivulet::cli
