#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    const Bounds box = exact->bounds();
    const double area = surface_area(exact->mesh());
    const SamplePlan plan = plan_affordable_samples(box, area, spacing_, most_blocks_);
    if (plan.spacing > spacing_ * (1 + 1e-9)) {
        const SamplePlan wanted = plan_samples(box, area, spacing_);
        const Vec3d size = box.size();
        const std::string what = fmt::format(
            "a mesh of {:.3g} m with {:.3g} m^2 of surface in cells of {:.3g} m needs {:.3g} samples of its "
            "distance, {:.3g} GB",
            std::max({size.x, size.y, size.z}), area, 2 * spacing_,
            wanted.blocks * std::pow(SamplePlan::kBlock, 3), 1e-9 * wanted.bytes());
        const double fits = 2 * plan.spacing;
        if (plan.spacing > kMostCoarser * spacing_)
            throw InputError(Problem{d.file, 0, 0, key, what,
                                     fmt::format("cells of {:.3g} m would do; is file_unit right?", fits)});
        warnings_.push_back(
            fmt::format("{}: {}; it is sampled as for cells of {:.3g} m, and walls of less "
                        "than that are not seen",
                        key, what, fits));
    }
    known = std::make_shared<const SampledDistance>(std::move(exact), plan);
    if (std::find(files_.begin(), files_.end(), d.file) == files_.end()) files_.push_back(d.file);
    return known;
}

}  // namespace rivulet::geometry
