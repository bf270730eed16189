#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rivulet::cli {

struct ShippedScene {
    std::filesystem::path path;
    std::string name;    // "liquid/dam_break"
    std::string title;   // as the scene says
    std::string about;   // the comment it begins with
    std::string parent;  // of a variant: the scene that it includes, "contact/bundles_dry"; else empty
};

/// The scenes that come with the program, by name. The folder is beside the program when installed, else in
/// the source.
std::vector<ShippedScene> shipped_scenes();

}  // namespace rivulet::cli
