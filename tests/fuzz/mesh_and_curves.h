#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <rivulet/base/error.h>
#include <rivulet/io/triangle_mesh_file.h>

namespace rivulet {

/// Bytes as a mesh whose every index and coordinate may be used, or an InputError; the same bytes as curves.
template <class ReadMesh, class ReadCurves>
void read_mesh_and_curves(std::span<const std::uint8_t> data, ReadMesh&& read_mesh,
                          ReadCurves&& read_curves) {
    try {
        const io::TriangleMesh mesh = read_mesh(std::as_bytes(data), "fuzz");
        for (const Vec3d& p : mesh.position)
            if (!is_finite(p)) __builtin_trap();
        for (const auto& triangle : mesh.triangle)
            for (const std::int32_t i : triangle)
                if (i < 0 || static_cast<std::size_t>(i) >= mesh.position.size()) __builtin_trap();
    } catch (const InputError&) {
    }
    try {
        read_curves(std::string_view(reinterpret_cast<const char*>(data.data()), data.size()), "fuzz");
    } catch (const InputError&) {
    }
}

}  // namespace rivulet
