#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <rivulet/scene/value.h>

namespace rivulet::scene {

inline constexpr std::size_t kLargestFile = 4u << 20;  // bytes
inline constexpr int kDeepestNesting = 32;

/// Refuses what the parser must not see: too long, binary, or nested too deep. One pass over the text, with
/// an eye for strings and comments. Throws InputError.
void scan_before_parsing(std::string_view text, const std::string& file_name);

/// Scans, parses, and keeps positions. Throws InputError with the first syntax error.
Value parse_toml(std::string_view text, const std::string& file_name, int file);

}  // namespace rivulet::scene
