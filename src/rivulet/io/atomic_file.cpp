#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>

namespace rivulet::io {
namespace {

constexpr std::size_t kCollect = std::size_t{1} << 18;

class CollectingSink final : public ByteSink {
 public:
    explicit CollectingSink(OpenFile& file) : file_(file) {}

    void append(std::span<const std::byte> bytes) override {
        if (held_.size() + bytes.size() > kCollect) flush();
        if (bytes.size() >= kCollect)
            file_.write(bytes);
        else
            held_.insert(held_.end(), bytes.begin(), bytes.end());
    }
    void flush() {
        file_.write(held_);
        held_.clear();
    }

 private:
    OpenFile& file_;
    std::vector<std::byte> held_;
};

void remove_quietly(FileSystem& files, const std::filesystem::path& path) noexcept {
    try {
        files.remove(path);
    } catch (...) {
        // The error that led here is the one to report.
    }
}

void write_and_sync(FileSystem& files, const std::filesystem::path& path,
                    const std::function<void(ByteSink&)>& produce) {
    OpenFile file(files, path, FileSystem::Mode::replace);
    CollectingSink sink(file);
    produce(sink);
    sink.flush();
    file.sync();
    file.close();
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& path) {
    return folder_of(path) / ("." + path.filename().string() + ".tmp");
}

void write_atomically(FileSystem& files, const std::filesystem::path& path,
                      const std::function<void(ByteSink&)>& produce) {
    if (!path.has_filename()) throw IoError(path, "not the name of a file");
    const std::filesystem::path temporary = temporary_name(path);
    try {
        write_and_sync(files, temporary, produce);
        files.rename(temporary, path);
    } catch (...) {
        remove_quietly(files, temporary);
        throw;
    }
    files.sync_folder(folder_of(path));
}

void write_atomically(FileSystem& files, const std::filesystem::path& path,
                      std::span<const std::span<const std::byte>> pieces) {
    write_atomically(files, path, [&](ByteSink& sink) {
        for (const auto& piece : pieces) sink.append(piece);
    });
}

void write_atomically(FileSystem& files, const std::filesystem::path& path,
                      std::span<const std::byte> bytes) {
    write_atomically(files, path, std::span(&bytes, 1));
}

void write_atomically(FileSystem& files, const std::filesystem::path& path, std::string_view text) {
    write_atomically(files, path, std::as_bytes(std::span(text)));
}

}  // namespace rivulet::io
