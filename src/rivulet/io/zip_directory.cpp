#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/io/zip_directory.h>
#include <rivulet/io/zip_format.h>

namespace rivulet::io {
namespace {

using zip::get;

struct Directory {
    std::uint64_t members = 0, offset = 0, size = 0;
};

using Bytes = std::span<const std::byte>;

std::string_view as_text(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The record that closes the file: the last one whose comment reaches exactly to the end.
std::uint64_t find_end_record(const ByteSource& source, const std::string& file,
                              std::vector<std::byte>& tail) {
    const std::uint64_t size = source.size();
    if (size < zip::kEndOfDirectorySize) refuse(file, "", "is too short for an array archive");
    const std::uint64_t longest = zip::kEndOfDirectorySize + zip::kFull16;
    tail.resize(static_cast<std::size_t>(std::min(size, longest)));
    source.read(size - tail.size(), tail);
    for (std::size_t at = tail.size() - zip::kEndOfDirectorySize + 1; at-- > 0;) {
        if (get<std::uint32_t>(tail, at) != zip::kEndOfDirectory) continue;
        if (at + zip::kEndOfDirectorySize + get<std::uint16_t>(tail, at + 20) != tail.size()) continue;
        tail.erase(tail.begin(), tail.begin() + static_cast<std::ptrdiff_t>(at));
        return size - tail.size();
    }
    refuse(file, "", "is not an array archive, or was cut off");
}

/// The zip64 twin of the end record, when there is one. Returns its offset, where the directory must end.
std::optional<std::uint64_t> read_end64(const ByteSource& source, const std::string& file, std::uint64_t end,
                                        Directory& directory) {
    constexpr std::size_t both = zip::kEndOfDirectory64Size + zip::kLocator64Size;
    if (end < both) return {};
    std::array<std::byte, both> bytes;
    source.read(end - both, bytes);
    const Bytes record = Bytes(bytes).first(zip::kEndOfDirectory64Size);
    const Bytes locator = Bytes(bytes).last(zip::kLocator64Size);
    if (get<std::uint32_t>(locator, 0) != zip::kLocator64) return {};
    const std::uint64_t offset = end - both;
    if (get<std::uint64_t>(locator, 8) != offset || get<std::uint32_t>(record, 0) != zip::kEndOfDirectory64 ||
        get<std::uint64_t>(record, 24) != get<std::uint64_t>(record, 32))
        refuse(file, "", "has a damaged zip64 directory record");
    directory = {get<std::uint64_t>(record, 32), get<std::uint64_t>(record, 48),
                 get<std::uint64_t>(record, 40)};
    return offset;
}

Directory locate_directory(const ByteSource& source, const std::string& file) {
    std::vector<std::byte> record;
    const std::uint64_t end = find_end_record(source, file, record);
    Directory directory{get<std::uint16_t>(record, 10), get<std::uint32_t>(record, 16),
                        get<std::uint32_t>(record, 12)};
    if (get<std::uint16_t>(record, 4) != 0 || get<std::uint16_t>(record, 6) != 0 ||
        get<std::uint16_t>(record, 8) != get<std::uint16_t>(record, 10))
        refuse(file, "", "is one part of a split archive");
    std::uint64_t directory_end = end;
    const bool full = directory.members == zip::kFull16 || directory.offset == zip::kFull32 ||
                      directory.size == zip::kFull32;
    if (full) directory_end = read_end64(source, file, end, directory).value_or(end);
    if (directory.offset > directory_end || directory.size != directory_end - directory.offset)
        refuse(file, "", "has a directory that does not fit the file");
    if (directory.members > directory.size / zip::kCentralHeaderSize)
        refuse(file, "", "claims more members than its directory can hold");
    return directory;
}

/// Takes the 64-bit values that stand in for full 32-bit ones, in the order the format prescribes.
void read_extra64(const std::string& file, Bytes extra, ZipMember& member) {
    const bool wanted[3] = {member.size == zip::kFull32, member.packed_size == zip::kFull32,
                            member.header_offset == zip::kFull32};
    std::uint64_t* const values[3] = {&member.size, &member.packed_size, &member.header_offset};
    while (extra.size() >= 4) {
        const std::size_t length = get<std::uint16_t>(extra, 2);
        if (length > extra.size() - 4) refuse(file, member.name, "has a damaged extra field");
        Bytes content = extra.subspan(4, length);
        if (get<std::uint16_t>(extra, 0) == zip::kExtra64) {
            for (int i = 0; i < 3; ++i) {
                if (!wanted[i]) continue;
                if (content.size() < 8) refuse(file, member.name, "has a damaged zip64 field");
                *values[i] = get<std::uint64_t>(content, 0);
                content = content.subspan(8);
            }
            return;
        }
        extra = extra.subspan(4 + length);
    }
}

ZipMember read_entry(const std::string& file, Bytes& rest) {
    if (rest.size() < zip::kCentralHeaderSize || get<std::uint32_t>(rest, 0) != zip::kCentralHeader)
        refuse(file, "", "has a damaged directory entry");
    const std::size_t name = get<std::uint16_t>(rest, 28), extra = get<std::uint16_t>(rest, 30),
                      comment = get<std::uint16_t>(rest, 32);
    if (rest.size() - zip::kCentralHeaderSize < name + extra + comment)
        refuse(file, "", "has a directory entry that is cut off");
    ZipMember member;
    member.name = as_text(rest.subspan(zip::kCentralHeaderSize, name));
    const auto method = get<std::uint16_t>(rest, 10);
    if ((get<std::uint16_t>(rest, 8) & zip::kFlagEncrypted) != 0) refuse(file, member.name, "is encrypted");
    if (method != zip::kStored && method != zip::kDeflated)
        refuse(file, member.name,
               fmt::format("is packed by method {}; only stored and deflate are read", method));
    member.deflated = method == zip::kDeflated;
    member.crc = get<std::uint32_t>(rest, 16);
    member.packed_size = get<std::uint32_t>(rest, 20);
    member.size = get<std::uint32_t>(rest, 24);
    member.header_offset = get<std::uint32_t>(rest, 42);
    read_extra64(file, rest.subspan(zip::kCentralHeaderSize + name, extra), member);
    rest = rest.subspan(zip::kCentralHeaderSize + name + extra + comment);
    return member;
}

/// Checks the header before the member's bytes against the directory and finds where the bytes start.
void read_local_header(const ByteSource& source, const std::string& file, std::uint64_t limit,
                       ZipMember& member) {
    std::vector<std::byte> header(zip::kLocalHeaderSize + member.name.size());
    if (member.header_offset > limit || header.size() > limit - member.header_offset)
        refuse(file, member.name, "lies outside the file");
    source.read(member.header_offset, header);
    const auto agrees = [&](std::size_t offset, std::uint64_t value) {
        const auto local = get<std::uint32_t>(header, offset);
        return local == zip::kFull32 || local == value;
    };
    const auto flags = get<std::uint16_t>(header, 6);
    const bool sizes_follow = (flags & zip::kFlagDescriptor) != 0;
    if (get<std::uint32_t>(header, 0) != zip::kLocalHeader || (flags & zip::kFlagEncrypted) != 0 ||
        get<std::uint16_t>(header, 8) != (member.deflated ? zip::kDeflated : zip::kStored) ||
        get<std::uint16_t>(header, 26) != member.name.size() ||
        as_text(Bytes(header).subspan(zip::kLocalHeaderSize)) != member.name ||
        (!sizes_follow && (get<std::uint32_t>(header, 14) != member.crc || !agrees(18, member.packed_size) ||
                           !agrees(22, member.size))))
        refuse(file, member.name, "has a header that disagrees with the directory");
    member.offset = member.header_offset + header.size() + get<std::uint16_t>(header, 28);
    if (member.offset > limit || member.packed_size > limit - member.offset)
        refuse(file, member.name, "reaches beyond the end of the data");
    // NOTE: deflate cannot shrink more than 1032 to 1; a larger claim is a trap for memory.
    if (member.deflated ? member.size / 1032 > member.packed_size : member.size != member.packed_size)
        refuse(file, member.name, "has sizes that cannot be");
}

void check_overlaps(const std::string& file, const std::vector<ZipMember>& members) {
    std::vector<const ZipMember*> order;
    for (const ZipMember& member : members) order.push_back(&member);
    std::sort(order.begin(), order.end(),
              [](const auto* a, const auto* b) { return a->header_offset < b->header_offset; });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (order[i]->header_offset < order[i - 1]->offset + order[i - 1]->packed_size)
            refuse(file, order[i]->name, "overlaps " + order[i - 1]->name);
}

}  // namespace

void refuse(const std::string& file, const std::string& member, const std::string& message) {
    throw InputError(Problem{.file = file, .key = member, .message = message, .hint = {}});
}

std::vector<ZipMember> read_zip_directory(const ByteSource& source, const std::string& file) {
    const Directory directory = locate_directory(source, file);
    std::vector<std::byte> bytes(static_cast<std::size_t>(directory.size));
    source.read(directory.offset, bytes);
    std::vector<ZipMember> members;
    std::set<std::string_view> names;
    members.reserve(static_cast<std::size_t>(directory.members));
    Bytes rest = bytes;
    for (std::uint64_t i = 0; i < directory.members; ++i) {
        ZipMember& member = members.emplace_back(read_entry(file, rest));
        if (!names.insert(member.name).second) refuse(file, member.name, "is there twice");
        read_local_header(source, file, directory.offset, member);
    }
    if (!rest.empty()) refuse(file, "", "has more directory entries than it counts");
    check_overlaps(file, members);
    return members;
}

}  // namespace rivulet::io
