#pragma once

#include <rivulet/grid/face_boundary.h>

namespace rivulet::grid {

/// What flows through the faces of the grid and how it answers a pressure: one set of numbers per step, read
/// by pressure matrix, pressure application, divergence, viscosity, shear, relaxation and friction alike.
///
/// Through a face flows, per area [m/s],
///
///     carried u + others,
///
/// u the liquid's velocity there; others are walls and what is submerged in the liquid. A pressure p, at cell
/// centres, changes over a step
///
///     u       by −Δt ∇p / inertia,
///     others  by −Δt ∇p answer.
///
/// So the divergence answers with Δt ∇·(carried/inertia + answer)∇p: symmetric and never negative. Arrays
/// that a step has no use for are empty and cost nothing.
class FaceFlow {
 public:
    /// Solids, and liquid of one density [kg/m³] or of densities at faces. Both are kept by reference.
    void start(const FaceBoundary& boundary, double density);
    void start(const FaceBoundary& boundary, const FaceField& density);

    /// What is submerged fills part of the open area and moves by itself.
    struct Submerged {
        const FaceField& fraction;  // of the open area, 0..1
        const FaceField& velocity;  // m/s
        const FaceField&
            mobility;  // of its velocity, m³/kg: −Δt ∇p changes it by so much; empty: it does not
    };
    void submerge(const Submerged& submerged);

    /// Implicit drag per volume of liquid, Δt D/φ_f [kg/m³], towards a velocity [m/s]. It adds to what has to
    /// be accelerated; `pull` does the rest. `push`: how many times the liquid's own pressure force moves it,
    /// where what drags it feels the pressure too; empty: 1.
    void add_drag(const FaceField& drag, const FaceField& towards, const FaceField& push = {});
    /// u ← (ρ u + drag towards)/(ρ + drag): what drag alone leaves of velocities at the start of the step.
    void pull(FaceField& velocity) const;
    /// Masses of the liquid at faces [kg] with what drag adds to them: `mass` itself without drag.
    const FaceField& loaded(const FaceField& mass);

    const FaceField& carried() const { return carried_[0].empty() ? boundary_->open : carried_; }
    double inertia(std::size_t axis, std::size_t face) const {
        return inertia_ ? (*inertia_)[axis][face] : everywhere_;
    }
    /// Empty: nothing else moves; 0.
    const FaceField& others() const { return others_; }
    const FaceField& answer() const { return answer_; }

 private:
    void start(const FaceBoundary& boundary);
    double density(std::size_t axis, std::size_t face) const {
        return density_ ? (*density_)[axis][face] : everywhere_;
    }

    const FaceBoundary* boundary_ = nullptr;
    double everywhere_ = 0;               // density, when it is one
    const FaceField* density_ = nullptr;  // when it varies
    const FaceField* inertia_ = nullptr;  // density, or with drag; null: everywhere_
    const FaceField* towards_ = nullptr;
    const FaceField* drag_ = nullptr;
    const FaceField* push_ = nullptr;
    FaceField carried_, others_, answer_, dragged_inertia_, loaded_mass_;
};

}  // namespace rivulet::grid
