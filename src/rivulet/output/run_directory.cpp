#include <rivulet/output/run_directory.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/base/printable.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/run_contents.h>

namespace rivulet::output {

namespace fs = std::filesystem;

namespace {

/// Everything a run and the commands on it write at the top of the directory.
constexpr std::array kKnownNames{"scene.toml", "run.json", "metrics.csv", "timings.csv", "frames.csv",
                                 "log.txt",    "inputs",   "static.npz",  "frames",      "checkpoints",
                                 "surface",    "pictures", "export",      "cache"};

InputError refuse(const fs::path& path, const std::string& message, const std::string& hint) {
    return InputError(Problem{path.string(), 0, 0, "", message, hint});
}

std::vector<std::int64_t> numbered_archives(const fs::path& folder) {
    std::vector<std::int64_t> numbers;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        std::int64_t number = 0;
        const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (bad == std::errc{} && number >= 0 && std::string_view(end) == ".npz") numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// What is left when a run died before its first run.json: nothing but our own names.
bool is_unfinished_start(const RunPaths& paths) {
    for (const auto& entry : fs::directory_iterator(paths.root)) {
        const std::string name = entry.path().filename().string();
        const bool known = std::any_of(kKnownNames.begin(), kKnownNames.end(), [&](const char* k) {
            return name == k || name == io::temporary_name(k).filename();
        });
        if (!known && entry.path() != paths.lock()) return false;
    }
    return fs::exists(paths.lock());
}

}  // namespace

fs::path RunPaths::frame(std::int64_t k) const {
    return frames() / fmt::format("{:06}.npz", k);
}
fs::path RunPaths::checkpoint(std::int64_t step) const {
    return checkpoints() / fmt::format("{:08}.npz", step);
}
fs::path RunPaths::surface(std::int64_t k) const {
    return surfaces() / fmt::format("{:06}.npz", k);
}
fs::path RunPaths::picture(std::int64_t k) const {
    return pictures() / fmt::format("{:06}.png", k);
}

std::vector<std::int64_t> frame_numbers(const RunPaths& paths) {
    return numbered_archives(paths.frames());
}
std::vector<std::int64_t> checkpoint_steps(const RunPaths& paths) {
    auto steps = numbered_archives(paths.checkpoints());
    std::reverse(steps.begin(), steps.end());
    return steps;
}

RunDirectory::RunDirectory(io::FileSystem& files, fs::path root) : files_(files), paths_{std::move(root)} {}

RunDirectory RunDirectory::create(io::FileSystem& files, const fs::path& root, bool overwrite,
                                  const std::vector<std::string>& inputs) {
    RunDirectory directory(files, root);
    const RunPaths& paths = directory.paths_;
    if (fs::exists(root) && !fs::is_directory(root))
        throw refuse(root, "is a file, not a folder", "give another output folder with -o");
    const bool ours = fs::exists(paths.record());
    if (fs::exists(root) && !fs::is_empty(root)) {
        if (!ours && !is_unfinished_start(paths))
            throw refuse(root, "is not empty and not a run of rivulet",
                         "give another output folder with -o; nothing was touched");
        if (ours) read_run_record(paths.record().string());  // refuses foreign or newer ones
        if (ours && !overwrite)
            throw refuse(root, "holds a run already",
                         fmt::format("continue it with 'rivulet resume {}', or replace it with --overwrite",
                                     root.string()));
    }
    files.create_directories(root);
    directory.lock_ = std::make_unique<io::LockFile>(paths.lock());
    directory.make_room(inputs);
    for (const fs::path& folder : {paths.frames(), paths.checkpoints(), paths.inputs()})
        files.create_directories(folder);
    directory.metrics_ = io::AppendFile::create(files, paths.metrics());
    directory.metrics_->append(metrics_header());
    directory.frame_list_ = io::AppendFile::create(files, paths.frame_list());
    directory.frame_list_->append(kFramesHeader);
    directory.timings_ = io::AppendFile::create(files, paths.timings());
    directory.log_ = io::AppendFile::create(files, paths.log());
    return directory;
}

void RunDirectory::make_room(const std::vector<std::string>& inputs) {
    const RunContents found = contents_of_run(paths_);
    std::set<fs::path> needed;
    for (const std::string& input : inputs) needed.insert(fs::weakly_canonical(input));
    for (const fs::path& name : found.ours)
        if (needed.count(fs::weakly_canonical(paths_.root / name)))
            throw refuse(paths_.root / name, "is read by the new run, which would remove it first",
                         "give another output folder with -o, or copy the scene and its files elsewhere");
    if (!found.in_the_way.empty())
        throw refuse(paths_.root / found.in_the_way.front(),
                     "has the name of a file of the run, but the run's records do not list it",
                     "move it elsewhere, or give another output folder with -o; nothing was touched");
    remove_run_files(files_, paths_, found);
    left_ = found.others;
}

RunDirectory RunDirectory::reopen(io::FileSystem& files, const fs::path& root) {
    RunDirectory directory(files, root);
    const RunPaths& paths = directory.paths_;
    if (!fs::exists(paths.record()))
        throw refuse(root, "is not a run directory (no run.json)",
                     "give the folder that 'rivulet run' wrote");
    directory.lock_ = std::make_unique<io::LockFile>(paths.lock());
    for (const fs::path& folder : {paths.frames(), paths.checkpoints()}) files.create_directories(folder);
    directory.log_ = fs::exists(paths.log())
                         ? io::AppendFile::resume(files, paths.log(), fs::file_size(paths.log()))
                         : io::AppendFile::create(files, paths.log());
    return directory;
}

void RunDirectory::rewind(std::int64_t step, std::int64_t frame) {
    const auto reopened = [&](const fs::path& path, std::int64_t limit, std::string_view header) {
        const std::string text = fs::exists(path) ? io::read_text(path, kMostListBytes) : "";
        const std::size_t keep = length_up_to(text, limit);
        auto file =
            keep > 0 ? io::AppendFile::resume(files_, path, keep) : io::AppendFile::create(files_, path);
        if (keep == 0) file.append(header);
        return file;
    };
    metrics_ = reopened(paths_.metrics(), step, metrics_header());
    frame_list_ = reopened(paths_.frame_list(), frame, kFramesHeader);
    timings_ = reopened(paths_.timings(), step, "");
    if (timings_->size() > 0) {
        timed_stages_ = parse_csv(io::read_text(paths_.timings(), kMostListBytes)).header;
        timed_stages_.erase(timed_stages_.begin());
    }
    for (std::int64_t k : frame_numbers(paths_))
        if (k > frame) files_.remove(paths_.frame(k));
    for (std::int64_t s : checkpoint_steps(paths_))
        if (s > step) files_.remove(paths_.checkpoint(s));
}

void RunDirectory::write_scene(const std::string& resolved_text) {
    io::write_atomically(files_, paths_.scene(), resolved_text);
}

void RunDirectory::write_record(const RunRecord& record) {
    write_run_record(files_, paths_.record().string(), record);
}

void RunDirectory::write_frame(const world::Model& model, const world::World& world,
                               const FrameOptions& options) {
    const fs::path path = paths_.frame(world.clock.frame);
    output::write_frame(files_, path, model, world, options);
    frame_list_->append(frame_row({world.clock.frame, world.clock.time, world.clock.step, fs::file_size(path),
                                   io::xxh64_of_file(path)}));
    flush();
}

void RunDirectory::write_checkpoint(const world::World& world, int keep) {
    for (auto* list : {&metrics_, &timings_, &frame_list_}) (*list)->sync();
    output::write_checkpoint(files_, paths_.checkpoint(world.clock.step), world);
    const auto steps = checkpoint_steps(paths_);
    for (std::size_t i = static_cast<std::size_t>(std::max(keep, 1)); i < steps.size(); ++i)
        files_.remove(paths_.checkpoint(steps[i]));
}

void RunDirectory::append_metrics(const world::Metrics& metrics) {
    metrics_->append(metrics_row(metrics));
}

void RunDirectory::append_timings(std::int64_t step, const StageTimers& timers) {
    if (timed_stages_.empty()) {
        for (const auto& s : timers.stages()) timed_stages_.push_back(s.name);
        timings_->append(timings_header(timed_stages_));
    }
    timings_->append(timings_row(step, timed_stages_, timers));
}

void RunDirectory::append_log(const std::string& line) {
    log_->append(printable(line) + "\n");
}

void RunDirectory::flush() {
    for (auto* list : {&metrics_, &timings_, &frame_list_, &log_}) (*list)->flush();
}

}  // namespace rivulet::output
