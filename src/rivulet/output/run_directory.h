#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/io/append_file.h>
#include <rivulet/io/lock_file.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/run_record.h>
#include <rivulet/output/state_archive.h>

namespace rivulet::output {

/// Names inside a run directory.
struct RunPaths {
    std::filesystem::path root;
    std::filesystem::path scene() const { return root / "scene.toml"; }
    std::filesystem::path record() const { return root / "run.json"; }
    std::filesystem::path metrics() const { return root / "metrics.csv"; }
    std::filesystem::path timings() const { return root / "timings.csv"; }
    std::filesystem::path frame_list() const { return root / "frames.csv"; }
    std::filesystem::path log() const { return root / "log.txt"; }
    std::filesystem::path inputs() const { return root / "inputs"; }
    /// A second copy of scene.toml, for the day that somebody edits the first.
    std::filesystem::path original_scene() const { return inputs() / "scene.toml"; }
    std::filesystem::path fixed() const { return root / "static.npz"; }
    std::filesystem::path lock() const { return root / "lock"; }
    std::filesystem::path frames() const { return root / "frames"; }
    std::filesystem::path frame(std::int64_t k) const;
    std::filesystem::path checkpoints() const { return root / "checkpoints"; }
    std::filesystem::path checkpoint(std::int64_t step) const;
    std::filesystem::path surfaces() const { return root / "surface"; }
    std::filesystem::path surface(std::int64_t k) const;
    std::filesystem::path pictures() const { return root / "pictures"; }
    std::filesystem::path picture(std::int64_t k) const;
    std::filesystem::path exports(const std::string& format) const { return root / "export" / format; }
};

/// Step numbers of the checkpoints on disk, newest first.
std::vector<std::int64_t> checkpoint_steps(const RunPaths& paths);
/// Numbers of the frames on disk, ascending.
std::vector<std::int64_t> frame_numbers(const RunPaths& paths);

/// A run directory held by this process: locked, its files open for appending.
class RunDirectory {
 public:
    /// A new run, whose first record is the first thing written. An existing folder must be empty, or a run
    /// of ours and `overwrite` set, or one that died before it had anything: then the files that its records
    /// list are removed, nothing else (see `left`). Refused when one of `inputs` is among them.
    static RunDirectory create(io::FileSystem& files, const std::filesystem::path& root, bool overwrite,
                               const RunRecord& record, const std::vector<std::string>& inputs = {});
    /// An existing run, to be gone on with after `rewind`.
    static RunDirectory reopen(io::FileSystem& files, const std::filesystem::path& root);
    /// Drops rows, frames and checkpoints later than these and opens the lists behind what is left. With
    /// marks a list must be what was written up to its mark: InputError, before anything is touched. A list
    /// that is gone begins anew, which the returned texts say.
    std::vector<std::string> rewind(std::int64_t step, std::int64_t frame,
                                    const std::optional<ListMarks>& marks);

    const RunPaths& paths() const { return paths_; }
    /// What `create` found of others in the folder and left alone, relative to it.
    const std::vector<std::filesystem::path>& left() const { return left_; }
    io::FileSystem& files() { return files_; }

    void write_scene(const std::string& resolved_text);
    /// Copies what another run has up to a step and a frame: rows of its lists, and its frames.
    void take_over(const RunPaths& other, std::int64_t step, std::int64_t frame);
    void write_record(const RunRecord& record);
    /// Frame k and its row in frames.csv.
    void write_frame(const world::Model& model, const world::World& world, const FrameOptions& options);
    /// Makes all rows durable, then the checkpoint, then removes all but the newest `keep` and that of
    /// `first_step`, where a run began that nothing else can give the start of.
    void write_checkpoint(const world::World& world, int keep, std::int64_t first_step = 0);
    void append_metrics(const world::Metrics& metrics);
    void append_timings(std::int64_t step, const StageTimers& timers);
    void append_log(const std::string& line);
    /// Pushes buffered rows to the system, so that readers see them.
    void flush();

 private:
    RunDirectory(io::FileSystem& files, std::filesystem::path root);
    void make_room(const RunRecord& record, const std::vector<std::string>& inputs);
    /// A row for a frame on disk.
    void list_frame(std::int64_t frame);

    io::FileSystem& files_;
    RunPaths paths_;
    std::unique_ptr<io::LockFile> lock_;
    std::optional<io::AppendFile> metrics_, timings_, frame_list_, log_;
    std::vector<std::string> timed_stages_;
    std::vector<std::filesystem::path> left_;
};

}  // namespace rivulet::output
