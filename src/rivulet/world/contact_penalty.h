#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/contact/detector.h>
#include <rivulet/contact/penalty.h>
#include <rivulet/contact/penalty_solver.h>
#include <rivulet/contact/state.h>
#include <rivulet/contact/strand_answers.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/world/contact_bridges.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>
#include <rivulet/world/strand_step.h>

namespace rivulet::world {

/// Contacts of one step by the penalty law (Fei et al. 2017 §3.1.2): every pair near at the start of the step
/// is a spring, all strands and springs are solved together once, linearly, and the strands again with the
/// impulses. No friction, nothing is looked for along the way: strands may pass through each other, and the
/// step goes on. Holds scratch memory only; edges and bridges are the caller's.
class ContactPenalty {
 public:
    ContactPenalty(const Model& model, contact::StrandEdges& edges, ContactBridges& bridges)
        : model_(model), edges_(edges), bridges_(bridges) {}

    /// What is near at the start of the step.
    void detect(const strand::StrandState& strands, const geometry::SolidField& solids,
                const film::FilmState& film, std::span<const double> dryness,
                const contact::ContactState& last, const StepView& view);
    /// `given`: what the strands were solved with; becomes what they get.
    void resolve(const strand::StrandState& strands, const StepView& view, StrandStep& solve,
                 StrandImpulses& given, StepCounts& counts);
    void settle(const StepView& view, contact::ContactState& left) const;

 private:
    struct Place {
        double place_a = 0, place_b = 0, length = 0, distance = 0;
        Vec3d normal, velocity;  // of a wall
    };
    struct Spring {
        std::uint32_t edge = 0, other = 0;  // first vertices; of walls the obstacle
        contact::ContactKind kind{};
        bool joined = false;
        Place at;
        double touch = 0;
        contact::PenaltyRow row;

        auto key() const { return std::tuple(edge, kind, other, at.place_a, at.place_b); }
    };
    double rest_gap(double radius) const { return model_.contact.penalty.rest_gap * radius; }
    double widest_rest_gap() const;
    void add_pairs(const strand::StrandState& strands, double dt);
    void add_walls(const strand::StrandState& strands, const geometry::SolidField& solids, double dt);
    /// The bridge that `found_` has for an edge and another, or a solid.
    const RowBridge& bridge_of(std::size_t edge, bool wall, std::size_t other) const;
    void add(const Spring& frame, double touch, double radius, const RowBridge& bridge,
             const strand::StrandState& strands, double dt);
    bool find_impulses(const strand::StrandState& strands, StrandStep& solve, StrandImpulses& given,
                       StepCounts& counts);
    bool answered_as_linearised(double dt, const strand::Motion& motion) const;

    const Model& model_;
    contact::StrandEdges& edges_;
    ContactBridges& bridges_;
    contact::Detector detector_;
    contact::PenaltySolver solver_;
    contact::StrandAnswers::Memory answers_;
    std::vector<contact::Contact> found_;
    std::vector<RowBridge> found_bridges_;
    std::vector<Spring> springs_;
    std::vector<contact::PenaltyRow> rows_;  // of the springs
    std::vector<Vec3d> still_, free_velocity_, answer_;
    std::vector<double> answer_turning_;
    std::vector<std::uint8_t> changed_;  // per strand
};

}  // namespace rivulet::world
