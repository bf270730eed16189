#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rivulet::io {

/// Bytes that can be read at any offset: a file or a piece of memory.
class ByteSource {
 public:
    virtual ~ByteSource() = default;
    virtual std::uint64_t size() const = 0;
    /// Fills `into`; offset + length is within `size()`.
    virtual void read(std::uint64_t offset, std::span<std::byte> into) const = 0;
};

struct ZipMember {
    std::string name;
    bool deflated = false;
    std::uint32_t crc = 0;
    std::uint64_t packed_size = 0, size = 0;
    std::uint64_t header_offset = 0;  // of the local header
    std::uint64_t offset = 0;         // of the first packed byte
};

/// Reads and checks the directory of a zip file: every offset and size within the file, no overlaps, no
/// repeated names, local headers that agree. What is wrong is an InputError that names `file`.
std::vector<ZipMember> read_zip_directory(const ByteSource& source, const std::string& file);

/// First bytes of a member, unpacked; no CRC check. `head` is at most the member's size.
void read_member_start(const ByteSource& source, const std::string& file, const ZipMember& member,
                       std::span<std::byte> head);

/// A whole member, unpacked into two places that together have its size; the CRC must be right.
void read_member(const ByteSource& source, const std::string& file, const ZipMember& member,
                 std::span<std::byte> head, std::span<std::byte> body);

/// Reads a member once, in pieces of bounded size: complete and with the right CRC, or an InputError.
void verify_member(const ByteSource& source, const std::string& file, const ZipMember& member);

[[noreturn]] void refuse(const std::string& file, const std::string& member, const std::string& message);

}  // namespace rivulet::io
