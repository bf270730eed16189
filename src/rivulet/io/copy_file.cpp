#include <rivulet/io/copy_file.h>

#include <vector>

#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/input_file.h>

namespace rivulet::io {

Copied copy_file(FileSystem& files, const std::filesystem::path& from, const std::filesystem::path& to) {
    const InputFile source(from);
    RunningHash hash;
    std::uint64_t offset = 0;
    write_atomically(files, to, [&](ByteSink& sink) {
        std::vector<std::byte> piece(std::size_t{1} << 20);
        while (const std::size_t n = source.read_some(offset, piece)) {
            sink.append(std::span(piece).first(n));
            hash.add(std::span(piece).first(n));
            offset += n;
        }
    });
    return {offset, hash.value()};
}

}  // namespace rivulet::io
