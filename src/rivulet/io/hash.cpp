#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <new>
#include <vector>

#include <rivulet/io/hash.h>
#include <rivulet/io/input_file.h>

namespace rivulet::io {

std::uint64_t xxh64(std::span<const std::byte> bytes) {
    return XXH64(bytes.data(), bytes.size(), 0);
}

RunningHash::RunningHash()
    : state_(XXH64_createState(), [](XXH64_state_s* state) { XXH64_freeState(state); }) {
    if (!state_) throw std::bad_alloc();
    XXH64_reset(state_.get(), 0);
}

void RunningHash::add(std::span<const std::byte> bytes) {
    XXH64_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t RunningHash::value() const {
    return XXH64_digest(state_.get());
}

RunningHash hash_of_file(const std::filesystem::path& path, std::uint64_t most) {
    const InputFile file(path);
    RunningHash hash;
    std::vector<std::byte> buffer(std::size_t{1} << 20);
    std::uint64_t offset = 0;
    while (offset < most) {
        const auto piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), most - offset));
        const std::size_t n = file.read_some(offset, piece);
        if (n == 0) break;
        hash.add(piece.first(n));
        offset += n;
    }
    return hash;
}

std::uint64_t xxh64_of_file(const std::filesystem::path& path) {
    return hash_of_file(path).value();
}

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

}  // namespace rivulet::io
