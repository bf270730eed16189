#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>

#include <rivulet/io/curve_arrays.h>

namespace rivulet::test {

// Curves as the programs that make them write them, for tests of readers.

template <class T>
void append(std::string& out, const T& value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    out.append(raw, sizeof value);
}

/// .hair bytes: positions and thickness rounded to float, curves of 1 to 65536 points.
inline std::string hair_file(const io::CurveArrays& curves) {
    constexpr std::size_t kHeaderSize = 128;
    enum HairArrays : std::uint32_t { kSegments = 1, kPoints = 2, kThickness = 4 };
    std::string out = "HAIR";
    append(out, static_cast<std::uint32_t>(curves.curve_count()));
    append(out, static_cast<std::uint32_t>(curves.position.size()));
    append(out, std::uint32_t{kSegments} | kPoints | (curves.radius.empty() ? 0u : kThickness));
    append(out, std::uint32_t{0});
    for (const float value : {0.f, 0.f, 1.f, 1.f, 1.f}) append(out, value);
    out.resize(kHeaderSize, '\0');
    for (std::size_t c = 0; c < curves.curve_count(); ++c)
        append(out, static_cast<std::uint16_t>(curves.point_count(c) - 1));
    for (const Vec3d& p : curves.position)
        for (int i = 0; i < 3; ++i) append(out, static_cast<float>(p[i]));
    for (const double r : curves.radius) append(out, static_cast<float>(2 * r));
    return out;
}

/// OBJ text, one `l` per curve, shortest decimals that read back exactly.
inline std::string obj_file(const io::CurveArrays& curves) {
    fmt::memory_buffer out;
    for (const Vec3d& p : curves.position)
        fmt::format_to(std::back_inserter(out), "v {} {} {}\n", p.x, p.y, p.z);
    for (std::size_t c = 0; c < curves.curve_count(); ++c) {
        fmt::format_to(std::back_inserter(out), "l");
        for (std::int64_t v = curves.start[c]; v < curves.start[c + 1]; ++v)
            fmt::format_to(std::back_inserter(out), " {}", v + 1);
        fmt::format_to(std::back_inserter(out), "\n");
    }
    return fmt::to_string(out);
}

/// A binary little-endian PLY with double coordinates.
inline std::string ply_file(const io::CurveArrays& curves) {
    std::size_t edges = 0;
    for (std::size_t c = 0; c < curves.curve_count(); ++c)
        edges += std::max<std::size_t>(curves.point_count(c), 1) - 1;
    std::string out = fmt::format(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\n"
        "property double z\n{}element edge {}\nproperty int vertex1\nproperty int vertex2\nend_header\n",
        curves.position.size(), curves.radius.empty() ? "" : "property double radius\n", edges);
    for (std::size_t i = 0; i < curves.position.size(); ++i) {
        for (int k = 0; k < 3; ++k) append(out, curves.position[i][k]);
        if (!curves.radius.empty()) append(out, curves.radius[i]);
    }
    for (std::size_t c = 0; c < curves.curve_count(); ++c)
        for (std::int64_t v = curves.start[c]; v + 1 < curves.start[c + 1]; ++v) {
            append(out, static_cast<std::int32_t>(v));
            append(out, static_cast<std::int32_t>(v + 1));
        }
    return out;
}

/// One linear BasisCurves prim, y up; shortest decimals that read back exactly.
inline std::string usda_file(const io::CurveArrays& curves) {
    fmt::memory_buffer buffer;
    const auto out = std::back_inserter(buffer);
    fmt::format_to(out, "#usda 1.0\n(\n    defaultPrim = \"strands\"\n    upAxis = \"Y\"\n");
    if (curves.metres_per_unit > 0) fmt::format_to(out, "    metersPerUnit = {}\n", curves.metres_per_unit);
    fmt::format_to(out, ")\n\ndef BasisCurves \"strands\"\n{{\n    uniform token type = \"linear\"\n");
    fmt::format_to(out, "    int[] curveVertexCounts = [");
    for (std::size_t c = 0; c < curves.curve_count(); ++c)
        fmt::format_to(out, "{}{}", c ? ", " : "", curves.point_count(c));
    fmt::format_to(out, "]\n    point3f[] points = [");
    for (std::size_t i = 0; i < curves.position.size(); ++i) {
        const Vec3d& p = curves.position[i];
        fmt::format_to(out, "{}({}, {}, {})", i ? ", " : "", p.x, p.y, p.z);
    }
    fmt::format_to(out, "]\n");
    if (!curves.radius.empty()) {
        fmt::format_to(out, "    float[] widths = [");
        for (std::size_t i = 0; i < curves.radius.size(); ++i)
            fmt::format_to(out, "{}{}", i ? ", " : "", 2 * curves.radius[i]);
        fmt::format_to(out, "] (\n        interpolation = \"vertex\"\n    )\n");
    }
    fmt::format_to(out, "}}\n");
    return fmt::to_string(buffer);
}

}  // namespace rivulet::test
