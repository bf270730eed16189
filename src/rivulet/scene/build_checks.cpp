#include <rivulet/scene/build_checks.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/liquid/shear_solver.h>
#include <rivulet/liquid/source.h>
#include <rivulet/scene/box_samples.h>

namespace rivulet::scene {
namespace {

/// Stiff liquid is worth a warning when it cuts steps to less than this part of the longest.
constexpr double kFewSteps = 0.1;

}  // namespace

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
        [[maybe_unused]] const liquid::InflowSource source(
            inflow, n, model.cell, model.seed, static_cast<std::uint64_t>(model.liquid.most_particles));
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
