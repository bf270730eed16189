#pragma once

#include <string>

namespace rivulet::cli {

/// The libraries this program was built with, one line.
std::string library_versions();

}  // namespace rivulet::cli
