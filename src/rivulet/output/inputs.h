#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>

namespace rivulet::output {

/// Writes inputs/inputs.json with path, size and hash of every file the scene read, and copies of the small
/// ones. Scene texts (.toml) are kept for the record; scene.toml holds all they said, so resuming does not
/// need them.
void store_inputs(io::FileSystem& files, const std::filesystem::path& folder,
                  const std::vector<std::filesystem::path>& inputs);

/// Names of the files `store_inputs` wrote, the list itself at the end; none when there is no list.
std::vector<std::string> stored_inputs(const std::filesystem::path& folder);

/// Throws InputError that names every file which is gone or no longer what it was.
void require_unchanged_inputs(const std::filesystem::path& folder);

}  // namespace rivulet::output
