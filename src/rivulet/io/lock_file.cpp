#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

#include <rivulet/base/error.h>
#include <rivulet/io/lock_file.h>

namespace rivulet::io {
namespace {

long read_holder(int descriptor) {
    char text[32];
    const auto n = ::pread(descriptor, text, sizeof(text), 0);
    long process = 0;
    if (n > 0) std::from_chars(text, text + n, process);
    return process;
}

int try_lock(int descriptor, int kind) {
    while (::flock(descriptor, kind | LOCK_NB) < 0)
        if (errno != EINTR) return errno;
    return 0;
}

}  // namespace

LockFile::LockFile(const std::filesystem::path& path) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    int error = descriptor_ < 0 ? errno : try_lock(descriptor_, LOCK_EX);
    if (error == 0) {
        const std::string text = std::to_string(::getpid()) + "\n";
        const bool written = ::ftruncate(descriptor_, 0) == 0 &&
                             ::pwrite(descriptor_, text.data(), text.size(), 0) == ssize_t(text.size());
        if (written) return;
        error = errno;
    }
    const long holder = error == EWOULDBLOCK ? read_holder(descriptor_) : 0;
    if (descriptor_ >= 0) ::close(descriptor_);
    if (error == EWOULDBLOCK)
        throw IoError(path, holder > 0 ? "is in use by process " + std::to_string(holder)
                                       : std::string("is in use by another process"));
    if (error == ELOOP) throw IoError(path, "is a link to another file; remove the link");
    throw IoError(path, "cannot lock: " + std::generic_category().message(error));
}

LockFile::~LockFile() {
    ::close(descriptor_);
}

std::optional<long> lock_holder(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return {};
    const int error = try_lock(descriptor, LOCK_SH);
    const long holder = error == EWOULDBLOCK ? read_holder(descriptor) : 0;
    ::close(descriptor);
    if (error != EWOULDBLOCK) return {};
    return holder;
}

}  // namespace rivulet::io
