#include <fmt/format.h>
#include <xxhash.h>

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

std::uint64_t xxh64_of_file(const std::filesystem::path& path) {
    const InputFile file(path);
    RunningHash hash;
    std::vector<std::byte> piece(std::size_t{1} << 20);
    std::uint64_t offset = 0;
    while (const std::size_t n = file.read_some(offset, piece)) {
        hash.add(std::span(piece).first(n));
        offset += n;
    }
    return hash.value();
}

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

}  // namespace rivulet::io
