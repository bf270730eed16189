#pragma once

#include <span>
#include <vector>

#include <rivulet/grid/particle_order.h>
#include <rivulet/liquid/material.h>
#include <rivulet/liquid/pressure_system.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Liquids with a bulk modulus κ. Particles carry J = volume / rest volume; a cell's compliance 1/K with
/// K = κ/2 (J + 1/J) (diss. 14.32) and its pressure p^t = −κ/2 (J − 1/J) are means over the particles in it,
/// by volume. The pressure equation gets, per cell,
///
///     ∇·u = −(p − p^t) / (K Δt),
///
/// and the particles' J follow the same divergence, so that pressure and J agree. Incompressible liquids
/// have 1/K = 0: the same system, and no change of J.
class Compression {
 public:
    explicit Compression(std::span<const LiquidMaterial> materials);
    /// False: no liquid is compressible and nothing else need be called.
    bool any() const { return any_; }

    /// Particles sorted by `order`. Fills what the pressure system reads.
    void rasterise(const grid::Topology& topology, const grid::ParticleOrder& order, const LiquidState& state,
                   double dt);
    /// Present volumes of the particles [m^3].
    std::span<const double> present_volume() const { return present_; }
    /// Turns densities at rest into present ones.
    void thin_out(const grid::Topology& topology, grid::FaceField& density) const;
    /// From now on pressures are those above `datum` [Pa].
    void measure_from(const grid::Field& datum);
    void add_to(PressureDomain& domain) const;
    /// J at the end of the step from the pressure found. Particles outside the system are at rest volume.
    void deform(const grid::ParticleOrder& order, const PressureSystem& system, const grid::Field& pressure,
                LiquidState& state) const;

 private:
    std::vector<double> bulk_modulus_;  // by material; 0: incompressible
    bool any_ = false;
    double dt_ = 0;
    grid::Field compliance_;              // 1/(K Δt) [1/(Pa s)]
    grid::Field rebound_;                 // p^t/(K Δt) [1/s]
    grid::Field ratio_;                   // J, 1 where there are no particles
    std::vector<std::uint8_t> occupied_;  // blocks that have particles
    std::vector<double> present_;
};

}  // namespace rivulet::liquid
