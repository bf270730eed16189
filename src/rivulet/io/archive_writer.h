#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/npy.h>

namespace rivulet::io {

/// How doubles are written: as they are, or rounded to float32 on the way out.
enum class Precision { exact, float32 };

struct ArchiveOptions {
    bool deflate = false;
    /// Sizes from here on use zip64 records. Lower only in tests.
    std::uint64_t zip64_from = 0xffffffff;
};

/// Collects named arrays and writes them as one .npz, exactly what numpy.load reads: in the order given, with
/// fixed time stamps, so that equal arrays give equal bytes. Arrays are borrowed: they must live until
/// `write`. Array "liquid/position" becomes the member "liquid/position.npy"; bytes are 64-byte aligned.
class ArchiveWriter {
 public:
    ArchiveWriter() = default;
    ArchiveWriter(ArchiveWriter&&) = default;
    ArchiveWriter& operator=(ArchiveWriter&&) = default;

    /// Any array, little-endian, C order. Sizes must agree.
    void add(std::string_view name, Dtype dtype, const Shape& shape, std::span<const std::byte> bytes,
             Precision precision = Precision::exact);

    /// One entry per element: numbers, Vec3, Mat3 or std::array of numbers.
    template <class T>
    void add(std::string_view name, std::span<const T> values, Precision precision = Precision::exact) {
        using Number = typename ArrayElement<T>::Number;
        static_assert(std::is_trivially_copyable_v<T>);
        Shape shape = ArrayElement<T>::axes();
        shape.insert(shape.begin(), values.size());
        add(name, dtype_of<Number>(), shape, std::as_bytes(values), precision);
    }
    template <class T>
    void add(std::string_view name, const std::vector<T>& values, Precision precision = Precision::exact) {
        add(name, std::span<const T>(values), precision);
    }
    template <class T>
    void add(std::string_view name, std::vector<T>&& values, Precision precision = Precision::exact) = delete;

    /// Rows of equally many numbers, kept flat: shape (rows, columns).
    template <class T>
    void add_table(std::string_view name, const std::vector<T>& values, std::size_t rows,
                   Precision precision = Precision::exact) {
        add(name, dtype_of<T>(), {rows, rows > 0 ? values.size() / rows : 0},
            std::as_bytes(std::span<const T>(values)), precision);
    }

    /// A single value, copied: shape () for a number, (3,) for a Vec3.
    template <class T>
    void add_scalar(std::string_view name, const T& value, Precision precision = Precision::exact) {
        using Number = typename ArrayElement<T>::Number;
        const auto bytes = std::as_bytes(std::span(&value, 1));
        add_copy(name, dtype_of<Number>(), ArrayElement<T>::axes(), {bytes.begin(), bytes.end()}, precision);
    }

    /// A member of a state's field list, vector or single value, described in fields.json.
    template <class T>
    void add_field(const FieldInfo& info, const std::vector<T>& values,
                   Precision precision = Precision::exact) {
        describe(info.name, info.unit, info.centring);
        if constexpr (std::is_arithmetic_v<T>)
            if (info.rows) return add_table(info.name, values, *info.rows, precision);
        add(info.name, values, precision);
    }
    template <class T>
    void add_field(const FieldInfo& info, const T& value, Precision precision = Precision::exact) {
        add_scalar(info.name, value, precision);
        describe(info.name, info.unit, info.centring);
    }

    /// Unit and centring of an array, for the member fields.json, which comes last.
    void describe(std::string_view name, std::string_view unit, Centring centring);
    /// Shape and materials of a group of arrays, in the same member.
    void describe(const GroupInfo& group);

    /// A member that is not an array, under exactly this name. A text "fields.json" stands for the described
    /// one.
    void add_text(std::string_view member, std::string text);

    void write(FileSystem& files, const std::filesystem::path& path,
               const ArchiveOptions& options = {}) const;
    void write(ByteSink& sink, const ArchiveOptions& options = {}) const;

 private:
    struct Member {
        std::string name;
        std::string header;                // of the .npy; empty for text
        std::span<const std::byte> bytes;  // of the array in memory
        std::vector<std::byte> owned;      // what `bytes` looks at, for copies
        bool narrow = false;               // doubles that are written as float32
        std::uint64_t size() const { return header.size() + (narrow ? bytes.size() / 2 : bytes.size()); }
        std::uint32_t crc() const;
        /// The member's bytes piece by piece.
        template <class F>
        void for_each_piece(F&& take) const;
    };

    void add_copy(std::string_view name, Dtype dtype, const Shape& shape, std::vector<std::byte> bytes,
                  Precision precision);
    void add_member(Member member);
    void add_description(std::string_view key, const std::string& members);
    static std::vector<std::byte> deflated(const Member& member);
    static void write_stored(class ZipStream& zip, std::span<const Member* const> members);
    static void write_deflated(class ZipStream& zip, std::span<const Member* const> members);

    std::vector<Member> members_;
    std::set<std::string, std::less<>> names_;
    std::string descriptions_;
};

}  // namespace rivulet::io
