#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/io/file_system.h>

namespace rivulet::io {
namespace {

[[noreturn]] void fail(const std::string& path, const char* doing, int error) {
    throw IoError(path, std::string("cannot ") + doing + ": " + std::generic_category().message(error));
}

/// A file that is a link is never written through; folders on the way to it may be links.
[[noreturn]] void refuse_link(const std::string& path) {
    throw IoError(path, "is a link to another file, which is not written through; remove the link");
}

/// Repeats a system call that a signal interrupted.
template <class F>
auto uninterrupted(F&& call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

class RealFileSystem final : public FileSystem {
 public:
    Handle open(const std::filesystem::path& path, Mode mode) override {
        const int flags =
            O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (mode == Mode::append ? O_APPEND : O_TRUNC);
        const int descriptor = uninterrupted([&] { return ::open(path.c_str(), flags, 0666); });
        if (descriptor < 0 && errno == ELOOP) refuse_link(path);
        if (descriptor < 0) fail(path, "open for writing", errno);
        return {descriptor, path};
    }

    std::size_t write_some(const Handle& file, std::span<const std::byte> bytes) override {
        // Large arrays go out in pieces, and the disk starts on each at once: when `sync` comes, most is
        // done.
        constexpr std::size_t piece = std::size_t{1} << 23, large = std::size_t{1} << 20;
        bytes = bytes.first(std::min(bytes.size(), piece));
        const auto n = uninterrupted([&] { return ::write(file.descriptor, bytes.data(), bytes.size()); });
        if (n < 0) fail(file.path, "write", errno);
        if (n == 0 && !bytes.empty()) fail(file.path, "write", ENOSPC);
        if (bytes.size() >= large) ::sync_file_range(file.descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
        return static_cast<std::size_t>(n);
    }

    void sync(const Handle& file) override {
        if (uninterrupted([&] { return ::fsync(file.descriptor); }) < 0) fail(file.path, "sync", errno);
    }

    void close(Handle& file) override {
        // NOTE: after EINTR the descriptor is already free on Linux; closing again could hit another file.
        if (::close(std::exchange(file.descriptor, -1)) < 0 && errno != EINTR)
            fail(file.path, "close", errno);
    }

    void abandon(Handle& file) noexcept override {
        if (file.descriptor >= 0) ::close(std::exchange(file.descriptor, -1));
    }

    void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
        if (::rename(from.c_str(), to.c_str()) < 0) fail(to, "rename into place", errno);
    }

    void remove(const std::filesystem::path& path) override {
        if (::unlink(path.c_str()) < 0 && errno != ENOENT) fail(path, "remove", errno);
    }

    void sync_folder(const std::filesystem::path& folder) override {
        Handle handle{
            uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }),
            folder};
        if (handle.descriptor < 0) fail(folder, "open folder", errno);
        const int error = uninterrupted([&] { return ::fsync(handle.descriptor); }) < 0 ? errno : 0;
        abandon(handle);
        // Some file systems cannot sync a folder and say EINVAL; nothing more can be done there.
        if (error != 0 && error != EINVAL) fail(folder, "sync folder", error);
    }

    void truncate(const std::filesystem::path& path, std::uint64_t size) override {
        if (size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()))
            fail(path, "truncate", EFBIG);
        Handle handle{uninterrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW); }),
                      path};
        if (handle.descriptor < 0 && errno == ELOOP) refuse_link(path);
        if (handle.descriptor < 0) fail(path, "truncate", errno);
        const int error =
            uninterrupted([&] { return ::ftruncate(handle.descriptor, static_cast<off_t>(size)); }) < 0
                ? errno
                : 0;
        abandon(handle);
        if (error != 0) fail(path, "truncate", error);
    }

    void create_directories(const std::filesystem::path& folder) override {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error) fail(folder, "create folder", error.value());
    }

    std::uint64_t free_space(const std::filesystem::path& path) override {
        struct statvfs info {};
        if (uninterrupted([&] { return ::statvfs(path.c_str(), &info); }) < 0)
            fail(path, "ask for free space", errno);
        return std::uint64_t{info.f_bavail} * info.f_frsize;
    }
};

}  // namespace

FileSystem& real_file_system() {
    static RealFileSystem files;
    return files;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace rivulet::io
