#pragma once

#include <rivulet/grid/face_boundary.h>
#include <rivulet/grid/face_flow.h>
#include <rivulet/grid/submerged_elements.h>

namespace rivulet::coupling {

/// Liquid and what is submerged in it, face by face, over one step.
///
/// At a face there are liquid of mass M and submerged pieces of volume fraction φ_s with drag D against it.
/// Pressure, with g = Δt ∇p/ρ, and drag make
///
///     M (u − u*) = Δt D (v − u) − M g + shear,       m̂ (v − v*) = Δt D (u − v) − M q g,   q = φ_s/φ_f,
///
/// and what flows through the face is φ_f u + φ_s v. m̂ stands for how the pieces answer here; in truth they
/// hang together, and are solved by themselves. Eliminating v leaves numbers of the liquid alone (FaceFlow),
/// with d = Δt D/M, r = M/m̂:
///
///     u carries          φ_f + φ_s d r/(1 + d r)
///     drag               d/(1 + d r), towards what the pieces would do without liquid
///     pressure pushes    1 + q d r/(1 + d r) times
///     others carry       φ_s/(1 + d r) of that velocity, and answer φ_s q r/(1 + d r) g.
///
/// From no drag to infinite drag, from pieces that are held (r = 0) to pieces without weight. The pieces'
/// solve then has the last word: given the impulses that shear and pressure gave the liquid, ū = u* + those,
/// every piece feels the drag of its share of the face's liquid,
///
///     Δt D/(1 + d) (ū − v),
///
/// and the liquid takes exactly that back, u = (ū + d v)/(1 + d): one impulse with two signs, whatever the
/// pieces do. m̂ only decides how much divergence is left for another pass.
class FaceMixture {
 public:
    /// The liquid's velocities before shear, pressure and drag: ū without impulses.
    void start(const grid::SubmergedFields& fields, const grid::FaceField& mass,
               const grid::FaceBoundary& boundary, const grid::FaceField& velocity, double cell, double dt);
    /// How the pieces answer: sums of their masses [kg], and of mass × velocity change per impulse of its own
    /// mass, 0..1, with the drag of `start` in it. Once per step, after their first solve.
    void find_answers(const grid::FaceField& weight, const grid::FaceField& response,
                      const grid::FaceField& mass);

    /// Numbers of this step's flow, for pieces that move as `fields` (flux, pull) say after impulses ū and
    /// the pressure impulse Δt∇p [Pa s/m] they have felt (empty: none). Turns `velocity` into what drag
    /// alone leaves of the liquid's.
    void add_to(grid::FaceFlow& flow, const grid::SubmergedFields& fields, const grid::FaceField& pressed,
                grid::FaceField& velocity);
    /// What shear and pressure did, from the velocities they have left and the pressure impulse.
    void take_impulses(const grid::FaceFlow& flow, const grid::FaceField& pressed,
                       const grid::FaceField& velocity);
    /// Velocities of the liquid that give back what the pieces, as they move now, have felt.
    void give_back(const grid::SubmergedFields& fields, grid::FaceField& velocity) const;
    /// others ← flux of walls and pieces that, with the flow's carried × velocity, makes the true flux.
    void true_others(const grid::FaceFlow& flow, const grid::SubmergedFields& fields,
                     const grid::FaceBoundary& boundary, const grid::FaceField& velocity,
                     grid::FaceField& others) const;

    /// For the pieces: part of their drag that stands against the liquid's share (1/(1 + d), 0 without
    /// liquid), and that times ū.
    const grid::FaceField& hold() const { return hold_; }
    const grid::FaceField& held_velocity() const { return held_velocity_; }
    const grid::FaceField& free_velocity() const { return free_; }

    /// Largest part of a face that pieces may fill.
    static constexpr double kFullest = 0.9;

 private:
    void find_hold();

    std::size_t size_ = 0;
    grid::FaceField drag_ratio_;  // d
    grid::FaceField yield_;       // r
    grid::FaceField fraction_;    // φ_s
    grid::FaceField start_;       // u*
    grid::FaceField free_;        // ū
    grid::FaceField hold_, held_velocity_;
    // Handed to the flow, which reads them until the next pass.
    grid::FaceField towards_, drag_, push_, part_, part_velocity_, mobility_;
};

}  // namespace rivulet::coupling
