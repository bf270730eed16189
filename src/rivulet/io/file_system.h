#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace rivulet::io {

/// The few operations through which everything is written. Code that writes takes a `FileSystem&`, so that
/// tests can make the n-th operation fail. Every failure is an IoError with the path and the system's reason.
class FileSystem {
 public:
    enum class Mode { replace, append };
    struct Handle {
        int descriptor = -1;
        std::string path;
    };

    virtual ~FileSystem() = default;

    virtual Handle open(const std::filesystem::path& path, Mode mode) = 0;
    /// Writes at least one byte and returns how many; the caller repeats for the rest.
    virtual std::size_t write_some(const Handle& file, std::span<const std::byte> bytes) = 0;
    virtual void sync(const Handle& file) = 0;
    virtual void close(Handle& file) = 0;
    /// Closes without reporting; for clean-up after another error.
    virtual void abandon(Handle& file) noexcept = 0;

    virtual void rename(const std::filesystem::path& from, const std::filesystem::path& to) = 0;
    /// A path that does not exist is not an error.
    virtual void remove(const std::filesystem::path& path) = 0;
    virtual void sync_folder(const std::filesystem::path& folder) = 0;
    virtual void truncate(const std::filesystem::path& path, std::uint64_t size) = 0;
    virtual void create_directories(const std::filesystem::path& folder) = 0;
    /// Bytes an ordinary user may still write where `path` lives.
    virtual std::uint64_t free_space(const std::filesystem::path& path) = 0;
};

/// The machine's own files (POSIX). Stateless.
FileSystem& real_file_system();

/// An open file that closes itself. Dropping it without `close` reports nothing.
class OpenFile {
 public:
    OpenFile(FileSystem& files, const std::filesystem::path& path, FileSystem::Mode mode)
        : files_(files), handle_(files.open(path, mode)) {}
    ~OpenFile() { files_.abandon(handle_); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// Writes all of it, however small the pieces the system accepts.
    void write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) bytes = bytes.subspan(files_.write_some(handle_, bytes));
    }
    void sync() { files_.sync(handle_); }
    void close() { files_.close(handle_); }

 private:
    FileSystem& files_;
    FileSystem::Handle handle_;
};

/// The folder a file lies in; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace rivulet::io
