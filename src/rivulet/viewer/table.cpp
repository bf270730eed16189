#include <rivulet/viewer/table.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <rivulet/io/input_file.h>

namespace rivulet::viewer {
namespace {

constexpr std::size_t kMostColumns = 256;
constexpr std::size_t kPiece = std::size_t{1} << 20;

template <class Take>
void for_each_part(std::string_view text, char separator, Take&& take) {
    while (true) {
        const std::size_t end = text.find(separator);
        take(text.substr(0, end));
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

void ThinnedTable::clear() {
    *this = ThinnedTable(most_);
}

void ThinnedTable::append(std::string_view text) {
    std::vector<float> row;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (columns_.empty()) {
            for_each_part(line, ',', [&](std::string_view name) {
                if (columns_.size() < kMostColumns) columns_.emplace_back(name.substr(0, 64));
            });
            continue;
        }
        row.clear();
        for_each_part(line, ',', [&](std::string_view cell) {
            double value = std::numeric_limits<double>::quiet_NaN();
            std::from_chars(cell.data(), cell.data() + cell.size(), value);
            if (row.size() <= columns_.size()) row.push_back(static_cast<float>(value));
        });
        if (row.size() == columns_.size())
            take_row(row);
        else
            ++damaged_;
    }
}

void ThinnedTable::take_row(const std::vector<float>& row) {
    if (taken_ % per_row_ == 0) {
        if (rows() == most_) join_neighbours();
        if (taken_ % per_row_ == 0) {
            values_.insert(values_.end(), row.begin(), row.end());
            ++taken_;
            return;
        }
    }
    float* last = values_.data() + values_.size() - row.size();
    for (std::size_t c = 0; c < row.size(); ++c)
        if (!(std::abs(row[c]) < std::abs(last[c]))) last[c] = row[c];
    ++taken_;
}

void ThinnedTable::join_neighbours() {
    const std::size_t width = columns_.size(), half = rows() / 2;
    for (std::size_t r = 0; r < half; ++r)
        for (std::size_t c = 0; c < width; ++c) {
            const float a = values_[2 * r * width + c], b = values_[(2 * r + 1) * width + c];
            values_[r * width + c] = std::abs(b) < std::abs(a) ? a : b;
        }
    values_.resize(half * width);
    per_row_ *= 2;
}

const ThinnedTable& FollowedTable::update() {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path_, error);
    if (error) {
        table_.clear();
        read_ = 0;
        return table_;
    }
    if (size < read_) {
        table_.clear();
        read_ = 0;
    }
    if (size == read_) return table_;
    const io::InputFile file(path_);
    std::string piece(kPiece, '\0');
    while (read_ < size) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, size - read_));
        const std::size_t got =
            file.read_some(read_, std::as_writable_bytes(std::span(piece.data(), wanted)));
        const std::size_t end = std::string_view(piece.data(), got).rfind('\n');
        // A torn last line waits for its end; a line longer than a piece is no table.
        if (end == std::string_view::npos) break;
        table_.append(std::string_view(piece.data(), end));
        read_ += end + 1;
    }
    return table_;
}

}  // namespace rivulet::viewer
