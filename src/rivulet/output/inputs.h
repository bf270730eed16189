#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>

namespace rivulet::output {

/// Where copies of input files go, relative to the run: a folder of its own for each folder they lie in
/// (inputs/0, inputs/1, ...), with the names they have, so that a name that stands for several still does.
std::map<std::string, std::string> input_folders(const std::vector<std::string>& inputs);

/// Copies every file the scene read to its place in `input_folders`, and writes inputs/inputs.json with path,
/// size and hash of each. Scene texts (.toml) are kept for the record; scene.toml holds all they said, so
/// resuming does not need them.
void store_inputs(io::FileSystem& files, const std::filesystem::path& run,
                  const std::vector<std::string>& inputs);

/// Names of the files `store_inputs` wrote, the list itself at the end; none when there is no list.
/// `folder` is inputs/ of the run.
std::vector<std::string> stored_inputs(const std::filesystem::path& folder);

/// Throws InputError that names every file which is gone or no longer what it was.
void require_unchanged_inputs(const std::filesystem::path& folder);

}  // namespace rivulet::output
