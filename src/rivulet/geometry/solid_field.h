#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/bounds.h>
#include <rivulet/geometry/pose.h>
#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {

/// The distance where there is no solid at all.
inline constexpr double kNoSolidDistance = 1e30;

struct SolidSample {
    double distance = kNoSolidDistance;  // > 0 where liquid may be, < 0 inside the solid [m]
    Vec3d normal{0, 1, 0};               // unit, out of the solid, into the liquid
    Vec3d velocity;                      // of the solid material there [m/s]
    int solid = -1;                      // index of the nearest obstacle; -1: none
};

/// One moving solid over a step.
struct Solid {
    std::shared_ptr<const Shape> shape;               // in its rest frame; unused when deforming
    std::shared_ptr<const DeformingField> deforming;  // in its rest frame; may be null
    bool liquid_inside = false;                       // a container: the solid is all but the shape
    PoseInterval motion;
    int obstacle = 0;  // index into the obstacle list (walls, colours, names)
};

/// The union of all solids over one step [t, t+dt], at any fraction s in [0, 1] of it. The velocity of a
/// material point is its displacement over the whole step divided by dt, whatever s, so that the volume swept
/// by the walls equals what their velocity says. Queries are const and safe in parallel.
class SolidField {
 public:
    SolidField() = default;
    SolidField(std::vector<Solid> solids, double dt);

    bool empty() const { return solids_.empty(); }
    double dt() const { return dt_; }
    /// No solid moves in this step.
    bool at_rest() const {
        return std::all_of(solids_.begin(), solids_.end(),
                           [](const Prepared& p) { return p.still && !p.solid.deforming; });
    }
    std::size_t size() const { return solids_.size(); }
    const Solid& solid(std::size_t i) const { return solids_[i].solid; }

    double distance(const Vec3d& x, double s) const;
    SolidSample sample(const Vec3d& x, double s) const;
    /// The same for one of the solids alone.
    double distance_to(std::size_t solid, const Vec3d& x, double s) const;
    SolidSample sample_of(std::size_t solid, const Vec3d& x, double s) const;

    /// Many points at one fraction, in parallel.
    void distance(std::span<const Vec3d> x, double s, std::span<double> out) const;
    void sample(std::span<const Vec3d> x, double s, std::span<SolidSample> out) const;

    /// Distances on a lattice: out[i + n.x*(j + n.y*k)] at origin + cell*(i, j, k). Serial (call it per block
    /// from a parallel loop). Where no wall of a solid is within `band` of the lattice, little work is done:
    /// values larger in size than the band are only known to be so, with their sign.
    void fill_distance(const Vec3d& origin, double cell, const Vec3i& n, double s, std::span<double> out,
                       double band = kNoSolidDistance) const;
    /// Whether any solid comes within `band` of the box at any time of the step (conservative: may say yes).
    bool near(const Bounds& box, double band) const;
    /// Which ones do, in their order.
    void near(const Bounds& box, double band, std::vector<std::size_t>& solids) const;

    /// Velocity of the material of a solid at a world point at fraction s; of a rigid one without asking for
    /// distances.
    Vec3d velocity_of(std::size_t solid, const Vec3d& x, double s) const;
    /// Bound on |d distance/ds| of one solid along the straight path from `from` at s0 to `to` at s1, scaled
    /// to the whole step [m]. Distances being 1-Lipschitz, no contact is possible while it stays below.
    double approach_bound(std::size_t solid, const Vec3d& from, const Vec3d& to, double s0, double s1) const;
    /// The set where liquid may be is convex (half-space floor, box tank): a straight path between two free
    /// points of it is free.
    bool leaves_convex_domain(std::size_t solid) const { return solids_[solid].convex_domain; }
    /// Box around the solid over the whole step; everything for containers and half-spaces.
    const Bounds& swept_bounds(std::size_t solid) const { return solids_[solid].reach; }

    /// Largest speed of any surface point of any solid over the step [m/s]; of half-spaces only what lies in
    /// `domain` counts.
    double max_speed(const Bounds& domain) const;
    double max_speed_of(std::size_t solid, const Bounds& domain) const;
    /// Box around a solid in its rest frame; of half-spaces around `domain`.
    Bounds rest_bounds(std::size_t solid, const Bounds& domain) const;

 private:
    struct Prepared {
        Solid solid;
        Pose start_inverse, end_inverse;
        Bounds reach;
        bool still = false, at_rest_frame = false, convex_domain = false;
    };
    bool is_near(std::size_t solid, const Bounds& box, double band) const;
    static Pose inverse_pose(const Prepared& p, double s) {
        return s == 1 ? p.end_inverse : s == 0 || p.still ? p.start_inverse : inverse(p.solid.motion.at(s));
    }
    static double signed_distance(const Prepared& p, const Vec3d& rest, double s) {
        const double d =
            p.solid.deforming ? p.solid.deforming->distance(rest, s) : p.solid.shape->distance(rest);
        return p.solid.liquid_inside ? -d : d;
    }
    static bool out_of_reach(const Prepared& p, const Vec3d& x, double best) {
        const double d2 = p.reach.squared_distance(x);
        return d2 > 0 && (best <= 0 || d2 >= best * best);
    }
    static void fill_from(const Prepared& p, const Pose& back, const Vec3d& origin, double cell,
                          const std::array<std::size_t, 3>& n, double s, double* out);
    SolidSample sample_prepared(const Prepared& p, const Vec3d& x, double s, const Pose& back) const;

    std::vector<Prepared> solids_;
    double dt_ = 0;
};

}  // namespace rivulet::geometry
