#pragma once

#include <string>

namespace rivulet {

/// e.g. "0.1.0".
std::string version();
/// Compiler and options that decide the bits, one line.
std::string build_description();

}  // namespace rivulet
