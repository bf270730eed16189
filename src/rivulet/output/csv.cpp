#include <rivulet/output/csv.h>

#include <fmt/format.h>

#include <charconv>

#include <rivulet/base/units.h>
#include <rivulet/io/hash.h>

namespace rivulet::output {

namespace {
std::string cell_text(double value) {
    return shortest(value);
}
std::string cell_text(std::int64_t value) {
    return std::to_string(value);
}

/// One row made of cell(column name, value) for every column.
template <class Cell>
std::string joined(const world::Metrics& metrics, Cell&& cell) {
    std::string row;
    world::Metrics::columns(metrics, [&](const char* name, const auto& value) {
        if (!row.empty()) row += ',';
        row += cell(name, value);
    });
    return row + "\n";
}
}  // namespace

std::string metrics_header() {
    return joined({}, [](const char* name, const auto&) { return std::string(name); });
}

std::string metrics_row(const world::Metrics& metrics) {
    return joined(metrics, [](const char*, const auto& value) { return cell_text(value); });
}

std::string frame_row(const FrameRow& row) {
    return fmt::format("{},{},{},{},{}\n", row.frame, shortest(row.time), row.step, row.bytes,
                       io::hash_text(row.hash));
}

std::string timings_header(const std::vector<std::string>& stages) {
    std::string row = "step";
    for (const std::string& s : stages) row += "," + s;
    return row + "\n";
}

std::string timings_row(std::int64_t step, const std::vector<std::string>& stages,
                        const StageTimers& timers) {
    std::string row = std::to_string(step);
    for (const std::string& name : stages) {
        double seconds = 0;
        for (const auto& s : timers.stages())
            if (s.name == name) seconds = s.seconds;
        row += fmt::format(",{:.6g}", seconds);
    }
    return row + "\n";
}

std::size_t length_up_to(std::string_view text, std::int64_t limit) {
    std::size_t kept = text.find('\n');
    if (kept == std::string_view::npos) return 0;
    ++kept;
    while (kept < text.size()) {
        const std::size_t end = text.find('\n', kept);
        if (end == std::string_view::npos) break;
        std::int64_t first = 0;
        const auto [stop, error] = std::from_chars(text.data() + kept, text.data() + end, first);
        if (error != std::errc{} || first > limit) break;
        (void)stop;
        kept = end + 1;
    }
    return kept;
}

int Csv::column(std::string_view name) const {
    for (std::size_t i = 0; i < header.size(); ++i)
        if (header[i] == name) return static_cast<int>(i);
    return -1;
}

Csv parse_csv(std::string_view text) {
    Csv csv;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) break;
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        std::vector<std::string> cells;
        for (std::size_t comma; (comma = line.find(',')) != std::string_view::npos;
             line.remove_prefix(comma + 1))
            cells.emplace_back(line.substr(0, comma));
        cells.emplace_back(line);
        if (csv.header.empty()) {
            csv.header = std::move(cells);
        } else {
            if (cells.size() != csv.header.size()) break;
            csv.rows.push_back(std::move(cells));
        }
    }
    return csv;
}

}  // namespace rivulet::output
