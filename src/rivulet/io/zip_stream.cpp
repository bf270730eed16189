#include <algorithm>

#include <rivulet/io/zip_format.h>
#include <rivulet/io/zip_stream.h>

namespace rivulet::io {
namespace {

using zip::put;

constexpr std::uint64_t kAlignment = 64;

/// What local and central header have in common, from "version needed" to the CRC.
void put_common(std::string& out, const ZipStream::Member& member, bool zip64) {
    const bool ascii = std::all_of(member.name.begin(), member.name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    put<std::uint16_t>(out, zip64 ? 45 : 20);
    put<std::uint16_t>(out, ascii ? 0 : zip::kFlagUtf8);
    put<std::uint16_t>(out, member.deflated ? zip::kDeflated : zip::kStored);
    put<std::uint16_t>(out, zip::kTime);
    put<std::uint16_t>(out, zip::kDate);
    put<std::uint32_t>(out, member.crc);
}

std::uint32_t clip32(std::uint64_t value, bool zip64) {
    return zip64 ? zip::kFull32 : static_cast<std::uint32_t>(value);
}

}  // namespace

void ZipStream::append(std::span<const std::byte> bytes) {
    sink_.append(bytes);
    position_ += bytes.size();
}

void ZipStream::append_text(const std::string& text) {
    append(std::as_bytes(std::span(text)));
}

void ZipStream::begin(const Member& member) {
    const bool zip64 = std::max(member.size, member.packed_size) >= zip64_from_;
    std::string extra;
    if (zip64) {
        put<std::uint16_t>(extra, zip::kExtra64);
        put<std::uint16_t>(extra, 16);
        put<std::uint64_t>(extra, member.size);
        put<std::uint64_t>(extra, member.packed_size);
    }
    if (!member.deflated) {
        const std::uint64_t start = position_ + zip::kLocalHeaderSize + member.name.size() + extra.size() + 6;
        const std::uint64_t padding = (kAlignment - start % kAlignment) % kAlignment;
        put<std::uint16_t>(extra, zip::kExtraAlignment);
        put<std::uint16_t>(extra, static_cast<std::uint16_t>(2 + padding));
        put<std::uint16_t>(extra, kAlignment);
        extra.append(padding, '\0');
    }
    std::string header;
    put<std::uint32_t>(header, zip::kLocalHeader);
    put_common(header, member, zip64);
    put<std::uint32_t>(header, clip32(member.packed_size, zip64));
    put<std::uint32_t>(header, clip32(member.size, zip64));
    put<std::uint16_t>(header, static_cast<std::uint16_t>(member.name.size()));
    put<std::uint16_t>(header, static_cast<std::uint16_t>(extra.size()));
    header += member.name;
    header += extra;
    add_to_directory(member, position_);
    append_text(header);
}

void ZipStream::add_to_directory(const Member& member, std::uint64_t offset) {
    const bool sizes64 = std::max(member.size, member.packed_size) >= zip64_from_;
    const bool offset64 = offset >= zip64_from_;
    std::string extra;
    if (sizes64 || offset64) {
        put<std::uint16_t>(extra, zip::kExtra64);
        put<std::uint16_t>(extra, static_cast<std::uint16_t>((sizes64 ? 16 : 0) + (offset64 ? 8 : 0)));
        if (sizes64) put<std::uint64_t>(extra, member.size);
        if (sizes64) put<std::uint64_t>(extra, member.packed_size);
        if (offset64) put<std::uint64_t>(extra, offset);
    }
    put<std::uint32_t>(directory_, zip::kCentralHeader);
    put<std::uint16_t>(directory_, 3 << 8 | 45);  // made on Unix, by a writer of zip64
    put_common(directory_, member, sizes64 || offset64);
    put<std::uint32_t>(directory_, clip32(member.packed_size, sizes64));
    put<std::uint32_t>(directory_, clip32(member.size, sizes64));
    put<std::uint16_t>(directory_, static_cast<std::uint16_t>(member.name.size()));
    put<std::uint16_t>(directory_, static_cast<std::uint16_t>(extra.size()));
    put<std::uint16_t>(directory_, 0);                          // comment
    put<std::uint16_t>(directory_, 0);                          // disk
    put<std::uint16_t>(directory_, 0);                          // internal attributes
    put<std::uint32_t>(directory_, std::uint32_t{0644} << 16);  // external attributes: Unix permissions
    put<std::uint32_t>(directory_, clip32(offset, offset64));
    directory_ += member.name;
    directory_ += extra;
    ++members_;
}

void ZipStream::finish() {
    const std::uint64_t offset = position_, size = directory_.size();
    append_text(directory_);
    const bool zip64 = members_ >= zip::kFull16 || offset >= zip64_from_ || size >= zip64_from_;
    std::string end;
    if (zip64) {
        put<std::uint32_t>(end, zip::kEndOfDirectory64);
        put<std::uint64_t>(end, zip::kEndOfDirectory64Size - 12);
        put<std::uint16_t>(end, 3 << 8 | 45);
        put<std::uint16_t>(end, 45);
        put<std::uint32_t>(end, 0);
        put<std::uint32_t>(end, 0);
        put<std::uint64_t>(end, members_);
        put<std::uint64_t>(end, members_);
        put<std::uint64_t>(end, size);
        put<std::uint64_t>(end, offset);
        put<std::uint32_t>(end, zip::kLocator64);
        put<std::uint32_t>(end, 0);
        put<std::uint64_t>(end, position_);
        put<std::uint32_t>(end, 1);
    }
    const auto count = zip64 ? zip::kFull16 : static_cast<std::uint16_t>(members_);
    put<std::uint32_t>(end, zip::kEndOfDirectory);
    put<std::uint16_t>(end, 0);
    put<std::uint16_t>(end, 0);
    put<std::uint16_t>(end, count);
    put<std::uint16_t>(end, count);
    put<std::uint32_t>(end, clip32(size, zip64));
    put<std::uint32_t>(end, clip32(offset, zip64));
    put<std::uint16_t>(end, 0);
    append_text(end);
}

}  // namespace rivulet::io
