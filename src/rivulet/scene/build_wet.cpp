#include <rivulet/scene/build_wet.h>

#include <fmt/format.h>

#include <algorithm>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/coupling/strand_points.h>
#include <rivulet/grid/submerged_elements.h>
#include <rivulet/grid/topology.h>

namespace rivulet::scene {
namespace {

constexpr double kMostFilled = 0.6;  // of the space around a particle

/// Part of the space around each particle that strands fill, by the kernel through which they meet; empty:
/// none is near.
std::vector<double> strand_fraction(const Built& built) {
    const world::Model& model = built.model;
    const liquid::LiquidState& liquid = built.world.liquid;
    grid::TopologyBuilder builder;
    grid::Topology topology;
    builder.start(model.cell, model.period);
    builder.add_points(liquid.position, liquid.id);
    builder.build(topology);
    coupling::StrandPoints points;
    points.place(built.world.strands, model.cell);
    grid::WetElements wet;
    grid::SubmergedFields fields;
    wet.sort(topology, points.elements());
    if (wet.count() == 0) return {};
    grid::rasterise_volume(topology, wet, points.elements(), fields);
    grid::SubmergedElements particles;
    particles.resize(liquid.size());
    particles.position = liquid.position;
    grid::WetElements here;
    here.sort(topology, particles);
    std::vector<Vec3d> volume(liquid.size());
    grid::sample_at_elements(topology, here, particles, fields.volume, volume);
    std::vector<double> fraction(liquid.size());
    const double cell = model.cell * model.cell * model.cell;
    for (std::size_t p = 0; p < liquid.size(); ++p)
        fraction[p] = (volume[p].x + volume[p].y + volume[p].z) / (3 * cell);
    return fraction;
}

/// The grid shows the liquid around a strand, not beside it.
void warn_of_small_cells(Built& built) {
    const std::vector<double>& radius = built.world.strands.radius;
    const double thickest = 2 * *std::max_element(radius.begin(), radius.end());
    if (thickest > built.model.cell)
        built.warnings.push_back(
            fmt::format("grid.cell: {:.3g} mm, but strands in the liquid are {:.3g} mm thick; their drag and "
                        "buoyancy are right "
                        "for cells wider than that",
                        1e3 * built.model.cell, 1e3 * thickest));
}

}  // namespace

void make_room_for_strands(const Scene& scene, Built& built) {
    liquid::LiquidState& liquid = built.world.liquid;
    if (!scene.wetting.volume || built.world.strands.strand_count() == 0 || liquid.size() == 0) return;
    const std::vector<double> fraction = strand_fraction(built);
    if (fraction.empty()) return;
    warn_of_small_cells(built);
    const auto most = std::size_t(std::max_element(fraction.begin(), fraction.end()) - fraction.begin());
    if (fraction[most] > kMostFilled) {
        const Vec3d x = liquid.position[most];
        throw InputError({Problem{
            "", 0, 0, "strands." + scene.strands.front().name,
            fmt::format("strands fill {:.0f} % of the space at ({:.4g}, {:.4g}, {:.4g}) m, where there "
                        "is liquid; at most {:.0f} %",
                        100 * fraction[most], x.x, x.y, x.z, 100 * kMostFilled),
            "fewer or thinner strands, a larger grid.cell, or no liquid there at the start"}});
    }
    double gone = 0;
    for (std::size_t p = 0; p < liquid.size(); ++p) {
        gone += liquid.volume[p] * fraction[p];
        liquid.volume[p] *= 1 - fraction[p];
    }
    if (gone > 0)
        built.notes.push_back(fmt::format("strands take the place of {:.4g} L of liquid", 1e3 * gone));
}

}  // namespace rivulet::scene
