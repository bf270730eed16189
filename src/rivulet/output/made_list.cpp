#include <rivulet/output/made_list.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/run_contents.h>

namespace rivulet::output {

namespace {

constexpr const char* kHeader = "frame,settings,files\n";
constexpr const char* kCommon = "all";  // in place of a frame's number

Csv read_list(const std::filesystem::path& file) {
    try {
        if (std::filesystem::exists(file)) return parse_csv(io::read_text(file));
    } catch (const Error&) {
        // Counts as empty.
    }
    return {};
}

std::vector<std::string> split(std::string_view joined) {
    std::vector<std::string> names;
    while (!joined.empty()) {
        const std::size_t bar = std::min(joined.find('|'), joined.size());
        names.emplace_back(joined.substr(0, bar));
        joined.remove_prefix(std::min(bar + 1, joined.size()));
    }
    return names;
}

/// `more` behind what is there, each name once.
void join(std::string& joined, const std::vector<std::string>& more) {
    std::vector<std::string> names = split(joined);
    for (const std::string& name : more) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        names.push_back(name);
        joined += (joined.empty() ? "" : "|") + name;
    }
}

}  // namespace

MadeList::MadeList(io::FileSystem& files, std::filesystem::path folder, const std::string& settings)
    : files_(files),
      folder_(std::move(folder)),
      key_(io::hash_text(io::xxh64(std::as_bytes(std::span(settings))))) {
    for (const auto& row : read_list(file()).rows) {
        if (row.size() != 3) continue;
        std::int64_t frame = 0;
        const auto [end, bad] = std::from_chars(row[0].data(), row[0].data() + row[0].size(), frame);
        if (bad == std::errc{} && *end == '\0') of_frame_[frame] = {row[1], row[2]};
        if (row[0] == kCommon) common_ = row[2];
    }
}

bool MadeList::has(std::int64_t frame) const {
    const auto it = of_frame_.find(frame);
    return it != of_frame_.end() && it->second.key == key_;
}

void MadeList::begin(std::int64_t frame, const std::vector<std::string>& names) {
    if (names.empty() && !lists(frame)) return;
    Made& made = of_frame_[frame];
    made.key.clear();
    join(made.names, names);
    write();
}

void MadeList::add(std::int64_t frame, const std::vector<std::string>& names) {
    // Names of earlier settings stay: those files are still there.
    Made& made = of_frame_[frame];
    made.key = key_;
    join(made.names, names);
    write();
}

void MadeList::add_common(const std::vector<std::string>& names) {
    join(common_, names);
    write();
}

void MadeList::write() const {
    std::string text = kHeader;
    for (const auto& [frame, made] : of_frame_)
        text += fmt::format("{},{},{}\n", frame, made.key, made.names);
    if (!common_.empty()) text += fmt::format("{},,{}\n", kCommon, common_);
    io::write_atomically(files_, file(), text);
}

std::vector<std::int64_t> MadeList::frames() const {
    std::vector<std::int64_t> frames;
    for (const auto& [frame, made] : of_frame_)
        if (made.key == key_) frames.push_back(frame);
    return frames;
}

std::vector<std::string> made_files(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    const Csv list = read_list(folder / MadeList::kName);
    if (list.header.empty()) return names;
    for (const auto& row : list.rows) {
        if (row.size() != 3) continue;
        for (std::string& name : split(row[2]))
            if (stays_inside(name)) names.push_back(std::move(name));
    }
    names.emplace_back(MadeList::kName);
    return names;
}

}  // namespace rivulet::output
