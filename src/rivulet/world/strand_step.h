#pragma once

#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/strand/loads.h>
#include <rivulet/strand/solve.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// The strands of one step. Holds scratch memory only.
class StrandStep {
 public:
    explicit StrandStep(const Model& model) : model_(model) {}

    /// The longest step from the world's time on, at most `longest`, that sees how roots move: it turns none
    /// by more than 0.15 rad and moves none farther than its segment is long; a gust takes at least 8 steps.
    double longest_step(const strand::StrandState& now, double time, double longest);

    /// Roots to where obstacles and scripts have them at the end of the step.
    void drive(strand::StrandState& next, const StepView& view) const;
    /// End-of-step velocity with elasticity, gravity and air; nothing moves yet.
    void solve(const strand::StrandState& next, const StepView& view, StepCounts& counts);
    /// Carries the motion out.
    void move(strand::StrandState& next, const StepView& view) const;

 private:
    /// The roots of one carrier: box in its rest frame, lengths of their edges.
    struct Roots {
        geometry::Bounds rest;
        double length = 0;  // sum [m]
        std::size_t count = 0;
    };
    void gather_roots(const strand::StrandState& now, double time);

    const Model& model_;
    std::vector<Roots> roots_;
    strand::Solver solver_;
    strand::Motion motion_;
    std::vector<Vec3d> force_;
    std::vector<Mat3d> slope_;
};

}  // namespace rivulet::world
