#include <rivulet/session/made_list.h>

#include <fmt/format.h>

#include <charconv>
#include <span>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>

namespace rivulet::session {

namespace {

constexpr const char* kHeader = "frame,settings\n";

}  // namespace

MadeList::MadeList(io::FileSystem& files, std::filesystem::path folder, const std::string& settings)
    : files_(files),
      folder_(std::move(folder)),
      key_(io::hash_text(io::xxh64(std::as_bytes(std::span(settings))))) {
    output::Csv csv;
    try {
        if (std::filesystem::exists(file())) csv = output::parse_csv(io::read_text(file()));
    } catch (const Error&) {
        return;
    }
    for (const auto& row : csv.rows) {
        std::int64_t frame = 0;
        const auto [end, bad] = std::from_chars(row[0].data(), row[0].data() + row[0].size(), frame);
        if (bad == std::errc{} && *end == '\0' && row.size() == 2) key_of_frame_[frame] = row[1];
    }
}

bool MadeList::has(std::int64_t frame) const {
    const auto it = key_of_frame_.find(frame);
    return it != key_of_frame_.end() && it->second == key_;
}

void MadeList::begin(std::int64_t frame) {
    if (key_of_frame_.erase(frame) > 0) write();
}

void MadeList::add(std::int64_t frame) {
    key_of_frame_[frame] = key_;
    write();
}

void MadeList::write() const {
    std::string text = kHeader;
    for (const auto& [k, key] : key_of_frame_) text += fmt::format("{},{}\n", k, key);
    io::write_atomically(files_, file(), text);
}

std::vector<std::int64_t> MadeList::frames() const {
    std::vector<std::int64_t> frames;
    for (const auto& [k, key] : key_of_frame_)
        if (key == key_) frames.push_back(k);
    return frames;
}

}  // namespace rivulet::session
