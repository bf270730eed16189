#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/base/stage_timer.h>
#include <rivulet/world/metrics.h>

namespace rivulet::output {

/// Metrics rows may number millions; far beyond this something else is wrong.
inline constexpr std::uint64_t kMostListBytes = std::uint64_t{1} << 34;

std::string metrics_header();
std::string metrics_row(const world::Metrics& metrics);

inline constexpr std::string_view kFramesHeader = "frame,time,step,bytes,xxh64\n";
struct FrameRow {
    std::int64_t frame = 0;
    double time = 0;
    std::int64_t step = 0;
    std::uint64_t bytes = 0, hash = 0;
};
std::string frame_row(const FrameRow& row);

/// timings.csv: its columns are the stages known when the file is opened.
std::string timings_header(const std::vector<std::string>& stages);
std::string timings_row(std::int64_t step, const std::vector<std::string>& stages, const StageTimers& timers);

/// Length of the leading part of a CSV text whose rows have a first column <= limit, whole rows only.
/// A torn last line (no newline) is never counted. The header counts.
std::size_t length_up_to(std::string_view text, std::int64_t limit);

/// A CSV file as columns of text, for `info`, `compare` and the viewer. Rows of another width end the
/// reading.
struct Csv {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
    /// Position of a column, or -1.
    int column(std::string_view name) const;
};
Csv parse_csv(std::string_view text);

}  // namespace rivulet::output
