#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>

struct XXH64_state_s;

namespace rivulet::io {

/// XXH64 with seed 0: tells whether files changed; no protection against a forger.
std::uint64_t xxh64(std::span<const std::byte> bytes);

/// The same of bytes that come piece by piece.
class RunningHash {
 public:
    RunningHash();
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;

 private:
    std::unique_ptr<XXH64_state_s, void (*)(XXH64_state_s*)> state_;
};

/// Of the first `most` bytes of a file, or of all when it has fewer, read piece by piece. IoError when it
/// cannot be read or is no ordinary file.
RunningHash hash_of_file(const std::filesystem::path& path,
                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
std::uint64_t xxh64_of_file(const std::filesystem::path& path);

/// 16 hexadecimal digits, as in frames.csv.
std::string hash_text(std::uint64_t hash);

}  // namespace rivulet::io
