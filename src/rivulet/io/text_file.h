#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace rivulet::io {

/// A whole ordinary file. IoError when it cannot be read, InputError when it is larger than `most` bytes.
std::string read_text(const std::filesystem::path& path, std::uint64_t most = std::uint64_t{1} << 26);
std::vector<std::byte> read_bytes(const std::filesystem::path& path, std::uint64_t most);

}  // namespace rivulet::io
