#include <rivulet/output/run_contents.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/inputs.h>
#include <rivulet/output/made_list.h>
#include <rivulet/output/run_record.h>

namespace rivulet::output {

namespace fs = std::filesystem;

namespace {

/// What a run and the commands on it put files into.
constexpr std::array kFolders{"frames", "checkpoints", "surface", "pictures", "export", "cache", "inputs"};

/// Where a run and its readers take every numbered archive for their own.
const std::set<std::string> kTakenByNumber{"frames", "surface", "checkpoints"};

/// Number of the last row of a list, -1 without one. A damaged list counts as far as it can be read.
std::int64_t last_row(const fs::path& list) {
    std::int64_t last = -1;
    try {
        if (!fs::exists(list)) return last;
        for (const auto& row : parse_csv(io::read_text(list, kMostListBytes)).rows) {
            std::int64_t number = 0;
            std::from_chars(row[0].data(), row[0].data() + row[0].size(), number);
            last = std::max(last, number);
        }
    } catch (const Error&) {
        // What cannot be read lists nothing.
    }
    return last;
}

/// N of "000N.npz" with this extension, -1 for any other name.
std::int64_t number_of(const std::string& name, std::string_view extension) {
    std::int64_t number = -1;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool good = bad == std::errc{} && number >= 0 &&
                      std::string_view(end, std::size_t(name.data() + name.size() - end)) == extension;
    return good ? number : -1;
}

/// Left behind by a writer that died (io/atomic_file.h).
bool is_temporary(const std::string& name) {
    return name.size() > 5 && name.front() == '.' && name.ends_with(".tmp");
}

class Inventory {
 public:
    explicit Inventory(const RunPaths& paths) : paths_(paths) {
        // A frame reaches the disk before its row; a killed run has one more than it lists.
        last_frame_ = last_row(paths.frame_list()) + 1;
        last_step_ = last_row(paths.metrics());
        try {
            const RunRecord record = read_run_record(paths.record().string());
            last_frame_ = std::max(last_frame_, record.frames + 1);
            last_step_ = std::max(last_step_, record.steps);
        } catch (const Error&) {
            // The lists alone must do.
        }
    }

    RunContents take() {
        for (const char* name : {"scene.toml", "inputs/scene.toml", "static.npz", "timings.csv", "log.txt"})
            ours(name);
        numbered("frames", ".npz", last_frame_);
        numbered("checkpoints", ".npz", last_step_);
        previews();
        listed("surface", made_files(paths_.surfaces()));
        listed("pictures", made_files(paths_.pictures()));
        std::error_code none;
        for (const auto& format : fs::directory_iterator(paths_.root / "export", none))
            listed(fs::path("export") / format.path().filename(), made_files(format.path()));
        listed("inputs", stored_inputs(paths_.inputs()));
        for (const char* name : {"metrics.csv", "frames.csv"}) ours(name);
        for (const char* folder : kFolders) look_through(folder);
        for (const auto& entry : fs::directory_iterator(paths_.root)) look_at_top(entry.path().filename());
        std::sort(contents_.others.begin(), contents_.others.end());
        return std::move(contents_);
    }

 private:
    void ours(const fs::path& name) {
        const fs::file_status status = fs::symlink_status(paths_.root / name);
        if (fs::exists(status) && !fs::is_directory(status) && known_.insert(name.string()).second)
            contents_.ours.push_back(name);
    }
    void numbered(const fs::path& folder, std::string_view extension, std::int64_t last) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(paths_.root / folder, none)) {
            const fs::path name = folder / entry.path().filename();
            const std::int64_t number = number_of(name.filename().string(), extension);
            if (number >= 0 && number <= last) ours(name);
        }
    }
    /// Previews are known by how they begin, a key and "RVLT" (viewer/run_content.cpp): nothing is lost with
    /// one, so there is no list of them.
    void previews() {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(paths_.root / "cache", none)) {
            if (number_of(entry.path().filename().string(), ".preview") < 0) continue;
            std::array<char, 20> begin{};
            std::ifstream(entry.path(), std::ios::binary).read(begin.data(), begin.size());
            if (std::string_view(begin.data(), begin.size()).ends_with("RVLT"))
                ours(fs::path("cache") / entry.path().filename());
        }
    }
    void listed(const fs::path& folder, const std::vector<std::string>& names) {
        for (const std::string& name : names) ours(folder / name);
    }
    void look_through(const char* folder) {
        std::error_code none;
        for (const auto& entry : fs::recursive_directory_iterator(paths_.root / folder, none)) {
            if (entry.is_directory() && !entry.is_symlink()) continue;
            const fs::path name = entry.path().lexically_relative(paths_.root);
            if (is_temporary(name.filename().string())) ours(name);
            if (known_.count(name.string())) continue;
            contents_.others.push_back(name);
            if (kTakenByNumber.count(name.parent_path().string()) &&
                number_of(name.filename().string(), ".npz") >= 0)
                contents_.in_the_way.push_back(name);
        }
    }
    void look_at_top(const fs::path& name) {
        if (is_temporary(name.string())) ours(name);
        const bool folder = std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end();
        if (folder || known_.count(name.string())) return;
        if (name != paths_.lock().filename() && name != paths_.record().filename())
            contents_.others.push_back(name);
    }

    RunPaths paths_;
    std::int64_t last_frame_ = 0, last_step_ = 0;
    std::set<std::string> known_;
    RunContents contents_;
};

}  // namespace

bool stays_inside(std::string_view name) {
    const fs::path path(name);
    if (name.empty() || path.is_absolute()) return false;
    return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

RunContents contents_of_run(const RunPaths& paths) {
    return Inventory(paths).take();
}

void remove_run_files(io::FileSystem& files, const RunPaths& paths, const RunContents& contents) {
    for (const fs::path& name : contents.ours) files.remove(paths.root / name);
}

}  // namespace rivulet::output
