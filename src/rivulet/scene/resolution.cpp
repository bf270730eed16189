#include <rivulet/scene/resolution.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/geometry/sampling.h>
#include <rivulet/liquid/source.h>

namespace rivulet::scene {
namespace {

constexpr double kCellsAcross = 2;          // the fewest that show a flow through, or around, a thing
constexpr double kTouching = 0.05;          // cells; obstacles this near touch each other
constexpr std::size_t kMostObstacles = 40;  // among which gaps are looked for
constexpr std::size_t kGapPoints = 4000;    // on each of them

class Resolution {
 public:
    Resolution(const Scene& scene, const world::Model& model) : scene_(scene), model_(model) {}

    std::vector<std::string> warnings() {
        if (scene_.liquids.empty() && scene_.inflows.empty()) return {};
        for (std::size_t i = 0; i < model_.liquid.inflows.size(); ++i) nozzle(i);
        for (const Liquid& liquid : scene_.liquids) drop(liquid);
        for (std::size_t i = 0; i < model_.obstacles.size(); ++i) wall(i);
        if (model_.obstacles.size() <= kMostObstacles) gaps();
        return std::move(out_);
    }

 private:
    void need(double width, const std::string& what) {
        if (!(width < kCellsAcross * model_.cell * (1 - 1e-9))) return;
        out_.push_back(fmt::format("{} of {:.3g} m is not resolved by cells of {:.3g} m; {:.2g} m would do",
                                   what, width, model_.cell, width / kCellsAcross));
    }
    /// Across the flow: the narrower side of its box there, or the width of a circle of its area.
    void nozzle(std::size_t i) {
        const liquid::Inflow& inflow = model_.liquid.inflows[i];
        const liquid::InflowSource source(inflow, i, model_.cell, model_.seed,
                                          static_cast<std::uint64_t>(model_.liquid.most_particles));
        double width = std::sqrt(4 * source.cross_section() / std::numbers::pi);
        const Vec3d along = normalized(inflow.velocity), size = inflow.shape->bounds().size();
        for (int axis = 0; axis < 3; ++axis)
            if (std::abs(along[axis]) < 0.5) width = std::min(width, size[axis]);
        need(width, inflow.key + ".shape: a nozzle");
    }
    void drop(const Liquid& liquid) {
        if (geometry::has_mesh(liquid.fill)) return;
        const double radius = 0.5 * geometry::Shape(liquid.fill).thinnest();
        need(radius, "liquid." + liquid.name + ".fill: a radius, or half a thickness,");
    }
    void wall(std::size_t i) {
        const auto& d = model_.obstacles.description(i);
        if (d.side == obstacle::Side::inside || model_.obstacles.deforms(i)) return;
        need(model_.obstacles.shape(i).thinnest(), "obstacle." + d.name + ".shape: a thickness");
    }
    void gaps() {
        const geometry::SolidField solids = model_.obstacles.field_over(0, 1 / model_.fps);
        for (std::size_t i = 0; i < solids.size(); ++i) {
            if (solids.solid(i).liquid_inside) continue;
            geometry::TriangleMesh mesh = model_.obstacles.surface(i, 1);
            const geometry::Pose pose = model_.obstacles.pose_at(i, 0);
            for (Vec3d& p : mesh.positions) p = pose.apply(p);
            const auto points = geometry::sample_surface(mesh, kGapPoints, Random(0, i));
            for (std::size_t j = 0; j < solids.size(); ++j)
                if (j > i || (j < i && solids.solid(j).liquid_inside)) gap(solids, i, j, points);
        }
    }
    void gap(const geometry::SolidField& solids, std::size_t i, std::size_t j,
             const std::vector<geometry::SurfacePoint>& points) {
        double least = geometry::kNoSolidDistance;
        for (const auto& p : points) {
            const double d = solids.distance_to(j, p.position, 0);
            if (d < kTouching * model_.cell) return;  // they touch, or cross: no gap to flow through
            least = std::min(least, d);
        }
        const auto name = [&](std::size_t k) { return "obstacle." + model_.obstacles.description(k).name; };
        need(least, name(i) + ": a gap to " + name(j));
    }

    const Scene& scene_;
    const world::Model& model_;
    std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> resolution_warnings(const Scene& scene, const world::Model& model) {
    return Resolution(scene, model).warnings();
}

}  // namespace rivulet::scene
