#include <rivulet/scene/sizes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/geometry/mesh_file.h>
#include <rivulet/geometry/sampling.h>
#include <rivulet/scene/box_samples.h>
#include <rivulet/scene/costs.h>
#include <rivulet/strand/resample.h>

namespace rivulet::scene {
namespace {

bool is_bounded(const geometry::Bounds& box) {
    const Vec3d size = box.max - box.min;
    return std::isfinite(size.x) && std::isfinite(size.y) && std::isfinite(size.z);
}

/// What a closed mesh encloses, m^3.
double enclosed(const geometry::TriangleMesh& mesh) {
    double six = 0;
    const auto at = [&](int i) { return mesh.positions[static_cast<std::size_t>(i)]; };
    for (const Vec3i& t : mesh.triangles) six += dot(at(t.x), cross(at(t.y), at(t.z)));
    return std::abs(six) / 6;
}

/// 0 for a union with meshes in it: what they share is not known yet.
double particles_of(const Scene& scene, const Liquid& liquid) {
    const std::string key = "liquid." + liquid.name + ".fill";
    if (!geometry::has_mesh(liquid.fill))
        return expected_particles(geometry::Shape(liquid.fill, key, {}), scene.cell_size(),
                                  liquid.particles_per_cell);
    if (liquid.fill.type != geometry::ShapeType::mesh) return 0;
    const double spacing = liquid::particle_spacing(scene.cell_size(), liquid.particles_per_cell);
    return enclosed(geometry::load_closed_mesh(liquid.fill, key)) / std::pow(spacing, 3);
}

/// Strands a groom will have; 0 where that is known only later.
double strands_of(const Scene& scene, const Groom& groom) {
    if (groom.type == GroomType::rows) return double(groom.rows.columns) * double(groom.rows.rows);
    return groom.type == GroomType::file ? 0 : double(groom.count) * scene.detail;
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

double require_strand_size(const Scene& scene, const Strands& entity, double count) {
    const std::string key = "strands." + entity.name;
    const double segment = entity.segment / scene.detail, length = entity.groom.style.length;
    const double segments = entity.groom.type == GroomType::file ? 0 : std::ceil(length / segment);
    if (segments > double(strand::kMostSegments))
        throw InputError(Problem{
            "", 0, 0, key + ".segment",
            fmt::format("strands of {:.4g} m in segments of {:.4g} m have {:.3g} of them, more than {}",
                        length, segment, segments, strand::kMostSegments),
            fmt::format("segments of {:.3g} m or longer fit", length / double(strand::kMostSegments))});
    const double vertices = count * (std::max(segments, 2.0) + 1);
    if (vertices > double(scene.output.max_vertices))
        throw InputError(Problem{
            "", 0, 0, key + ".groom",
            fmt::format("{:.3g} strands have {:.3g} vertices, which need about {:.3g} GB; "
                        "output.max_vertices allows {}",
                        count, vertices, 1e-9 * vertices * kBytesPerVertex, scene.output.max_vertices),
            "use fewer strands, longer segments or less detail"});
    return vertices;
}

void require_sizes(const Scene& scene) {
    double particles = 0, vertices = 0;
    for (const Liquid& liquid : scene.liquids) particles += particles_of(scene, liquid);
    for (const Strands& strands : scene.strands)
        vertices += require_strand_size(scene, strands, strands_of(scene, strands.groom));
    require_memory(scene, particles, vertices);
}

}  // namespace rivulet::scene
