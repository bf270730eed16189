#pragma once

#include <functional>

#include <rivulet/base/log.h>
#include <rivulet/base/stage_timer.h>
#include <rivulet/base/step_view.h>
#include <rivulet/world/contact_step.h>
#include <rivulet/world/film_across.h>
#include <rivulet/world/film_drip.h>
#include <rivulet/world/film_step.h>
#include <rivulet/world/liquid_scratch.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>
#include <rivulet/world/step_limits.h>
#include <rivulet/world/strand_step.h>
#include <rivulet/world/submerged_speed.h>
#include <rivulet/world/wet_capture.h>
#include <rivulet/world/wet_step.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// Advances a World by one step. Holds scratch memory only: destroying and rebuilding it between steps
/// changes no bit.
class Stepper {
 public:
    /// Called inside every attempt after the other stages, for tests of failure: throws StepFailed or spoils
    /// `next`.
    using TestStage = std::function<void(const StepView&, int attempt, World& next)>;

    explicit Stepper(const Model& model, Log log = {}, TestStage test_stage = {});

    /// One step. A failed attempt leaves `world` untouched and is repeated with half the step, at most
    /// `model.step.retries` times; then StepFailed is thrown and `world` is still the last good state.
    StepCounts advance(World& world);

    /// What the last step saw of the liquid, to look at.
    const LiquidScratch& liquid() const { return liquid_; }
    const ContactStep& contacts() const { return contacts_; }
    const FilmStep& films() const { return films_; }
    /// What limited it.
    const StepLimits& limits() const { return limits_; }
    const StageTimers& timers() const { return timers_; }
    StageTimers& timers() { return timers_; }

 private:
    double wanted_step(const World& world);
    /// Strands in the liquid cross no more of the grid in a step than the liquid does.
    void limit_submerged(const World& world);
    /// Runs one stage of the step: booked under its name, also when it had nothing to do, and named in what
    /// it throws.
    template <class F>
    void stage(const char* name, F&& work);
    void attempt(const World& now, World& next, const StepView& view, StepCounts& counts, int number);
    /// Drag, shear, pressure and strands in the liquid, passed over until the mixture's divergence holds.
    /// `touching`: impulses that contacts had in the last step.
    void solve_flow(const World& next, const StepView& view, const StrandImpulses& touching,
                    StepCounts& counts);
    void commit(const World& next) const;

    const Model& model_;
    Log log_;
    TestStage test_stage_;
    StageTimers timers_;
    StepLimits limits_;
    SubmergedSpeed submerged_;
    LiquidScratch liquid_;
    FilmStep films_;
    FilmAcross across_;
    FilmDrip drip_;
    StrandStep strands_;
    WetStep wet_;
    WetCapture capture_;
    ContactStep contacts_;
    World next_;  // the state being made; swapped in when the step holds
};

/// Fails with the stage `commit` and the entity when any stored number is not finite.
void require_finite(const World& world);

}  // namespace rivulet::world
