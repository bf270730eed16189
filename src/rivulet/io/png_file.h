#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>

namespace rivulet::io {

/// Eight bits per channel, sRGB, rows from the top without padding.
struct PngImage {
    enum class Channels { gray = 1, rgb = 3, rgba = 4 };
    int width = 0, height = 0;
    Channels channels = Channels::rgb;
    std::vector<std::uint8_t> bytes;
};

/// The same picture gives the same bytes. Throws InputError when sizes do not fit.
std::vector<std::byte> encode_png(const PngImage& image);

/// Atomically, like every file.
void write_png(FileSystem& files, const std::filesystem::path& path, const PngImage& image);

}  // namespace rivulet::io
