#pragma once

#include <string>

namespace rivulet::cli {

/// pictures/NNNNNN.png of a run's last frame; returns its path.
std::string render_last_frame(const std::string& out, bool quiet);

}  // namespace rivulet::cli
