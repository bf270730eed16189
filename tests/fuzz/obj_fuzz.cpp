// rooms: io
#include <rivulet/base/error.h>
#include <rivulet/io/obj_curves.h>
#include <rivulet/io/triangle_mesh_file.h>

using namespace rivulet;

/// A mesh whose every index and coordinate may be used, or an InputError; the same bytes as curves.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const io::TriangleMesh mesh = io::read_obj(std::as_bytes(std::span(data, size)), "fuzz");
        for (const Vec3d& p : mesh.position)
            if (!is_finite(p)) __builtin_trap();
        for (const auto& triangle : mesh.triangle)
            for (const std::int32_t i : triangle)
                if (i < 0 || static_cast<std::size_t>(i) >= mesh.position.size()) __builtin_trap();
    } catch (const InputError&) {
    }
    try {
        io::parse_obj_curves({reinterpret_cast<const char*>(data), size}, "fuzz");
    } catch (const InputError&) {
    }
    return 0;
}
