#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/io/atomic_file.h>
#include <rivulet/io/ply_format.h>
#include <rivulet/io/triangle_mesh_file.h>

namespace rivulet::io {

/// Writes any elements and properties as PLY: particles, meshes, curves (as edges). Arrays are borrowed until
/// `write`. PLY has no 64-bit integers: give such a column another type (`as`), e.g. float64, exact up to
/// 2^53.
class PlyWriter {
 public:
    void comment(std::string_view text);
    /// Following columns have `count` rows and belong to this element.
    void element(std::string_view name, std::size_t count);

    /// One number per row, written as its own type or as another.
    template <class T>
    void column(std::string_view name, std::span<const T> values, std::optional<Dtype> as = {}) {
        add_column(name, dtype_of<T>(), values.size(), reinterpret_cast<const std::byte*>(values.data()),
                   sizeof(T), as);
    }
    /// Three columns, one per component.
    template <class T>
    void columns(const std::array<std::string_view, 3>& names, std::span<const Vec3<T>> values,
                 std::optional<Dtype> as = {}) {
        static_assert(sizeof(Vec3<T>) == 3 * sizeof(T));
        const auto* first = reinterpret_cast<const std::byte*>(values.data());
        for (std::size_t k = 0; k < 3; ++k)
            add_column(names[k], dtype_of<T>(), values.size(),
                       values.empty() ? nullptr : first + k * sizeof(T), sizeof(Vec3<T>), as);
    }
    /// A list of N numbers per row, e.g. "vertex_indices".
    template <class T, std::size_t N>
    void list(std::string_view name, std::span<const std::array<T, N>> values, std::optional<Dtype> as = {}) {
        static_assert(N < 256);
        add_column(name, dtype_of<T>(), values.size(), reinterpret_cast<const std::byte*>(values.data()),
                   sizeof(std::array<T, N>), as, N);
    }

    void write(FileSystem& files, const std::filesystem::path& path,
               PlyEncoding encoding = PlyEncoding::little_endian) const;
    void write(ByteSink& sink, PlyEncoding encoding = PlyEncoding::little_endian) const;

 private:
    struct Column {
        std::string name;
        Dtype from, to;
        const std::byte* first;
        std::size_t stride, list_length;  // 0: a single number
    };
    struct Element {
        std::string name;
        std::size_t count;
        std::vector<Column> columns;
    };

    void add_column(std::string_view name, Dtype type, std::size_t rows, const std::byte* first,
                    std::size_t stride, std::optional<Dtype> as, std::size_t list_length = 0);
    std::string header(PlyEncoding encoding) const;

    std::vector<std::string> comments_;
    std::vector<Element> elements_;
};

/// A mesh with double coordinates.
void write_ply(FileSystem& files, const std::filesystem::path& path, const TriangleMesh& mesh,
               PlyEncoding encoding = PlyEncoding::little_endian);

}  // namespace rivulet::io
