#pragma once

#include <filesystem>
#include <optional>

namespace rivulet::io {

/// Keeps a second process out of a run directory for as long as it lives. The system drops the lock when the
/// process ends, however it ends; the file itself stays and holds the id of the last holder.
class LockFile {
 public:
    /// IoError that names the holder when another process has it.
    explicit LockFile(const std::filesystem::path& path);
    ~LockFile();
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;

 private:
    int descriptor_ = -1;
};

/// Process that holds the lock now; nothing when nobody does or there is no such file. 0: somebody unknown.
std::optional<long> lock_holder(const std::filesystem::path& path);

}  // namespace rivulet::io
