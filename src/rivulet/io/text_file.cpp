#include <fmt/format.h>

#include <span>

#include <rivulet/base/error.h>
#include <rivulet/io/input_file.h>
#include <rivulet/io/text_file.h>

namespace rivulet::io {
namespace {

template <class Buffer>
Buffer read_whole(const std::filesystem::path& path, std::uint64_t most) {
    const InputFile file(path);
    if (file.size() > most)
        throw InputError(Problem{.file = path,
                                 .key = {},
                                 .message = fmt::format("is too large: {} bytes", file.size()),
                                 .hint = fmt::format("at most {} bytes are read", most)});
    Buffer content(static_cast<std::size_t>(file.size()), typename Buffer::value_type{});
    file.read_exactly(0, std::as_writable_bytes(std::span(content)));
    return content;
}

}  // namespace

std::string read_text(const std::filesystem::path& path, std::uint64_t most) {
    return read_whole<std::string>(path, most);
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path, std::uint64_t most) {
    return read_whole<std::vector<std::byte>>(path, most);
}

}  // namespace rivulet::io
