#pragma once

#include <string>
#include <string_view>

namespace rivulet {

/// Text of a user as a terminal may get it: control characters, which could be commands to it (escape
/// sequences, overwriting of lines, turned writing direction), and bytes that are no UTF-8 are shown as \x1b
/// or \u202e. Everything else stays.
std::string printable(std::string_view text);
/// The same for text of several lines: line breaks and tabs stay.
std::string printable_lines(std::string_view text);
/// A word of a command to be typed: in quotes where a shell would see more in it than a word.
std::string shell_word(std::string_view text);

}  // namespace rivulet
