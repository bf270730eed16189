#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>
#include <rivulet/verify/case.h>

namespace rivulet::verify {

/// A case that has been run.
struct Finished {
    std::string full_name, source;
    Outcome outcome;
    double seconds = 0;
    std::string error;  // what stopped it, if something did
    bool passed() const;
};

/// One JSON object per quantity, one per line.
std::string json_lines(const Finished& finished);

/// A line plot as SVG, with axes, ticks and a legend.
std::string svg_plot(const Plot& plot, int width = 520, int height = 340);

/// DIR/index.html: a table of all quantities and the plots, self-contained.
void write_report(io::FileSystem& files, const std::filesystem::path& folder,
                  const std::vector<Finished>& cases, const std::string& version);

}  // namespace rivulet::verify
