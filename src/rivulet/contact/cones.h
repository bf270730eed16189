#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include <rivulet/base/mat3.h>
#include <rivulet/base/vec3.h>

namespace rivulet::contact {

/// One contact as the solver sees it: which velocities meet there, in which axes, and by which law. Bodies
/// are nodes with a velocity and, where something turns about its own axis, a turning rate kept with a node.
/// The velocity of the contact is
///     v = Σ weight_k u[node_k] + Σ arm_k ω[turn_k] - wall,
/// and an impulse r of the contact acts with the same numbers transposed: weight_k r on node_k and arm_k·r
/// about the axis of turn_k.
struct Cone {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::array<std::uint32_t, 4> node{kNone, kNone, kNone, kNone};
    std::array<double, 4>
        weight{};  // positive on the one body, negative on the other; 0 where there is no node
    std::array<std::uint32_t, 2> turn{kNone, kNone};
    std::array<Vec3d, 2> arm{};                        // [m]
    std::array<std::uint32_t, 2> owner{kNone, kNone};  // bodies; kNone: a wall. May be the same twice
    Vec3d wall;                                        // velocity of a wall [m/s]
    std::array<Vec3d, 3> axes{Vec3d{1, 0, 0}, Vec3d{0, 1, 0},
                              Vec3d{0, 0, 1}};  // normal, two across: right-handed
    double friction = 0;
    double clearance = 0;  // gap over the step [m/s]: v_N >= -clearance
    /// The largest impulse along the normal [N s]. 0: nothing is kept apart, a bridge alone. Finite: what
    /// holds up to a strength and then gives way, either way: v_N < -clearance once it is reached.
    double most = std::numeric_limits<double>::infinity();
    // A bridge pulls with the impulse pull + stiffness v_N + drag max(v_N, 0) along the normal.
    double pull = 0;       // h f [N s]; negative pushes
    double stiffness = 0;  // h² f' >= 0 [kg]
    double drag = 0;       // of thick liquid while it is stretched >= 0 [kg]
};

/// How bodies answer impulses: change of velocities = C⁻¹ impulses, symmetric and positive semi-definite,
/// nothing between different owners. Held nodes answer 0.
class Answers {
 public:
    virtual ~Answers() = default;

    /// Nodes; those of an owner follow each other.
    virtual std::size_t nodes() const = 0;
    virtual std::size_t owners() const = 0;
    virtual std::size_t first_node(std::size_t owner) const = 0;  // also for owner = owners(): nodes()

    /// The answer of the owners marked, empty: of all; one entry per node. May overwrite what it is given;
    /// what other owners have is left as it is.
    virtual void apply(std::span<const Vec3d> impulse, std::span<const double> angular_impulse,
                       std::span<Vec3d> velocity, std::span<double> turning,
                       std::span<const std::uint8_t> only) const = 0;
    /// Velocity of the contact per impulse of its own, world axes [1/kg]. What one owner touched twice
    /// answers across may be left out.
    virtual Mat3d own(const Cone& cone) const = 0;

    /// Each side of every contact lies on a spring of its own: makes ready to solve with C + Σ Eᵀ R E, R =
    /// along n nᵀ
    /// + across (1 − n nᵀ) by contact [kg]. Owners without contacts take no part.
    virtual void bed(std::span<const Cone> cones, std::span<const double> along,
                     std::span<const double> across) const = 0;
    /// (C + Σ Eᵀ R E)⁻¹ of impulses, in place, of the owners marked, which all have contacts; what others
    /// have is left as it is.
    virtual void solve_bedded(std::span<Vec3d> velocity, std::span<double> turning,
                              std::span<const std::uint8_t> only) const = 0;
};

}  // namespace rivulet::contact
