#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/io/append_file.h>
#include <rivulet/io/input_file.h>

namespace rivulet::io {

AppendFile::AppendFile(FileSystem& files, const std::filesystem::path& path, std::uint64_t keep,
                       RunningHash hash)
    : files_(&files),
      path_(path),
      written_(keep),
      file_(std::make_unique<OpenFile>(files, path, FileSystem::Mode::append)),
      hash_(std::move(hash)) {}

AppendFile AppendFile::create(FileSystem& files, const std::filesystem::path& path) {
    // Emptied first, then opened to append: after taking back a failed flush the next one lands at the end.
    OpenFile(files, path, FileSystem::Mode::replace).close();
    return {files, path, 0, {}};
}

AppendFile AppendFile::resume(FileSystem& files, const std::filesystem::path& path, std::uint64_t keep) {
    const std::uint64_t size = InputFile(path).size();
    RunningHash hash = hash_of_file(path, keep);
    if (size < keep)
        throw IoError(path, fmt::format("has {} bytes, but {} are needed to continue", size, keep));
    if (size > keep) files.truncate(path, keep);
    return {files, path, keep, std::move(hash)};
}

void AppendFile::flush() {
    try {
        file_->write(std::as_bytes(std::span(held_)));
    } catch (const IoError&) {
        try {
            files_->truncate(path_, written_);
        } catch (const IoError&) {
            // The first error is the one to report; `resume` cuts the file to whole rows anyway.
        }
        throw;
    }
    hash_.add(std::as_bytes(std::span(held_)));
    written_ += held_.size();
    held_.clear();
}

void AppendFile::sync() {
    flush();
    file_->sync();
}

}  // namespace rivulet::io
