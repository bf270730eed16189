#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/io/atomic_file.h>

namespace rivulet::io {

/// Writes a zip file from front to back. Sizes and CRC of a member are known before its bytes, so local
/// headers are complete and nothing is patched afterwards.
class ZipStream {
 public:
    struct Member {
        std::string_view name;
        bool deflated = false;
        std::uint32_t crc = 0;
        std::uint64_t packed_size = 0, size = 0;
    };

    /// Sizes and offsets from `zip64_from` on use zip64 records; lower than 2^32 - 1 only in tests.
    explicit ZipStream(ByteSink& sink, std::uint64_t zip64_from) : sink_(sink), zip64_from_(zip64_from) {}

    /// Writes the local header; exactly `packed_size` bytes must follow through `append`. Stored members
    /// start at a multiple of 64 bytes.
    void begin(const Member& member);
    void append(std::span<const std::byte> bytes);
    /// Writes the central directory.
    void finish();

 private:
    void append_text(const std::string& text);
    void add_to_directory(const Member& member, std::uint64_t offset);

    ByteSink& sink_;
    std::uint64_t zip64_from_, position_ = 0, members_ = 0;
    std::string directory_;
};

}  // namespace rivulet::io
