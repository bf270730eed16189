#pragma once

#include <span>
#include <vector>

#include <rivulet/base/mat3.h>
#include <rivulet/base/step_view.h>
#include <rivulet/coupling/face_mixture.h>
#include <rivulet/coupling/strand_points.h>
#include <rivulet/liquid/state.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/liquid_scratch.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>
#include <rivulet/world/strand_step.h>

namespace rivulet::world {

/// Strands in the bulk liquid during one step (dissertation §13.4, §13.5, §14.2). Holds scratch memory only.
///
/// Strands show themselves as points; one set of weights carries their volume, their drag and the liquid's
/// pressure between points and faces. Drag, shear and pressure are solved together over faces, with strands
/// that answer as single pieces (coupling/face_mixture.h); then the strands are solved with what they got,
/// the liquid takes back what they took, and the divergence this leaves in the mixture is passed over again.
class WetStep {
 public:
    explicit WetStep(const Model& model) : model_(model) {}

    /// Whether some strand is near the liquid in this step.
    bool active() const { return active_; }

    /// Points of the strands, and the place they take from the liquid (s.filled).
    void place(const strand::StrandState& strands, LiquidScratch& s);
    /// Their drag, once the liquid's velocities are known, and what the strands' first solve is to feel.
    void resist(const strand::StrandState& strands, const liquid::LiquidState& liquid, const StepView& view,
                LiquidScratch& s);
    /// For the strand solve; empty where no strand is wet.
    const LiquidLoads& loads() const { return loads_; }

    /// After the strands' first solve: how they answer.
    void find_answers(const strand::StrandState& strands, StrandStep& solve, const LiquidScratch& s);
    /// The flow's numbers with strands in it, for this pass; velocities as drag alone leaves them.
    void mix(LiquidScratch& s);
    /// Strands with the pressure and drag that were found; true when no other pass is needed.
    bool correct(const strand::StrandState& next, const StepView& view, const StrandImpulses& impulses,
                 int pass, LiquidScratch& s, StrandStep& solve, StepCounts& counts);
    /// After the strands' last solve: the liquid's velocities that give back what they took.
    void give_back(const strand::Motion& motion, LiquidScratch& s);

 private:
    void find_fraction(LiquidScratch& s) const;
    void find_drag(const liquid::LiquidState& liquid, LiquidScratch& s);
    void find_loads(const strand::StrandState& strands, const LiquidScratch& s);
    void follow(const strand::Motion& motion, const LiquidScratch& s);
    double divergence(const StepView& view, LiquidScratch& s);
    double missed(const StepView& view, const LiquidScratch& s) const;

    const Model& model_;
    bool active_ = false;
    coupling::StrandPoints points_;
    grid::WetElements wet_;
    grid::SubmergedFields fields_;
    coupling::FaceMixture mixture_;
    grid::FaceField pressed_;  // pressure impulse that the strands have felt [Pa s/m]; empty: none
    grid::FaceField weight_, response_, others_;
    grid::Field left_;
    std::vector<Vec3d> sample_, other_sample_, solid_sample_, pressed_sample_;  // at points
    std::vector<double> volume_, mass_;                                         // of points [m^3], [kg]
    std::vector<Vec3d> vertex_impulse_, vertex_response_, point_response_;
    std::vector<Vec3d> force_, impulse_;
    std::vector<Mat3d> slope_;
    std::vector<double> submersion_, dryness_;  // at points, at vertices: 0..1
    LiquidLoads loads_;
};

}  // namespace rivulet::world
