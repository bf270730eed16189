#pragma once

#include <functional>
#include <vector>

#include <rivulet/strand/make.h>
#include <rivulet/strand/material.h>
#include <rivulet/strand/solve.h>
#include <rivulet/verify/case.h>

namespace rivulet::verify {

/// One rod on the bench. Units are chosen so that the numbers are those of theory: length 1 m, bending
/// stiffness EI 1 N*m², mass 1 kg/m. The default thickness, 1/1000 of the length, makes it practically
/// inextensible: strain under a load P is P·(r/L)²/4.
class StrandRig {
 public:
    strand::StrandState state;
    std::vector<strand::StrandMaterial> materials;
    std::vector<Vec3d> force;  // dead loads per vertex [N]
    Vec3d gravity{};
    double tolerance = 1e-9;  // [m/s]

    /// A rod along the given points; EI of the axis-1 bending plane is `bending_stiffness`.
    StrandRig(const std::vector<Vec3d>& points, double radius, const strand::MakeOptions& options,
              double bending_stiffness = 1);

    void step(double dt);
    /// Comes to rest: implicit steps without momentum, longer and longer, until nothing moves.
    void settle();

    std::size_t last() const { return state.vertex_count() - 1; }

 private:
    strand::Solver solver_;
    strand::Motion motion_;
};

/// Points of a straight rod whose first edge is a clamp: the free rod begins at the origin, has the given
/// length and number of segments, and points along `direction`.
std::vector<Vec3d> clamped_line(std::size_t segments, double length, const Vec3d& direction);

/// The load at which a rod starts to buckle, by bisection of [low, high]: `grows(load)` watches a disturbed
/// rod move and tells whether the disturbance grew.
double threshold(double low, double high, int bisections, const std::function<bool(double)>& grows);

/// Steps the rig and watches what `measure` gives [m]: grown when it passes `buckled`, a size far beyond what
/// the disturbance sets off by itself, or is larger in the last quarter of the steps than in the first.
bool disturbance_grows(StrandRig& rig, double dt, int steps, double buckled,
                       const std::function<double(const StrandRig&)>& measure);

/// Slope of log error over log size between first and last entry.
double convergence_order(const std::vector<double>& size, const std::vector<double>& error);

std::vector<Case> strand_static_cases();
std::vector<Case> strand_buckling_cases();
std::vector<Case> strand_motion_cases();

}  // namespace rivulet::verify
