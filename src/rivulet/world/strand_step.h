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

    /// Roots to where obstacles and scripts have them at the end of the step.
    void drive(strand::StrandState& next, const StepView& view) const;
    /// End-of-step velocity with elasticity, gravity and air; nothing moves yet.
    void solve(const strand::StrandState& next, const StepView& view, StepCounts& counts);
    /// Carries the motion out.
    void move(strand::StrandState& next, const StepView& view) const;

 private:
    const Model& model_;
    strand::Solver solver_;
    strand::Motion motion_;
    std::vector<Vec3d> force_;
    std::vector<Mat3d> slope_;
};

}  // namespace rivulet::world
