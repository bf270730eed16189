#pragma once

#include <string>

namespace rivulet::cli {

/// Writes a text file and says so; never over an existing file unless asked.
void write_new_file(const std::string& text, const std::string& file, bool overwrite);

}  // namespace rivulet::cli
