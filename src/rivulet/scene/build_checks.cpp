#include <rivulet/scene/build_checks.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/base/machine.h>
#include <rivulet/geometry/sampling.h>
#include <rivulet/liquid/shear_solver.h>
#include <rivulet/liquid/source.h>

namespace rivulet::scene {
namespace {

constexpr int kSamples = 16;  // per axis of a bounding box
/// Stiff liquid is worth a warning when it cuts steps to less than this part of the longest.
constexpr double kFewSteps = 0.1;

/// body(point) for a lattice of points in the box.
template <class F>
void for_samples(const geometry::Bounds& box, F&& body) {
    const Vec3d size = box.max - box.min;
    for (int k = 0; k < kSamples; ++k)
        for (int j = 0; j < kSamples; ++j)
            for (int i = 0; i < kSamples; ++i)
                body(Vec3d{box.min.x + (i + 0.5) / kSamples * size.x,
                           box.min.y + (j + 0.5) / kSamples * size.y,
                           box.min.z + (k + 0.5) / kSamples * size.z});
}

bool is_bounded(const geometry::Bounds& box) {
    const Vec3d size = box.max - box.min;
    return std::isfinite(size.x) && std::isfinite(size.y) && std::isfinite(size.z);
}

}  // namespace

double expected_particles(const geometry::Shape& shape, double cell, int particles_per_cell) {
    if (!is_bounded(shape.bounds())) return 0;  // refused when it is filled
    double inside = 0;
    for_samples(shape.bounds(), [&](const Vec3d& x) { inside += shape.distance(x) < 0; });
    const double spacing = liquid::particle_spacing(cell, particles_per_cell);
    return geometry::lattice_size(shape, spacing) * inside / (kSamples * kSamples * kSamples);
}

void require_memory(const Scene& scene, double particles) {
    const double needed = particles * kBytesPerParticle;
    const bool given = scene.grid.memory_limit > 0;
    const double limit = given ? scene.grid.memory_limit : double(machine_memory_bytes());
    if (limit <= 0 || needed <= limit) return;
    // Particles grow with the inverse cube of the cell.
    const double coarser = scene.grid.cell * std::cbrt(needed / limit);
    throw InputError(
        Problem{"", 0, 0, "grid.cell",
                fmt::format("{:.3g} particles need about {:.3g} GB, more than {} ({:.3g} GB)", particles,
                            1e-9 * needed, given ? "grid.memory_limit" : "this machine has", 1e-9 * limit),
                fmt::format("cells of {:.3g} m or larger would fit", coarser)});
}

std::vector<std::string> check_thick_liquids(const Scene& scene) {
    std::vector<Problem> problems;
    std::vector<std::string> warnings;
    const double longest = scene.step.max > 0 ? scene.step.max : 1 / scene.time.fps;
    for (const liquid::LiquidMaterial& m : scene.materials) {
        const std::string key = "material." + m.name + ".shear_modulus";
        if (!m.remembers() && (m.yield_stress > 0 || m.flow_index != 1))
            problems.push_back({"", 0, 0, key, "missing; a yield stress or flow_index needs it",
                                "20 times the largest stress if it is not known"});
        if (!m.remembers()) continue;
        const double step = liquid::longest_shear_step(m, scene.cell_size());
        const std::string what =
            fmt::format("shear_modulus {:.4g} Pa of '{}' in cells of {:.3g} m needs steps of {:.2g} s",
                        m.shear_modulus, m.name, scene.cell_size(), step);
        if (step < scene.step.min)
            problems.push_back({"", 0, 0, key,
                                what + fmt::format(", below step.min ({:.2g} s)", scene.step.min),
                                "a softer liquid flows alike: 20 times the largest stress is stiff enough"});
        else if (step < kFewSteps * longest)
            warnings.push_back(what);
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    return warnings;
}

void require_open_inflows(const world::Model& model) {
    std::vector<Problem> problems;
    for (std::size_t n = 0; n < model.liquid.inflows.size(); ++n) {
        const liquid::Inflow& inflow = model.liquid.inflows[n];
        // Checks the shape and the rate.
        liquid::InflowSource(inflow, n, model.cell, model.seed,
                             static_cast<std::uint64_t>(model.liquid.most_particles));
        if (model.obstacles.empty()) continue;
        const double from = inflow.start, to = std::max(from, std::min(inflow.stop, model.end_time));
        constexpr int kTimes = 32;
        bool open = false;
        for (int t = 0; t <= kTimes && !open; ++t) {
            const auto solids = model.obstacles.field_over(from + (to - from) * t / kTimes, 1 / model.fps);
            for_samples(inflow.shape->bounds(), [&](const Vec3d& x) {
                open = open || (inflow.shape->distance(x) < 0 && solids.distance(x, 0) > 0);
            });
        }
        if (!open)
            problems.push_back({"", 0, 0, inflow.key + ".shape",
                                "lies inside obstacles whenever it runs: nothing can come in",
                                "move it into the open, or check which side of the obstacle is solid"});
    }
    if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace rivulet::scene
