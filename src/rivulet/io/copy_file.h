#pragma once

#include <cstdint>
#include <filesystem>

#include <rivulet/io/file_system.h>

namespace rivulet::io {

/// Size and XXH64 of the bytes copied.
struct Copied {
    std::uint64_t bytes = 0, hash = 0;
};

/// Copies piece by piece, whatever the size; the copy appears whole or not at all.
Copied copy_file(FileSystem& files, const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace rivulet::io
