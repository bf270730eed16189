#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace rivulet::io {

/// An ordinary file open for reading at any offset. Folders, devices and pipes are refused; every failure is
/// an IoError. Reads through the system, never a memory map: a file that shrinks meanwhile is an error and
/// not a signal.
class InputFile {
 public:
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::uint64_t size() const { return size_; }
    const std::filesystem::path& path() const { return path_; }
    /// Bytes actually read; 0 at the end.
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const;
    /// Fills `into` completely or throws.
    void read_exactly(std::uint64_t offset, std::span<std::byte> into) const;

 private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace rivulet::io
