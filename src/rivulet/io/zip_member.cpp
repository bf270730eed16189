#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include <rivulet/io/crc32.h>
#include <rivulet/io/zip_directory.h>

namespace rivulet::io {
namespace {

/// Unpacks one deflated member from front to back.
class Inflater {
 public:
    Inflater(const ByteSource& source, const std::string& file, const ZipMember& member)
        : source_(source), file_(file), member_(member) {
        if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    void fill(std::span<std::byte> into) {
        while (!into.empty()) {
            const std::size_t n = some(into);
            if (n == 0) refuse(file_, member_.name, "unpacks to fewer bytes than it says");
            into = into.subspan(n);
        }
    }
    /// The stream must end exactly here, with all packed bytes used.
    void finish() {
        std::byte extra;
        if (some({&extra, 1}) != 0) refuse(file_, member_.name, "unpacks to more bytes than it says");
        if (!ended_ || consumed_ != member_.packed_size || stream_.avail_in != 0)
            refuse(file_, member_.name, "has damaged packed bytes");
    }

 private:
    /// At least one byte, or 0 at the end of the stream.
    std::size_t some(std::span<std::byte> into) {
        const std::size_t want = std::min(into.size(), std::size_t{1} << 30);
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(want);
        while (!ended_ && stream_.avail_out == want) {
            if (stream_.avail_in == 0) refill();
            const bool starved = stream_.avail_in == 0;
            const int code = inflate(&stream_, Z_NO_FLUSH);
            ended_ = code == Z_STREAM_END;
            if (code != Z_OK && !ended_ && (code != Z_BUF_ERROR || starved))
                refuse(file_, member_.name, "has damaged packed bytes");
        }
        return want - stream_.avail_out;
    }
    void refill() {
        const auto n = std::min<std::uint64_t>(member_.packed_size - consumed_, packed_.size());
        const auto part = std::span(packed_).first(static_cast<std::size_t>(n));
        source_.read(member_.offset + consumed_, part);
        consumed_ += n;
        stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
        stream_.avail_in = static_cast<uInt>(n);
    }

    const ByteSource& source_;
    const std::string& file_;
    const ZipMember& member_;
    z_stream stream_{};
    std::uint64_t consumed_ = 0;
    bool ended_ = false;
    std::array<std::byte, 32768> packed_;
};

}  // namespace

void read_member_start(const ByteSource& source, const std::string& file, const ZipMember& member,
                       std::span<std::byte> head) {
    if (member.deflated)
        Inflater(source, file, member).fill(head);
    else
        source.read(member.offset, head);
}

void read_member(const ByteSource& source, const std::string& file, const ZipMember& member,
                 std::span<std::byte> head, std::span<std::byte> body) {
    if (member.deflated) {
        Inflater inflater(source, file, member);
        inflater.fill(head);
        inflater.fill(body);
        inflater.finish();
    } else {
        source.read(member.offset, head);
        source.read(member.offset + head.size(), body);
    }
    if (crc32(body, crc32(head)) != member.crc) refuse(file, member.name, "is damaged (CRC differs)");
}

void verify_member(const ByteSource& source, const std::string& file, const ZipMember& member) {
    constexpr std::size_t largest_piece = std::size_t{1} << 22;
    std::vector<std::byte> piece(
        static_cast<std::size_t>(std::min<std::uint64_t>(member.size, largest_piece)));
    std::optional<Inflater> inflater;
    if (member.deflated) inflater.emplace(source, file, member);
    std::uint32_t crc = 0;
    for (std::uint64_t done = 0; done < member.size;) {
        const auto n = std::min<std::uint64_t>(member.size - done, piece.size());
        const auto part = std::span(piece).first(static_cast<std::size_t>(n));
        if (inflater)
            inflater->fill(part);
        else
            source.read(member.offset + done, part);
        crc = crc32(part, crc);
        done += n;
    }
    if (inflater) inflater->finish();
    if (crc != member.crc) refuse(file, member.name, "is damaged (CRC differs)");
}

}  // namespace rivulet::io
