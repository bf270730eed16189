#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/io/npy.h>
#include <rivulet/io/zip_directory.h>

namespace rivulet::io {

/// Whether numbers of another type are taken: never, or where no value changes (float32 to float64, narrower
/// to wider integers).
enum class Conversion { none, widen };

struct ArrayInfo {
    std::string name;  // "liquid/position"
    Dtype dtype = Dtype::float64;
    Shape shape;
    std::uint64_t bytes = 0;
    std::size_t header_length = 0, member = 0;
};

/// Reads an .npz. Opening checks sizes, offsets, overlaps and every array's header; reading an array checks
/// its CRC before anything is returned. A damaged or hostile file is an InputError that names the file, an
/// unreadable one an IoError. Memory taken is bounded by the arrays that are really in the file.
class ArchiveReader {
 public:
    explicit ArchiveReader(const std::filesystem::path& path);
    /// From memory that outlives the reader; `name` stands for the file in errors.
    ArchiveReader(std::span<const std::byte> bytes, std::string name);

    const std::string& file() const { return file_; }
    /// In the order of the file.
    const std::vector<ArrayInfo>& arrays() const { return arrays_; }
    /// Null when there is none.
    const ArrayInfo* find(std::string_view name) const;
    bool has(std::string_view name) const { return find(name) != nullptr; }

    /// All entries of an array whose trailing axes are those of T.
    template <class T>
    std::vector<T> read(std::string_view name, Conversion conversion = Conversion::none) const {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
        const ArrayInfo& info = require(name, ArrayElement<T>::axes(), 1);
        std::vector<T> values(static_cast<std::size_t>(info.shape[0]));
        read_bytes(info, dtype_of<typename ArrayElement<T>::Number>(), conversion,
                   std::as_writable_bytes(std::span(values)));
        return values;
    }
    /// A single value: shape () for a number, (3,) for a Vec3.
    template <class T>
    T read_scalar(std::string_view name, Conversion conversion = Conversion::none) const {
        const ArrayInfo& info = require(name, ArrayElement<T>::axes(), 0);
        T value{};
        read_bytes(info, dtype_of<typename ArrayElement<T>::Number>(), conversion,
                   std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
    /// The numbers of a table of two axes, row after row.
    template <class T>
    std::vector<T> read_table(std::string_view name, Conversion conversion = Conversion::none) const {
        static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
        const ArrayInfo& info = require(name, {}, 2);
        std::vector<T> values(static_cast<std::size_t>(info.shape[0] * info.shape[1]));
        read_bytes(info, dtype_of<T>(), conversion, std::as_writable_bytes(std::span(values)));
        return values;
    }

    /// Into a member of a state's field list.
    template <class T>
    void read_field(const FieldInfo& info, std::vector<T>& values) const {
        if constexpr (std::is_arithmetic_v<T>)
            if (info.rows) return void(values = read_table<T>(info.name));
        values = read<T>(info.name);
    }
    template <class T>
    void read_field(const FieldInfo& info, T& value) const {
        value = read_scalar<T>(info.name);
    }

    /// The bytes of an array as they are in the file.
    std::vector<std::byte> read_raw(std::string_view name) const;
    /// A member that is no array, e.g. "fields.json"; empty when there is none.
    std::string text(std::string_view member) const;
    /// Reads everything once, for its CRC, without keeping it.
    void verify() const;

 private:
    void open();
    const ArrayInfo& require(std::string_view name) const;
    const ArrayInfo& require(std::string_view name, const Shape& axes, std::size_t leading) const;
    void read_bytes(const ArrayInfo& info, Dtype wanted, Conversion conversion,
                    std::span<std::byte> into) const;
    void read_stored_type(const ArrayInfo& info, std::span<std::byte> into) const;

    std::string file_;
    std::unique_ptr<ByteSource> source_;
    std::vector<ZipMember> members_;
    std::vector<ArrayInfo> arrays_;
    std::map<std::string, std::size_t, std::less<>> by_name_;
};

}  // namespace rivulet::io
