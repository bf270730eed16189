#include <rivulet/scene/sizes.h>

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/mesh_file.h>
#include <rivulet/geometry/sampling.h>
#include <rivulet/scene/box_samples.h>
#include <rivulet/scene/costs.h>

namespace rivulet::scene {
namespace {

bool is_bounded(const geometry::Bounds& box) {
    const Vec3d size = box.max - box.min;
    return std::isfinite(size.x) && std::isfinite(size.y) && std::isfinite(size.z);
}

/// Meshes are asked for their exact distance: nothing is sampled yet.
double particles_of(const Scene& scene, const Liquid& liquid) {
    const std::string key = "liquid." + liquid.name + ".fill";
    const auto exact = [&](const geometry::ShapeDescription& mesh) {
        return std::make_shared<const geometry::MeshDistance>(geometry::load_closed_mesh(mesh, key));
    };
    if (liquid.fill.type != geometry::ShapeType::mesh)
        return expected_particles(geometry::Shape(liquid.fill, key, exact), scene.cell_size(),
                                  liquid.particles_per_cell);
    const double spacing = liquid::particle_spacing(scene.cell_size(), liquid.particles_per_cell);
    return geometry::signed_volume(geometry::load_closed_mesh(liquid.fill, key)) / std::pow(spacing, 3);
}

}  // namespace

double expected_particles(const geometry::Shape& shape, double cell, int particles_per_cell) {
    if (!is_bounded(shape.bounds())) return 0;  // refused when it is filled
    double inside = 0;
    for_samples(shape.bounds(), [&](const Vec3d& x) { inside += shape.distance(x) < 0; });
    const double spacing = liquid::particle_spacing(cell, particles_per_cell);
    return geometry::lattice_size(shape, spacing) * inside / (kSamples * kSamples * kSamples);
}

void require_memory(const Scene& scene, double particles, double vertices) {
    const double needed = particles * kBytesPerParticle + vertices * kBytesPerVertex;
    const bool given = scene.grid.memory_limit > 0;
    const double limit = given ? scene.grid.memory_limit : double(machine_memory_bytes());
    if (limit <= 0 || needed <= limit) return;
    const std::string than = fmt::format("about {:.3g} GB, more than {} ({:.3g} GB)", 1e-9 * needed,
                                         given ? "grid.memory_limit" : "this machine has", 1e-9 * limit);
    if (vertices * kBytesPerVertex > particles * kBytesPerParticle)
        throw InputError(Problem{"", 0, 0, "strands", fmt::format("{:.3g} vertices need {}", vertices, than),
                                 "use fewer strands, longer segments or less detail"});
    // Particles grow with the inverse cube of the cell.
    const double coarser = scene.grid.cell * std::cbrt(needed / limit);
    throw InputError(Problem{"", 0, 0, "grid.cell", fmt::format("{:.3g} particles need {}", particles, than),
                             fmt::format("cells of {:.3g} m or larger would fit", coarser)});
}

double known_particles(const Scene& scene) {
    double particles = 0;
    for (const Liquid& liquid : scene.liquids) particles += particles_of(scene, liquid);
    return particles;
}

}  // namespace rivulet::scene
