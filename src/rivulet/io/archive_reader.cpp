#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include <rivulet/io/archive_reader.h>
#include <rivulet/io/input_file.h>

namespace rivulet::io {
namespace {

class FileSource final : public ByteSource {
 public:
    explicit FileSource(const std::filesystem::path& path) : file_(path) {}
    std::uint64_t size() const override { return file_.size(); }
    void read(std::uint64_t offset, std::span<std::byte> into) const override {
        file_.read_exactly(offset, into);
    }

 private:
    InputFile file_;
};

class MemorySource final : public ByteSource {
 public:
    explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void read(std::uint64_t offset, std::span<std::byte> into) const override {
        if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
    }

 private:
    std::span<const std::byte> bytes_;
};

constexpr std::string_view kSuffix = ".npy";

ArrayInfo read_array_info(const ByteSource& source, const std::string& file, const ZipMember& member) {
    std::vector<std::byte> head(static_cast<std::size_t>(std::min<std::uint64_t>(member.size, 12)));
    read_member_start(source, file, member, head);
    const auto length = npy_header_length(head);
    if (!length || *length > member.size) refuse(file, member.name, "is not an .npy array");
    head.resize(*length);
    read_member_start(source, file, member, head);
    std::string error;
    auto header = parse_npy_header(head, error);
    if (!header) refuse(file, member.name, error);
    if (header->bytes != member.size - *length)
        refuse(file, member.name,
               fmt::format("has {} bytes of data, but shape {} of {} needs {}", member.size - *length,
                           to_text(header->shape), to_text(header->dtype), header->bytes));
    ArrayInfo info;
    info.name = member.name.substr(0, member.name.size() - kSuffix.size());
    info.dtype = header->dtype;
    info.shape = std::move(header->shape);
    info.bytes = header->bytes;
    info.header_length = *length;
    return info;
}

}  // namespace

ArchiveReader::ArchiveReader(const std::filesystem::path& path)
    : file_(path), source_(std::make_unique<FileSource>(path)) {
    open();
}

ArchiveReader::ArchiveReader(std::span<const std::byte> bytes, std::string name)
    : file_(std::move(name)), source_(std::make_unique<MemorySource>(bytes)) {
    open();
}

void ArchiveReader::open() {
    members_ = read_zip_directory(*source_, file_);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (!members_[i].name.ends_with(kSuffix)) continue;
        ArrayInfo& info = arrays_.emplace_back(read_array_info(*source_, file_, members_[i]));
        info.member = i;
        by_name_.emplace(info.name, arrays_.size() - 1);
    }
}

const ArrayInfo* ArchiveReader::find(std::string_view name) const {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? nullptr : &arrays_[it->second];
}

const ArrayInfo& ArchiveReader::require(std::string_view name) const {
    const ArrayInfo* info = find(name);
    if (info == nullptr) refuse(file_, std::string(name), "no such array");
    return *info;
}

const ArrayInfo& ArchiveReader::require(std::string_view name, const Shape& axes, std::size_t leading) const {
    const ArrayInfo& info = require(name);
    if (info.shape.size() != axes.size() + leading ||
        !std::equal(axes.begin(), axes.end(), info.shape.begin() + static_cast<std::ptrdiff_t>(leading)))
        refuse(file_, info.name,
               fmt::format("has shape {}; expected {}{}", to_text(info.shape),
                           leading == 1   ? "any number of "
                           : leading == 2 ? "rows of "
                                          : "",
                           axes.empty() ? "single numbers" : to_text(axes)));
    return info;
}

void ArchiveReader::read_stored_type(const ArrayInfo& info, std::span<std::byte> into) const {
    std::vector<std::byte> head(info.header_length);
    read_member(*source_, file_, members_[info.member], head, into);
    if (info.dtype == Dtype::boolean && !std::all_of(into.begin(), into.end(), [](std::byte b) {
            return b == std::byte{0} || b == std::byte{1};
        }))
        refuse(file_, info.name, "has booleans that are neither 0 nor 1");
}

void ArchiveReader::read_bytes(const ArrayInfo& info, Dtype wanted, Conversion conversion,
                               std::span<std::byte> into) const {
    if (info.dtype == wanted) return read_stored_type(info, into);
    if (conversion == Conversion::widen) {
        std::vector<std::byte> raw(static_cast<std::size_t>(info.bytes));
        read_stored_type(info, raw);
        if (widen(info.dtype, raw, wanted, into)) return;
    }
    refuse(file_, info.name, fmt::format("holds {}; expected {}", to_text(info.dtype), to_text(wanted)));
}

std::vector<std::byte> ArchiveReader::read_raw(std::string_view name) const {
    const ArrayInfo& info = require(name);
    std::vector<std::byte> raw(static_cast<std::size_t>(info.bytes));
    read_stored_type(info, raw);
    return raw;
}

std::string ArchiveReader::text(std::string_view member) const {
    for (const ZipMember& candidate : members_) {
        if (candidate.name != member) continue;
        std::string content(static_cast<std::size_t>(candidate.size), '\0');
        read_member(*source_, file_, candidate, {}, std::as_writable_bytes(std::span(content)));
        return content;
    }
    return {};
}

void ArchiveReader::verify() const {
    for (const ZipMember& member : members_) verify_member(*source_, file_, member);
}

}  // namespace rivulet::io
