#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/contact/cone_solver.h>
#include <rivulet/contact/crossing.h>
#include <rivulet/contact/detector.h>
#include <rivulet/contact/state.h>
#include <rivulet/contact/strand_answers.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/world/contact_bridges.h>
#include <rivulet/world/contact_penalty.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>
#include <rivulet/world/strand_step.h>

namespace rivulet::world {

/// The obstacle that holds each end, -1: none.
std::vector<std::int32_t> obstacles_of(const strand::EndBindings& ends, std::span<const EndCarrier> carriers);

/// Contacts of one step: of strands with each other, themselves and obstacles. Holds scratch memory only.
///
/// The strands are first solved with the impulses of the last step; `detect` lists what is near that motion.
/// `resolve` goes in rounds: Coulomb's law for all contacts as if strands answered linearly, the strands
/// solved again with those impulses, and a look at the motion they really have; contacts that this finds
/// join. It ends when every strand has answered as linearised and nothing crosses.
class ContactStep {
 public:
    explicit ContactStep(const Model& model)
        : model_(model), bridges_(model), penalty_(model, edges_, bridges_) {}
    ContactStep(const ContactStep&) = delete;
    ContactStep& operator=(const ContactStep&) = delete;

    /// Whether strands meet anything.
    bool active(const strand::StrandState& strands) const {
        return model_.contact.law != ContactLaw::none && strands.strand_count() > 0;
    }
    /// The impulses of the last step, made as long as this one.
    const StrandImpulses& begin(const contact::ContactState& last, const strand::StrandState& strands,
                                double dt);
    /// What comes near in the predicted motion. `dryness` of vertices, 1 in air and 0 under liquid; empty: in
    /// air.
    void detect(const strand::StrandState& strands, const strand::Motion& predicted,
                const geometry::SolidField& solids, const film::FilmState& film,
                std::span<const double> dryness, const contact::ContactState& last, const StepView& view);
    /// Makes the strands' motion obey the contacts.
    void resolve(const strand::StrandState& strands, const geometry::SolidField& solids, const StepView& view,
                 StrandStep& solve, StepCounts& counts);
    /// Leaves what the next step needs to know, and moves strands out of each other where they overlap.
    void settle(const strand::StrandState& strands, const geometry::SolidField& solids, const StepView& view,
                StrandStep& solve, contact::ContactState& left, StepCounts& counts);
    /// What takes overlaps away in this step; empty: nothing.
    const strand::Motion& shift() const { return shift_; }

    /// To look at.
    const std::vector<contact::Contact>& contacts() const { return contacts_; }

 private:
    bool by_penalty() const { return model_.contact.law == ContactLaw::penalty; }
    void add(const contact::Contact& contact, const RowBridge& bridge, const strand::StrandState& strands,
             double dt);
    /// Makes the row that was added last one of a bridge; `opening`: speed at which it opens [m/s].
    void pull(const RowBridge& bridge, double opening, double dt);
    /// Neither near now nor after the predicted motion.
    bool is_far(const contact::Contact& c, const strand::StrandState& strands,
                const strand::Motion& predicted, double dt) const;
    void take_warm_impulses(const contact::ContactState& last, double dt);
    contact::DetectionSettings detection() const;
    /// Makes the strands that contacts touch ready to say how they answer; those marked have been solved
    /// again.
    void ask(strand::Mobility& mobility, std::span<const std::uint8_t> renewed);
    /// One solve of all cones; true when some strand's impulses have changed.
    bool find_impulses(const strand::StrandState& strands, double dt, StrandStep& solve, StepCounts& counts);
    /// Whether contacts move as the cones were promised.
    bool answered_as_linearised(const StepView& view, const strand::Motion& motion) const;
    /// Throws StepFailed when some contact moves so unlike what the cones were promised that its impulse
    /// means nothing.
    void refuse_wild_answers(const strand::StrandState& strands, const StepView& view,
                             const strand::Motion& motion) const;
    /// Throws StepFailed when two obstacles leave a strand less room than it is thick at the end of the step,
    /// wherever it goes.
    void refuse_squeezing(const strand::StrandState& strands, const StepView& view) const;
    std::string other_name(const contact::Contact& c, const strand::StrandState& strands) const;
    /// Contacts that the motion needs besides; true when there are none.
    bool nothing_crosses(const strand::StrandState& strands, const geometry::SolidField& solids,
                         const StepView& view, const strand::Motion& motion);
    void make_zones(const strand::StrandState& strands, const geometry::SolidField& solids,
                    const StepView& view, StrandStep& solve, StepCounts& counts);
    void take_overlaps_away(const strand::StrandState& strands, const geometry::SolidField& solids,
                            const StepView& view, StrandStep& solve);
    bool shift_is_small(const strand::StrandState& strands, double dt) const;
    double touch_of(const contact::Contact& c) const;
    /// The obstacle of a wall contact; the other edge's first vertex, or that obstacle.
    int obstacle_of(const contact::Contact& c) const { return solids_->solid(c.edge_b).obstacle; }
    std::uint32_t other_of(const contact::Contact& c) const {
        return c.kind == contact::ContactKind::edge_edge ? edges_.vertex(c.edge_b)
                                                         : static_cast<std::uint32_t>(obstacle_of(c));
    }

    const Model& model_;
    contact::StrandEdges edges_;
    ContactBridges bridges_;
    ContactPenalty penalty_;
    contact::Detector detector_;
    contact::CrossingCheck crossing_;
    contact::ConeSolver solver_, shifter_;
    contact::StrandAnswers::Memory answers_;
    const geometry::SolidField* solids_ = nullptr;  // of this step
    std::vector<std::int32_t> root_obstacle_, tip_obstacle_;
    // Rows of the problem: what was detected first, in order, then what later rounds have found.
    std::vector<contact::Contact> contacts_, found_;
    std::vector<RowBridge> found_rows_;
    std::vector<std::uint8_t> joined_;  // per row
    std::vector<contact::Cone> cones_;
    std::vector<Vec3d> impulse_;         // per row, in its axes, in its cone [N s]
    std::vector<Vec3d> promised_;        // per row, in its axes: velocity that the linear answer gives [m/s]
    StrandImpulses given_;               // what the strands were solved with last
    std::vector<std::uint8_t> changed_;  // per strand
    std::vector<std::uint8_t> asked_, asking_;  // per strand: how they answer is known, is wanted
    std::vector<Vec3d> free_velocity_;
    std::vector<double> free_turning_;
    std::vector<std::size_t> order_;
    std::vector<Vec3d> shift_impulse_;
    strand::Motion shift_;
};

}  // namespace rivulet::world
