#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>

namespace rivulet::io {

/// What one number of an array is; little-endian in files.
enum class Dtype : std::uint8_t {
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    boolean
};

std::size_t size_of(Dtype dtype);
/// numpy's spelling, e.g. "<f8".
std::string_view to_text(Dtype dtype);

using Shape = std::vector<std::uint64_t>;

/// "(10, 3)"
std::string to_text(const Shape& shape);

template <class T>
constexpr Dtype dtype_of() {
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "not a number that archives hold");
    if constexpr (std::is_same_v<T, bool>) return Dtype::boolean;
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? Dtype::float32 : Dtype::float64;
    constexpr int log_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<Dtype>(int(std::is_signed_v<T> ? Dtype::int8 : Dtype::uint8) + log_size);
}

/// How a C++ type appears in an array: its number type and the trailing axes it adds.
template <class T>
struct ArrayElement {
    using Number = T;
    static Shape axes() { return {}; }
};
template <class T>
struct ArrayElement<Vec2<T>> {
    using Number = T;
    static Shape axes() { return {2}; }
};
template <class T>
struct ArrayElement<Vec3<T>> {
    using Number = T;
    static Shape axes() { return {3}; }
};
template <class T>
struct ArrayElement<Mat3<T>> {
    using Number = T;
    static Shape axes() { return {3, 3}; }
};
template <class T, std::size_t N>
struct ArrayElement<std::array<T, N>> {
    using Number = T;
    static Shape axes() { return {N}; }
};

struct NpyHeader {
    Dtype dtype;
    Shape shape;
    std::uint64_t bytes;  // of the array itself; shape product times item size, checked for overflow
};

/// Magic, version 1.0 and header text, padded so that the length is a multiple of 64.
std::string npy_header(Dtype dtype, const Shape& shape);

/// Length of magic and header text, from the first 12 bytes (or fewer at the end of a short member).
/// Nothing when it is no .npy of version 1 to 3 or the header is longer than 64 KiB.
std::optional<std::size_t> npy_header_length(std::span<const std::byte> start);

/// Parses a whole header strictly. What is wrong goes to `error`.
std::optional<NpyHeader> parse_npy_header(std::span<const std::byte> header, std::string& error);

/// Converts numbers where no value can change (float32 to float64, narrower to wider integers, boolean to
/// integer). False when the pair of types is not such a widening.
bool widen(Dtype from, std::span<const std::byte> source, Dtype to, std::span<std::byte> target);

}  // namespace rivulet::io
