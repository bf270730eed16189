#pragma once

#include <span>
#include <string_view>

namespace rivulet::viewer {

/// A file of the page, embedded in the program.
struct Asset {
    std::string_view name, type, bytes;
};

/// "" is the page itself.
std::span<const Asset> assets();

}  // namespace rivulet::viewer
