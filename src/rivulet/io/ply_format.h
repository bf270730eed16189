#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/io/npy.h>

namespace rivulet::io {

enum class PlyEncoding { ascii, little_endian, big_endian };

struct PlyProperty {
    std::string name;
    Dtype type = Dtype::float32;
    std::optional<Dtype> count_type;  // of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::ascii;
    std::vector<PlyElement> elements;
    std::size_t length = 0;  // bytes up to and with the line "end_header"
    int lines = 0;
};

/// InputError with the line when it is no PLY header.
PlyHeader read_ply_header(std::string_view text, const std::string& file);

/// "float", "uchar", ...; empty for the types that PLY does not have (64-bit integers).
std::string_view ply_type_name(Dtype type);

}  // namespace rivulet::io
