#include <algorithm>

#include <rivulet/base/error.h>
#include <rivulet/geometry/mesh_file.h>
#include <rivulet/geometry/mesh_library.h>

namespace rivulet::geometry {

std::shared_ptr<const SampledDistance> MeshLibrary::load(const ShapeDescription& d, const std::string& key) {
    if (!is_finite(d.offset))
        throw InputError(Problem{{}, 0, 0, key, "the offset of the mesh must be finite", ""});
    auto& known = known_[Id{d.file, d.file_scale, d.offset.x, d.offset.y, d.offset.z}];
    if (known) return known;
    auto exact = std::make_shared<const MeshDistance>(load_closed_mesh(d, key));
    known = std::make_shared<const SampledDistance>(std::move(exact), spacing_);
    if (std::find(files_.begin(), files_.end(), d.file) == files_.end()) files_.push_back(d.file);
    return known;
}

}  // namespace rivulet::geometry
