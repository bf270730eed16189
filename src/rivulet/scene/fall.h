#pragma once

#include <vector>

#include <rivulet/geometry/shape.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/scene/scene.h>
#include <rivulet/world/model.h>

namespace rivulet::scene {

/// From here on a liquid heaps up and creeps instead of splashing [Pa*s].
inline constexpr double kThick = 0.5;
bool is_thick(const liquid::LiquidMaterial& material);

/// Liquid that may fall: from when on, how fast it starts, and how far down it may get.
struct Fall {
    double start = 0, stop = 1e30;  // s
    double speed = 0;               // m/s, at its start
    double height = 0;              // m
    double volume = 0;              // m^3, of a fill; solids are not cut out
    bool thick = false;
    bool scatters = false;  // thin, let go, and nothing keeps its drops together
    double impact = 0;      // s: when what scatters first meets something
    double spread = 0;      // m/s: how fast it flies apart from there
    double room = 1e30;     // m^2: level area of the region that is kept
    bool leaves = false;    // it falls out of the region that is kept

    /// Free fall, no farther than its height. Thick liquid comes to rest then.
    double speed_at(double t, double gravity) const;
    double duration(double gravity) const;  // of the fall, s
};

/// How far below a point the first solid is, at most `most` [m].
double height_over_solids(const geometry::SolidField& solids, const Vec3d& from, const Vec3d& down,
                          double most);

/// Volume that a vessel holds above a point on its floor, as far as asked for: level by level, until a way to
/// the side is open [m^3].
double held_over(const geometry::SolidField& solids, const Vec3d& floor, const Vec3d& down, double cell,
                 double asked);

/// One for each fill, then for each inflow. A fill held on every side, a pool in its tank, has no height;
/// thick liquid falls as a whole; thin liquid may run off what is below it.
std::vector<Fall> falls_of(const Scene& scene, const world::Model& model);

}  // namespace rivulet::scene
