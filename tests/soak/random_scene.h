#pragma once

#include <cstdint>
#include <string>

namespace rivulet::soak {

/// A scene that the program accepts, made from the field tables alone: every kind, word, range and reference
/// that they list may appear. `files`: a folder whose files the scene may name.
struct RandomScene {
    std::string text;
    std::int64_t refused = 0;  // entities drawn that the program would not take
};

/// A pure function of the seed. Small enough to be run in seconds: the scene says so by its own limits.
RandomScene random_scene(std::uint64_t seed, const std::string& files);

}  // namespace rivulet::soak
