#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/mat3.h>

namespace rivulet::strand {

/// A film that rides on strands and slides along them with friction. It weighs on a strand across, but along
/// only as far as friction holds it: the speed along each edge is eliminated from the implicit step,
///   M = m_s + m_f − Σ_edges v vᵀ/(m_e + dt c),   v = ½ m_f t on the edge's two vertices,   m_e = Σ ½ m_f,
/// with t the edge's tangent at the start of the step. M acts on the change of velocity beyond that of free
/// fall. Without friction the film does not load the strand along t, with infinite friction it is all added
/// mass. (Half of the film of an end vertex has no edge to slide along; it is added mass, and so is all of it
/// where liquid is dammed at an end.) The speed w it has and the forces along it push the vertices with
///   v (dt c/(m_e + dt c) (w + dt F/m_e) − dt (F − ΔT)/m_e),
/// where tension T, which is part of F, pulls at its vertices instead, T t.
struct FilmLoads {
    std::span<const double> mass;      // m_f per vertex, kg
    std::span<const double> friction;  // c per edge, kg/s: force along it per speed; may be infinite
    std::span<const double> inertia;   // rotary, per edge, kg*m^2: turns with the strand
    std::span<const std::uint8_t>
        dammed{};  // per strand: whether its ends dam liquid (kRootDams, kTipDams); empty: none
    std::span<const double> speed{};    // w per edge, m/s, at the start of the step; empty: 0
    std::span<const double> force{};    // F per edge, N; only with speeds
    std::span<const double> tension{};  // T per vertex, N; only with forces
};
inline constexpr std::uint8_t kRootDams = 1, kTipDams = 2;

/// What acts on strands from outside during a step. Every span has one entry per vertex, or is empty; what
/// belongs to an edge is stored with its first vertex.
struct Loads {
    Vec3d gravity;                            // m/s^2
    std::span<const Vec3d> impulse;           // N*s, over the whole step
    std::span<const Vec3d> force;             // N, with ...
    std::span<const Mat3d> force_slope;       // ... N*s/m: the force is force + force_slope * (end-of-step
                                              // velocity). Symmetric, negative semi-definite (drag)
    std::span<const double> angular_impulse;  // N*m*s per edge, about its tangent, over the whole step
    std::span<const double> torque;           // N*m per edge, about its tangent
    FilmLoads film{};
};

/// A motion over one step: what the solve returns and `commit` carries out.
struct Motion {
    std::vector<Vec3d> velocity;         // per vertex, at the end of the step, m/s
    std::vector<double> twist_velocity;  // per edge, rad/s
};

}  // namespace rivulet::strand
