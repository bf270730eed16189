#include <rivulet/scene/start_clear.h>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/contact/start_overlaps.h>
#include <rivulet/world/contact_step.h>

namespace rivulet::scene {
namespace {

/// How far a vertex may be moved, in mean radii.
constexpr double kMostRadii = 20;
/// Deeper than this part of the thickness nothing can be told apart any more: axes of strands, or a wall's
/// sides.
constexpr double kTooDeep = 0.8, kInsideWall = 1.0;

const StrandGroup& group_of(const StrandSetup& setup, std::size_t strand) {
    for (const StrandGroup& g : setup.groups)
        if (strand < g.last) return g;
    return setup.groups.back();
}

}  // namespace

void clear_start(const Scene& scene, const obstacle::ObstacleSet& obstacles, StrandSetup& setup) {
    if (scene.contact.law == world::ContactLaw::none || setup.state.strand_count() == 0) return;
    contact::StrandEdges edges;
    edges.prepare(setup.state, scene.contact.margin,
                  world::obstacles_of(setup.model.roots, setup.model.carriers),
                  world::obstacles_of(setup.model.tips, setup.model.tip_carriers));
    const contact::StartOverlaps found = contact::part_overlaps(
        setup.state, edges, obstacles.field_over(0, 1e-6), kMostRadii * edges.mean_radius());
    if (found.found == 0) return;
    const StrandGroup& group = group_of(setup, found.strand);
    const std::string other =
        found.wall ? "obstacle " + obstacles.description(found.other).name
                   : fmt::format("strand {} of strands.{}", found.other - group_of(setup, found.other).first,
                                 group_of(setup, found.other).name);
    const std::string strand = fmt::format("strand {}", found.strand - group.first);
    if (found.left > (found.wall ? kInsideWall : kTooDeep))
        throw InputError(
            Problem{{},
                    0,
                    0,
                    "strands." + group.name,
                    fmt::format("{} begins inside {} ({:.0f} % of the thickness, after {} overlaps were "
                                "moved apart by at most {:.2g} mm)",
                                strand, other, 100 * found.left, found.found, 1e3 * found.moved),
                    "move it, make it thinner, or write contact.law = \"none\""});
    setup.warnings.push_back(fmt::format(
        "{} overlaps at the start, the deepest {:.0f} % of the thickness, were moved "
        "apart by at most {:.2g} mm; {:.0f} % is left{}",
        found.found, 100 * found.deepest, 1e3 * found.moved, 100 * found.left,
        found.left > 0.02 ? fmt::format(" ({} of strands.{} and {})", strand, group.name, other) : ""));
}

}  // namespace rivulet::scene
