#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include <rivulet/grid/face_boundary.h>
#include <rivulet/grid/face_flow.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>
#include <rivulet/liquid/free_surface.h>
#include <rivulet/liquid/pressure_term.h>

namespace rivulet::liquid {

/// What bounds the liquid during one pressure solve. Fields follow the topology; optional ones may be null.
struct PressureDomain {
    const grid::Topology& topology;
    const grid::Field& liquid_distance;  // at cell centres [m], < 0 in liquid, continued into solids
    const grid::FaceBoundary& boundary;  // at the end of the step
    const grid::FaceFlow& flow;          // what faces carry and how they answer; of the same boundary
    double dt;                           // s
    const grid::Field* surface_pressure = nullptr;  // at the free surface [Pa], cell-centred near it; null: 0
    const grid::Field* expansion = nullptr;         // divergence the liquid is to have [1/s]; null: 0
    /// Compressible liquid has the divergence rebound − compliance·p (compression.h) [1/s, 1/(Pa s)]; null:
    /// 0.
    const grid::Field* compliance = nullptr;
    const grid::Field* rebound = nullptr;
    const grid::Field* wall_pull = nullptr;  // find_wall_pull() (wall_stress.h) [Pa]; null: 0
    /// Part of the pressure that particles carry, so that it is not in what is solved for (skin_pressure.h)
    /// [Pa]; null: 0.
    const grid::Field* skin = nullptr;
    /// Flux that others carry through faces [m/s], where it is not the flow's own any more; null: it is.
    const grid::FaceField* others = nullptr;

    /// Pressure that has acted already: what the terms yield to it is not to be found again [Pa]; empty:
    /// none.
    std::span<const double> acting{};
    std::span<const PressureTerm* const> terms{};  // of others that yield to the pressure

    const grid::FaceField& others_flux() const { return others ? *others : flow.others(); }
    /// Part of the way from a cell with a pressure to one without at which the surface lies.
    double way_to_surface(std::size_t liquid, std::size_t air) const {
        return surface_fraction(liquid_distance[liquid], std::max(0.0, liquid_distance[air]));
    }
    /// Pressure given at the surface, a part t of the way from a liquid cell to an air cell [Pa].
    double pressure_at_surface(std::size_t liquid, std::size_t air, double t) const {
        if (!surface_pressure) return 0;
        return (1 - t) * (*surface_pressure)[liquid] + t * (*surface_pressure)[air];
    }
};

/// The pressure equation of one step, per cell of the grid, in 1/s:
///
///     Σ_faces coupling (p_cell − p_neighbour) + (surface + storage) p_cell = rhs,
///
/// coupling = Δt/Δx² (carried/inertia + answer) of the FaceFlow over faces between two liquid cells (Ng et
/// al. 2009: face area fractions), surface = the same over the distance to the surface for faces to air,
/// storage = the compliance.
struct PressureSystem {
    grid::FaceField coupling;                  // lower faces
    grid::Field surface;                       // ≥ 0
    grid::Field storage;                       // ≥ 0; empty: none
    grid::Field rhs;                           // 1/s; minus the divergence to remove
    grid::Field wall_flux;                     // 1/s; divergence that others make; empty: none moves
    grid::AlignedVector<std::uint8_t> liquid;  // 1: the cell has a pressure
    grid::AlignedVector<std::uint8_t> leaves;  // wall that lets go of the cell first, into rules; or kNoWall
    std::vector<grid::WallRule> rules;
    const grid::Field* wall_pull = nullptr;  // of the domain
    std::vector<const PressureTerm*> terms;  // added to the matrix

    /// Pressure below which the liquid of a cell leaves its wall [Pa]; −∞: it cannot.
    double least_pressure(std::size_t e) const {
        if (!can_leave(e)) return -std::numeric_limits<double>::infinity();
        return (wall_pull ? (*wall_pull)[e] : 0.0) - rules[leaves[e]].adhesion;
    }
    bool can_leave(std::size_t e) const { return leaves[e] != grid::FaceBoundary::kNoWall; }
};

/// Whether a block has a cell of the system; `block`: its entries of PressureSystem::liquid.
inline bool any_liquid(const std::uint8_t* block) {
    std::uint8_t any = 0;  // no early end: looked at many at once
    for (int c = 0; c < grid::kBlockCells; ++c) any |= block[c];
    return any != 0;
}

/// out ← out + T p over the terms of a system; by cells of the grid. Nothing for an empty p.
void add_terms(const PressureSystem& system, std::span<const double> p, std::span<double> out);

/// A cell takes part when liquid_distance < 0 and the flux through one of its faces answers a pressure.
/// Throws StepFailed when liquid reaches the edge of the grid.
void assemble_matrix(const PressureDomain& domain, PressureSystem& system);

/// Right-hand side for velocities before the projection: −Σ ±(carried u + others)/Δx, plus surface pressure
/// and expansion. Uses system.liquid.
void assemble_rhs(const PressureDomain& domain, const grid::FaceField& velocity, PressureSystem& system);

/// u ← u − Δt/inertia ∇p on open faces of liquid cells; closed faces near a solid get its velocity. Where the
/// flux of others answers too, `others` becomes what it is afterwards; else it is left alone.
void apply_pressure(const PressureDomain& domain, const PressureSystem& system, const grid::Field& pressure,
                    grid::FaceField& velocity, grid::FaceField& others);

/// flux ← flux − Δt answer ∇p on faces of liquid cells: how the flux of others answers to a pressure.
void answer_pressure(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                     grid::FaceField& flux);

/// impulse ← Δt ∇p on open faces of liquid cells [Pa s/m], 0 elsewhere: what the pressure did to a volume at
/// a face.
void pressure_impulse(const PressureDomain& domain, const PressureSystem& system, std::span<const double> p,
                      grid::FaceField& impulse);

/// Divergence, that of others included, of a cell of the system after `apply_pressure` [1/s]; 0 in other
/// cells. `others`: as it left them.
void flow_divergence(const PressureDomain& domain, const PressureSystem& system,
                     const grid::FaceField& velocity, const grid::FaceField& others, grid::Field& divergence);

}  // namespace rivulet::liquid
