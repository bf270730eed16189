#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/input_file.h>

namespace rivulet::io {

std::uint64_t xxh64(std::span<const std::byte> bytes) {
    return XXH64(bytes.data(), bytes.size(), 0);
}

std::uint64_t xxh64_of_file(const std::filesystem::path& path) {
    const InputFile file(path);
    const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(),
                                                                           &XXH64_freeState);
    if (!state) throw IoError(path, "no memory to hash it");
    XXH64_reset(state.get(), 0);
    std::vector<std::byte> piece(std::size_t{1} << 20);
    std::uint64_t offset = 0;
    while (const std::size_t n = file.read_some(offset, piece)) {
        XXH64_update(state.get(), piece.data(), n);
        offset += n;
    }
    return XXH64_digest(state.get());
}

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

}  // namespace rivulet::io
