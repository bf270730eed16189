#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <rivulet/io/file_system.h>
#include <rivulet/io/hash.h>

namespace rivulet::io {

/// A file that only grows: CSV tables and the log of a run. Rows are collected and reach the system with
/// `flush`, the disk with `sync`. A flush that fails takes back what it wrote, so that no half row stays.
class AppendFile {
 public:
    /// Starts anew: an earlier file is emptied.
    static AppendFile create(FileSystem& files, const std::filesystem::path& path);
    /// Continues after the first `keep` bytes; what is behind them goes. IoError when the file is shorter.
    static AppendFile resume(FileSystem& files, const std::filesystem::path& path, std::uint64_t keep);

    void append(std::string_view text) { held_ += text; }
    void flush();
    void sync();
    /// XXH64 of what has been flushed.
    std::uint64_t hash() const { return hash_.value(); }
    /// Bytes in the file once everything appended has been flushed.
    std::uint64_t size() const { return written_ + held_.size(); }
    const std::filesystem::path& path() const { return path_; }

 private:
    AppendFile(FileSystem& files, const std::filesystem::path& path, std::uint64_t keep, RunningHash hash);

    FileSystem* files_;
    std::filesystem::path path_;
    std::uint64_t written_;
    std::unique_ptr<OpenFile> file_;
    RunningHash hash_;
    std::string held_;
};

}  // namespace rivulet::io
