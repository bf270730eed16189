#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/liquid/cell_neighbours.h>
#include <rivulet/liquid/pressure_system.h>

namespace rivulet::liquid {

/// What the viscous solve is told beside the domain of the pressure.
struct ViscousDomain {
    const PressureDomain& flow;
    const grid::AlignedVector<std::uint8_t>& liquid;  // cells that have a pressure (PressureSystem::liquid)
    const grid::Field& viscosity;                     // at cell centres [Pa·s], read in liquid cells
    const grid::Field* solid_distance =
        nullptr;  // at cell centres [m]; null: walls lie on closed faces' planes
};

/// The symmetric operator M + Δt K of implicit viscosity on face velocities, variational (Batty & Bridson
/// 2008): the velocity u minimises
///
///     ½ Σ_faces ρ V |u − u*|² + Δt Σ μ V ε(u):ε(u),
///
/// normal strains at cell centres, shear strains at cell edges, each weighed with the part V of its dual
/// volume that is liquid. A free surface is free of traction because air has no volume. All per unit cell
/// volume: M in kg/m³.
///
/// Vectors hold the three components one after the other: entry axis·cells + face.
class ViscousOperator {
 public:
    enum Face : std::uint8_t { air, unknown, fixed, slip };

    void build(const ViscousDomain& domain);

    std::size_t size() const { return 3 * cells_; }
    Face face(std::size_t axis, std::size_t e) const { return Face(face_[axis][e]); }
    double mass(std::size_t axis, std::size_t e) const { return mass_[axis * cells_ + e]; }
    /// Largest Δt K_ii / ρ: how many cells viscosity reaches in a step, squared. 0: no viscosity. Slivers of
    /// liquid at surfaces and walls, with less mass, do not count for more.
    double stiffness() const { return stiffness_; }

    /// Blocks with unknown faces, in order.
    const std::vector<std::size_t>& unknown_blocks() const { return unknown_blocks_; }
    /// The row of an unknown face: its diagonal, and its entries for other unknown faces.
    struct Row {
        static constexpr std::size_t kMost = 14;  // 6 faces of the same component, 8 of the other two
        double diagonal = 0;
        std::size_t count = 0;
        std::array<std::size_t, kMost> place;  // axis·cells + face
        std::array<double, kMost> value;
    };
    /// `near`: of the face's block.
    Row row(const CellNeighbours& near, std::size_t axis, std::size_t face) const;
    const grid::Topology& topology() const { return *topology_; }
    /// The 7-point rows of one component by itself for the faces of a block: couplings to the face below
    /// along x, y and z, couplings to walls, and mass. 0 on faces not unknown.
    void component_rows(std::size_t axis, std::size_t block, double* x, double* y, double* z, double* walls,
                        double* mass) const;

    /// out ← (M + ΔtK) x on unknown faces, 0 elsewhere. x may hold the velocities of fixed and slip faces.
    void apply(std::span<const double> x, std::span<double> out);

 private:
    void classify(const ViscousDomain& domain);
    void weigh(const ViscousDomain& domain);
    void weigh_cell(const ViscousDomain& domain, const CellNeighbours& near, int c, std::size_t e);
    void weigh_edge(const ViscousDomain& domain, const std::array<std::ptrdiff_t, 4>& around, std::size_t q,
                    std::size_t e);
    void find_stiffness(const ViscousDomain& domain);
    /// What viscosity adds to the mass in the diagonal of a row.
    double viscous_diagonal(const CellNeighbours& near, std::size_t axis, std::size_t face) const;
    auto shear_weights(std::size_t axis, std::size_t along) const;
    template <class F>
    void for_active_blocks(F&& body) const;

    const grid::Topology* topology_ = nullptr;
    std::size_t cells_ = 0;
    double stiffness_ = 0;
    std::array<grid::AlignedVector<std::uint8_t>, 3> face_;
    std::vector<std::size_t> active_, unknown_blocks_;  // active: blocks with unknown faces or beside such
    std::vector<std::uint8_t> is_active_;
    grid::Field mass_;
    grid::Field normal_;                // 2Δt μV/Δx² at cells
    std::array<grid::Field, 3> a_, b_;  // roots of Δt μV/Δx² at edges, per difference; pairs xy, yz, zx
    std::array<grid::Field, 3> normal_stress_, a_stress_, b_stress_;
};

}  // namespace rivulet::liquid
