#include <fmt/format.h>
#include <tbb/task_group.h>
#include <zlib.h>

#include <algorithm>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/io/archive_writer.h>
#include <rivulet/io/crc32.h>
#include <rivulet/io/zip_stream.h>

namespace rivulet::io {
namespace {

std::span<const double> as_doubles(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const double*>(bytes.data()), bytes.size() / sizeof(double)};
}

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out += '"';
}

/// One raw deflate stream that grows its output.
class Deflater {
 public:
    Deflater() {
        // NOTE: level 1; higher levels cost three times the time for some percent on particle data.
        if (deflateInit2(&stream_, 1, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    ~Deflater() { deflateEnd(&stream_); }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;

    void append(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const auto part = bytes.first(std::min(bytes.size(), std::size_t{1} << 30));
            run(part, Z_NO_FLUSH);
            bytes = bytes.subspan(part.size());
        }
    }
    std::vector<std::byte> finish() {
        run({}, Z_FINISH);
        return std::move(out_);
    }

 private:
    void run(std::span<const std::byte> bytes, int flush) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        std::byte piece[32768];
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(piece);
            stream_.avail_out = sizeof(piece);
            deflate(&stream_, flush);
            out_.insert(out_.end(), piece, piece + (sizeof(piece) - stream_.avail_out));
        } while (stream_.avail_out == 0);
    }
    z_stream stream_{};
    std::vector<std::byte> out_;
};

}  // namespace

template <class F>
void ArchiveWriter::Member::for_each_piece(F&& take) const {
    take(std::as_bytes(std::span(header)));
    if (!narrow) {
        take(bytes);
        return;
    }
    const auto values = as_doubles(bytes);
    std::vector<float> piece(std::min(values.size(), std::size_t{1} << 18));
    for (std::size_t i = 0; i < values.size(); i += piece.size()) {
        const auto part = std::span(piece).first(std::min(piece.size(), values.size() - i));
        to_float(values.subspan(i, part.size()), part);
        take(std::as_bytes(part));
    }
}

std::uint32_t ArchiveWriter::Member::crc() const {
    const std::uint32_t start = crc32(std::as_bytes(std::span(header)));
    return narrow ? crc32_as_float(as_doubles(bytes), start) : crc32(bytes, start);
}

void ArchiveWriter::add(std::string_view name, Dtype dtype, const Shape& shape,
                        std::span<const std::byte> bytes, Precision precision) {
    std::uint64_t count = 1;
    for (const std::uint64_t n : shape) count *= n;
    if (count * size_of(dtype) != bytes.size())
        throw Error(
            fmt::format("array '{}': {} bytes do not make shape {}", name, bytes.size(), to_text(shape)));
    const bool narrow = precision == Precision::float32 && dtype == Dtype::float64;
    add_member({.name = std::string(name) + ".npy",
                .header = npy_header(narrow ? Dtype::float32 : dtype, shape),
                .bytes = bytes,
                .owned = {},
                .narrow = narrow});
}

void ArchiveWriter::add_copy(std::string_view name, Dtype dtype, const Shape& shape,
                             std::vector<std::byte> bytes, Precision precision) {
    add(name, dtype, shape, bytes, precision);
    members_.back().owned = std::move(bytes);
}

void ArchiveWriter::add_text(std::string_view member, std::string text) {
    const auto bytes = std::as_bytes(std::span(text));
    std::vector<std::byte> owned(bytes.begin(), bytes.end());
    const std::span<const std::byte> view(owned);
    add_member({.name = std::string(member), .header = {}, .bytes = view, .owned = std::move(owned)});
}

void ArchiveWriter::add_member(Member member) {
    if (member.name.size() > 4096 || member.name.find('\0') != std::string::npos || member.name == ".npy")
        throw Error(fmt::format("'{}' cannot name an array", member.name));
    if (!names_.insert(member.name).second)
        throw Error(fmt::format("array '{}' is given twice", member.name));
    members_.push_back(std::move(member));
}

void ArchiveWriter::add_description(std::string_view key, const std::string& members) {
    descriptions_ +=
        fmt::format("{}\n  {}: {{{}}}", descriptions_.empty() ? "" : ",", json_quoted(key), members);
}

void ArchiveWriter::describe(std::string_view name, std::string_view unit, Centring centring) {
    add_description(name, fmt::format("\"unit\": {}, \"centring\": {}", json_quoted(unit),
                                      json_quoted(to_text(centring))));
}

void ArchiveWriter::describe(const GroupInfo& group) {
    add_description(group.name, fmt::format("\"shape\": {}, \"materials\": {}",
                                            json_quoted(to_text(group.shape)), json_quoted(group.materials)));
}

std::vector<std::byte> ArchiveWriter::deflated(const Member& member) {
    Deflater deflater;
    member.for_each_piece([&](std::span<const std::byte> piece) { deflater.append(piece); });
    return deflater.finish();
}

void ArchiveWriter::write_stored(ZipStream& zip, std::span<const Member* const> members) {
    // The CRC of the next member is computed while the system takes the bytes of this one.
    struct Ahead : tbb::task_group {
        ~Ahead() { wait(); }
    };
    std::vector<std::uint32_t> crc(members.size());
    Ahead ahead;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i == 0) crc[0] = members[0]->crc();
        ahead.wait();
        if (i + 1 < members.size()) ahead.run([&, i] { crc[i + 1] = members[i + 1]->crc(); });
        const Member& member = *members[i];
        zip.begin({member.name, false, crc[i], member.size(), member.size()});
        member.for_each_piece([&](std::span<const std::byte> piece) { zip.append(piece); });
    }
}

void ArchiveWriter::write_deflated(ZipStream& zip, std::span<const Member* const> members) {
    std::vector<std::vector<std::byte>> packed(members.size());
    parallel_for(members.size(), [&](std::size_t i) { packed[i] = deflated(*members[i]); });
    for (std::size_t i = 0; i < members.size(); ++i) {
        const Member& member = *members[i];
        zip.begin({member.name, true, member.crc(), packed[i].size(), member.size()});
        zip.append(packed[i]);
    }
}

void ArchiveWriter::write(ByteSink& sink, const ArchiveOptions& options) const {
    Member fields{.name = "fields.json", .header = {}, .bytes = {}, .owned = {}};
    const std::string json = "{" + descriptions_ + "\n}\n";
    fields.bytes = std::as_bytes(std::span(json));
    std::vector<const Member*> all;
    for (const Member& member : members_) all.push_back(&member);
    if (!descriptions_.empty() && !names_.contains("fields.json")) all.push_back(&fields);

    ZipStream zip(sink, options.zip64_from);
    if (options.deflate)
        write_deflated(zip, all);
    else
        write_stored(zip, all);
    zip.finish();
}

void ArchiveWriter::write(FileSystem& files, const std::filesystem::path& path,
                          const ArchiveOptions& options) const {
    write_atomically(files, path, [&](ByteSink& sink) { write(sink, options); });
}

}  // namespace rivulet::io
