#include <rivulet/geometry/sample_plan.h>

#include <algorithm>
#include <cmath>

namespace rivulet::geometry {
namespace {

/// Finest blocks one above the other on either side of a flat piece of surface.
constexpr double kLayers = 5;
constexpr double kBytesPerBlock = 640;  // its samples, and its part of the coarser levels

}  // namespace

double SamplePlan::bytes() const {
    return blocks * kBytesPerBlock;
}

Vec3i SamplePlan::top_points() const {
    const int cell = stride() / kBlock;  // of the coarsest lattice, in `cells`
    Vec3i points;
    for (int a = 0; a < 3; ++a) points[a] = (cells[a] + cell - 1) / cell + 1;
    return points;
}

SamplePlan plan_samples(const Bounds& mesh, double area, double spacing) {
    const Vec3d size = mesh.size();
    const double largest = std::max({size.x, size.y, size.z});
    SamplePlan plan;
    // NOTE: positions of a mesh have about this part of its size as rounding, and cells must be countable.
    plan.spacing = std::max(spacing, 1e-6 * largest);
    const double block = SamplePlan::kBlock * plan.spacing,
                 margin = 0.5 * largest + SamplePlan::kBand * plan.spacing;
    double all = 1;
    for (int a = 0; a < 3; ++a) {
        plan.cells[a] = static_cast<int>(std::ceil((size[a] + 2 * margin) / block));
        plan.origin[a] = mesh.centre()[a] - 0.5 * block * plan.cells[a];
        all *= plan.cells[a];
    }
    plan.blocks = std::min(all, kLayers * area / (block * block));
    const auto top = [&] {
        const Vec3i points = plan.top_points();
        return double(points.x) * double(points.y) * double(points.z);
    };
    while (top() > SamplePlan::kMostTop) ++plan.levels;
    return plan;
}

SamplePlan plan_affordable_samples(const Bounds& mesh, double area, double spacing, double most) {
    SamplePlan plan = plan_samples(mesh, area, spacing);
    while (plan.blocks > most) plan = plan_samples(mesh, area, plan.spacing * 1.25);
    return plan;
}

}  // namespace rivulet::geometry
