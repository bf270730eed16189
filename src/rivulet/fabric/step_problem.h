#pragma once

#include <span>
#include <vector>

#include <rivulet/elastic/point_loads.h>
#include <rivulet/fabric/mesh.h>
#include <rivulet/fabric/step_matrix.h>

namespace rivulet::fabric {

/// The incremental potential of one step: where cloth would fly, what it is at rest towards, and its value
/// and derivatives anywhere.
class StepProblem {
 public:
    /// For a step of `dt` from `state`. All of it is read until the next call.
    void begin(const FabricState& state, const Mesh& mesh, std::span<const FabricMaterial> materials,
               const elastic::PointLoads& loads, double dt);

    /// Fills the elements at a place, with derivatives; `across[t]`: see elastic::membrane. Returns the
    /// value.
    double evaluate(std::span<const Vec3d> position, std::span<const Vec3d> director,
                    std::span<const elastic::Voigt> across, std::vector<Element>& elements) const;
    /// Fills `across`: the stress now, or with a step taken to first order from `position` (`by`: that step;
    /// empty: none).
    void predict_stress(std::span<const Vec3d> position, std::span<const Vec3d> by,
                        std::vector<elastic::Voigt>& across) const;
    /// Cuts compression down to what inertia outweighs: the matrix is then positive.
    void limit_compression(std::vector<elastic::Voigt>& across) const;
    /// Of what is not elastic: second derivative and gradient per vertex.
    std::span<const Mat3d> diagonal() const { return diagonal_; }
    std::span<const Vec3d> push(std::span<const Vec3d> position);
    /// Where a vertex would be at the end of the step without elasticity and drag.
    Vec3d flown(std::size_t v) const;
    /// Gives every piece that nothing holds the momentum that its loads give it, to round-off: elastic forces
    /// add up to 0, whatever the solve has left.
    void mend_momentum(std::span<Vec3d> velocity) const;

 private:
    double loose_value(std::span<const Vec3d> position) const;

    const FabricState* state_ = nullptr;
    const Mesh* mesh_ = nullptr;
    std::span<const FabricMaterial> materials_;
    elastic::PointLoads loads_;
    double dt_ = 0;
    std::vector<elastic::Voigt> strain_target_, curvature_target_;
    std::vector<Mat3d> diagonal_;
    std::vector<Vec3d> push_;
};

/// The director of an edge that moves, carried along.
Vec3d carried(const Vec3d& director, const Vec3d& from, const Vec3d& to);

}  // namespace rivulet::fabric
