#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include <rivulet/base/error.h>
#include <rivulet/io/input_file.h>

namespace rivulet::io {
namespace {

std::string reason(int error) {
    return std::generic_category().message(error);
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
    // NOTE: without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) throw IoError(path, "cannot open: " + reason(errno));
    struct stat info {};
    const int error = ::fstat(descriptor_, &info) < 0 ? errno : 0;
    if (error == 0 && S_ISREG(info.st_mode)) {
        size_ = static_cast<std::uint64_t>(info.st_size);
        return;
    }
    ::close(descriptor_);
    if (error != 0) throw IoError(path, "cannot read: " + reason(error));
    throw IoError(path, S_ISDIR(info.st_mode) ? "is a folder, not a file" : "is not an ordinary file");
}

InputFile::~InputFile() {
    ::close(descriptor_);
}

std::size_t InputFile::read_some(std::uint64_t offset, std::span<std::byte> into) const {
    for (;;) {
        const auto n = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
        if (n >= 0) return static_cast<std::size_t>(n);
        if (errno != EINTR) throw IoError(path_, "cannot read: " + reason(errno));
    }
}

void InputFile::read_exactly(std::uint64_t offset, std::span<std::byte> into) const {
    while (!into.empty()) {
        const std::size_t n = read_some(offset, into);
        if (n == 0) throw IoError(path_, "became shorter while it was read");
        offset += n;
        into = into.subspan(n);
    }
}

}  // namespace rivulet::io
