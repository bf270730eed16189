#pragma once

#include <span>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/strand/loads.h>
#include <rivulet/strand/solve.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// Impulses that contacts give to strands over a step, per vertex; those about an edge with its first vertex.
/// Empty: none.
struct StrandImpulses {
    std::vector<Vec3d> impulse;           // N*s
    std::vector<double> angular_impulse;  // N*m*s

    bool empty() const { return impulse.empty(); }
};

/// What the bulk liquid does to strands over a step, per vertex; empty: nothing.
struct LiquidLoads {
    std::span<const Vec3d> force;        // drag: N, with ...
    std::span<const Mat3d> force_slope;  // ... N*s/m by the end-of-step velocity
    std::span<const Vec3d> impulse;      // pressure: N*s
    std::span<const double> dryness;     // part that air touches, 0..1
};

/// The strands of one step. Holds scratch memory only.
class StrandStep {
 public:
    explicit StrandStep(const Model& model) : model_(model) {}

    /// The longest step from the world's time on, at most `longest`, that sees how held ends move: it turns
    /// none by more than 0.15 rad and moves none farther than its segment is long; a gust takes at least 8
    /// steps.
    double longest_step(const strand::StrandState& now, double time, double longest);

    /// Held ends to where obstacles and scripts have them at the end of the step.
    void drive(strand::StrandState& next, const StepView& view) const;
    /// What films put on the strands in this step; read until the step ends.
    void carry(const strand::FilmLoads& film) { film_ = film; }
    std::span<const double> film_mass() const { return film_.mass; }
    /// What the liquid does to them; read until the step ends or it is said anew.
    void immerse(const LiquidLoads& liquid) { liquid_ = liquid; }
    /// End-of-step velocity with elasticity, gravity, air and the impulses that contacts had in the last
    /// step; nothing moves yet. `answers`: whether how strands answer further impulses is kept.
    void predict(const strand::StrandState& next, const StepView& view, const StrandImpulses& impulses,
                 bool answers, StepCounts& counts);
    /// The same again with other loads of the liquid, from the motion found last.
    void correct(const strand::StrandState& next, const StepView& view, const StrandImpulses& impulses,
                 const LiquidLoads& liquid, StepCounts& counts);
    /// The same again with other impulses for the strands marked in `only`, from the guess that `motion`
    /// holds.
    void solve_again(const strand::StrandState& next, const StepView& view, const StrandImpulses& impulses,
                     std::span<const std::uint8_t> only, StepCounts& counts);
    /// Carries the motion out. What `shift` moves on top of it [m/s over the step] leaves no velocity behind.
    void move(strand::StrandState& next, const StepView& view, const strand::Motion& shift);

    /// What predict and solve_again have found.
    strand::Motion& motion() { return motion_; }
    const strand::Motion& motion() const { return motion_; }
    strand::Mobility& mobility() { return mobility_; }

 private:
    /// The ends that one carrier holds: box in its rest frame, lengths of their edges.
    struct HeldEnds {
        geometry::Bounds rest;
        double length = 0;  // sum [m]
        std::size_t count = 0;
    };
    void gather_ends(const strand::StrandState& now, double time, strand::End end);
    /// The longest step, at most `longest`, that sees how all roots, or all tips, move.
    double step_for(const strand::StrandState& now, double time, double longest, strand::End end);
    strand::Loads loads(const StepView& view, const StrandImpulses& impulses);
    /// Air and liquid together.
    void find_forces(const strand::StrandState& next, const StepView& view);

    const Model& model_;
    std::vector<HeldEnds> ends_;
    strand::Solver solver_;
    strand::Mobility mobility_;
    strand::Motion motion_, shifted_;
    strand::FilmLoads film_;
    LiquidLoads liquid_;
    std::vector<Vec3d> impulse_;  // of contacts and liquid together
    std::vector<Vec3d> force_;
    std::vector<Mat3d> slope_;
};

}  // namespace rivulet::world
