#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include <rivulet/io/file_system.h>

namespace rivulet::io {

/// Takes bytes one piece after another.
class ByteSink {
 public:
    virtual ~ByteSink() = default;
    virtual void append(std::span<const std::byte> bytes) = 0;
};

/// Replaces or creates `path` so that at every moment, also through a crash or a power cut, either the old
/// or the complete new file is there: temporary name in the same folder, sync, rename, sync of the folder.
/// After an error the temporary file is gone and an earlier file untouched.
void write_atomically(FileSystem& files, const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_atomically(FileSystem& files, const std::filesystem::path& path, std::string_view text);
void write_atomically(FileSystem& files, const std::filesystem::path& path,
                      std::span<const std::span<const std::byte>> pieces);

/// The same, the content coming from `produce` piece by piece. Small pieces are collected, large ones go to
/// the system without a copy.
void write_atomically(FileSystem& files, const std::filesystem::path& path,
                      const std::function<void(ByteSink&)>& produce);

/// The temporary name that stands beside `path` while it is being written.
std::filesystem::path temporary_name(const std::filesystem::path& path);

}  // namespace rivulet::io
