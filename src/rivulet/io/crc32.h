#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rivulet::io {

/// CRC-32 of zip files, of `before` followed by `bytes`; large arrays are cut into pieces that run in
/// parallel.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// CRC-32 of the numbers as float32, without storing them.
std::uint32_t crc32_as_float(std::span<const double> values, std::uint32_t before = 0);

/// Rounds to the nearest float32; `target` has the same length.
void to_float(std::span<const double> values, std::span<float> target);

}  // namespace rivulet::io
