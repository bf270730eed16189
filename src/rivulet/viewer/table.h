#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::viewer {

/// A growing CSV file of numbers in bounded memory: when the rows reach `most`, neighbours are joined, and of
/// each column the value of larger magnitude stays, so that peaks remain visible.
class ThinnedTable {
 public:
    explicit ThinnedTable(std::size_t most = 4096) : most_(most) {}

    /// Takes whole lines; the first line ever is the header. Lines of another width are counted as damaged.
    void append(std::string_view text);
    void clear();

    const std::vector<std::string>& columns() const { return columns_; }
    /// Row after row.
    const std::vector<float>& values() const { return values_; }
    std::size_t rows() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
    std::uint64_t rows_of_file() const { return taken_; }
    std::uint64_t damaged() const { return damaged_; }

 private:
    void take_row(const std::vector<float>& row);
    void join_neighbours();

    std::size_t most_;
    std::vector<std::string> columns_;
    std::vector<float> values_;
    std::uint64_t taken_ = 0, damaged_ = 0, per_row_ = 1;
};

/// Follows a CSV file that another process appends to. A file that became shorter is read anew.
class FollowedTable {
 public:
    explicit FollowedTable(std::filesystem::path path) : path_(std::move(path)) {}
    /// Reads what is new, in pieces; returns the table. A file that is not there gives an empty table.
    const ThinnedTable& update();

 private:
    std::filesystem::path path_;
    ThinnedTable table_;
    std::uint64_t read_ = 0;
};

}  // namespace rivulet::viewer
