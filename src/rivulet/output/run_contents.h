#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include <rivulet/io/file_system.h>
#include <rivulet/output/run_directory.h>

namespace rivulet::output {

/// Whether a relative name means something below the folder it starts from.
bool stays_inside(std::string_view name);

/// What lies in a run directory, by the run's own records: run.json, frames.csv, metrics.csv, inputs.json and
/// the lists of what was made. The lock and run.json itself, which is replaced, are in neither list.
struct RunContents {
    /// Files the records list, relative to the run; a list comes behind the files it lists.
    std::vector<std::filesystem::path> ours;
    /// Files and folders that are somebody else's.
    std::vector<std::filesystem::path> others;
    /// Of the others: those named like frames, surfaces or checkpoints, which a run would take for its own.
    std::vector<std::filesystem::path> in_the_way;
};

RunContents contents_of_run(const RunPaths& paths);

/// Removes what is ours, in an order that loses the lists last.
void remove_run_files(io::FileSystem& files, const RunPaths& paths, const RunContents& contents);

}  // namespace rivulet::output
