#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rivulet::output {

/// Where two runs first differ.
struct Difference {
    std::string where;  // e.g. "frame 12, liquid/position, index 301 (x)"
    std::string what;   // e.g. "0.125 against 0.12500001"
};

struct Comparison {
    std::int64_t frames = 0;  // frames looked at
    std::optional<Difference> first;
    double largest = 0;  // largest difference of a number met (tolerance comparison)
    bool same() const { return !first; }
};

/// Are two runs the same? Without a tolerance: frames and metrics bit for bit. With one: numbers within
/// `tolerance` (absolute, SI, in every array; counts must be equal), metrics left out.
Comparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b,
                        std::optional<double> tolerance);

}  // namespace rivulet::output
