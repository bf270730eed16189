#include <rivulet/output/run_directory.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/base/printable.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/copy_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/run_contents.h>

namespace rivulet::output {

namespace fs = std::filesystem;

namespace {

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

/// A run that died before its first run.json has nothing but the lock.
bool died_at_birth(const RunPaths& paths) {
    for (const auto& entry : fs::directory_iterator(paths.root))
        if (entry.path() != paths.lock() && entry.path() != io::temporary_name(paths.record())) return false;
    return fs::exists(paths.lock());
}

/// A run that died before its scene was stored: there is nothing to go on with, and nothing to lose.
bool never_began(const RunPaths& paths, const RunRecord& record) {
    return !fs::exists(paths.scene()) && record.steps == 0 && record.frames == 0;
}

/// Throws unless a new run may be put here.
void require_room(const RunPaths& paths, bool overwrite) {
    const fs::path& root = paths.root;
    if (!fs::exists(root)) return;
    if (!fs::is_directory(root))
        throw refuse(root, "is a file, not a folder", "give another output folder with -o");
    if (fs::is_empty(root) || died_at_birth(paths)) return;
    if (!fs::exists(paths.record()))
        throw refuse(root, "is not empty and not a run of rivulet",
                     "give another output folder with -o; nothing was touched");
    const RunRecord record = read_run_record(paths.record().string());  // refuses foreign or newer ones
    if (!overwrite && !never_began(paths, record))
        throw refuse(root, "holds a run already",
                     fmt::format("replace it with --overwrite, or go on with it: rivulet resume {}",
                                 shell_word(root.string())));
}

void require_as_written(const fs::path& list, const ListMark& mark) {
    if (!fs::exists(list)) return;
    if (fs::file_size(list) >= mark.bytes && io::hash_of_file(list, mark.bytes).value() == mark.hash) return;
    throw refuse(list, "is damaged: it is not what the run wrote",
                 "put a good copy back, or move it away: the run then goes on with a new one");
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
                                  const RunRecord& record, const std::vector<std::string>& inputs) {
    RunDirectory directory(files, root);
    const RunPaths& paths = directory.paths_;
    require_room(paths, overwrite);
    files.create_directories(root);
    directory.lock_ = std::make_unique<io::LockFile>(paths.lock());
    directory.make_room(record, inputs);
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

void RunDirectory::make_room(const RunRecord& record, const std::vector<std::string>& inputs) {
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
    // From here on the folder is this run's, whatever happens: the new record comes before the old files go.
    write_record(record);
    remove_run_files(files_, paths_, found);
    left_ = found.others;
}

RunDirectory RunDirectory::reopen(io::FileSystem& files, const fs::path& root) {
    RunDirectory directory(files, root);
    const RunPaths& paths = directory.paths_;
    if (fs::is_directory(root) && died_at_birth(paths))
        throw refuse(root, "holds a run that was stopped before it began",
                     fmt::format("start it again: rivulet run SCENE -o {}", shell_word(root.string())));
    if (!fs::exists(paths.record()))
        throw refuse(root, "is not a run directory (no run.json)",
                     "give the folder that 'rivulet run' wrote");
    if (const RunRecord record = read_run_record(paths.record().string()); never_began(paths, record))
        throw refuse(root, "holds a run that was stopped before it began",
                     fmt::format("start it again: rivulet run {} -o {}", shell_word(record.scene),
                                 shell_word(root.string())));
    directory.lock_ = std::make_unique<io::LockFile>(paths.lock());
    for (const fs::path& folder : {paths.frames(), paths.checkpoints()}) files.create_directories(folder);
    directory.log_ = fs::exists(paths.log())
                         ? io::AppendFile::resume(files, paths.log(), fs::file_size(paths.log()))
                         : io::AppendFile::create(files, paths.log());
    return directory;
}

std::vector<std::string> RunDirectory::rewind(std::int64_t step, std::int64_t frame,
                                              const std::optional<ListMarks>& marks) {
    if (marks) {
        require_as_written(paths_.metrics(), marks->metrics);
        require_as_written(paths_.frame_list(), marks->frames);
    }
    std::vector<std::string> warnings;
    const auto reopened = [&](const fs::path& path, std::int64_t limit, const ListMark* mark,
                              std::string_view header) {
        const bool there = fs::exists(path);
        if (!there && limit > 0)
            warnings.push_back(path.filename().string() + " was gone: it begins anew, its rows are lost");
        std::uint64_t keep = 0;
        if (there && mark) keep = mark->bytes;
        if (there && !mark) keep = length_up_to(io::read_text(path, kMostListBytes), limit);
        auto file =
            keep > 0 ? io::AppendFile::resume(files_, path, keep) : io::AppendFile::create(files_, path);
        if (keep == 0) file.append(header);
        return file;
    };
    const bool frames_listed = fs::exists(paths_.frame_list());
    metrics_ = reopened(paths_.metrics(), step, marks ? &marks->metrics : nullptr, metrics_header());
    frame_list_ = reopened(paths_.frame_list(), frame, marks ? &marks->frames : nullptr, kFramesHeader);
    timings_ = reopened(paths_.timings(), step, nullptr, "");
    if (timings_->size() > 0) {
        timed_stages_ = parse_csv(io::read_text(paths_.timings(), kMostListBytes)).header;
        timed_stages_.erase(timed_stages_.begin());
    }
    for (std::int64_t k : frame_numbers(paths_))
        if (k > frame)
            files_.remove(paths_.frame(k));
        else if (!frames_listed)
            list_frame(k);
    for (std::int64_t s : checkpoint_steps(paths_))
        if (s > step) files_.remove(paths_.checkpoint(s));
    return warnings;
}

void RunDirectory::list_frame(std::int64_t frame) {
    const fs::path path = paths_.frame(frame);
    const io::ArchiveReader archive(path);
    frame_list_->append(
        frame_row({frame, archive.read_scalar<double>("time"), archive.read_scalar<std::int64_t>("step"),
                   fs::file_size(path), io::xxh64_of_file(path)}));
}

void RunDirectory::write_scene(const std::string& resolved_text) {
    io::write_atomically(files_, paths_.original_scene(), resolved_text);
    io::write_atomically(files_, paths_.scene(), resolved_text);
}

void RunDirectory::take_over(const RunPaths& other, std::int64_t step, std::int64_t frame) {
    const auto rows = [](const fs::path& list, std::int64_t limit) {
        std::string text = io::read_text(list, kMostListBytes);
        text.resize(length_up_to(text, limit));
        return text;
    };
    const auto without_header = [](const std::string& text) { return text.substr(text.find('\n') + 1); };
    metrics_->append(without_header(rows(other.metrics(), step)));
    const std::string times = rows(other.timings(), step);
    if (!times.empty()) {
        timings_->append(times);
        timed_stages_ = parse_csv(times).header;
        timed_stages_.erase(timed_stages_.begin());
    }
    for (std::int64_t k : frame_numbers(other)) {
        if (k > frame) break;
        io::copy_file(files_, other.frame(k), paths_.frame(k));
        list_frame(k);
    }
    flush();
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

void RunDirectory::write_checkpoint(const world::World& world, int keep, std::int64_t first_step) {
    for (auto* list : {&metrics_, &timings_, &frame_list_}) (*list)->sync();
    const ListMarks marks{{metrics_->size(), metrics_->hash()}, {frame_list_->size(), frame_list_->hash()}};
    output::write_checkpoint(files_, paths_.checkpoint(world.clock.step), world, marks);
    const auto steps = checkpoint_steps(paths_);
    for (std::size_t i = static_cast<std::size_t>(std::max(keep, 1)); i < steps.size(); ++i)
        if (steps[i] != first_step) files_.remove(paths_.checkpoint(steps[i]));
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
