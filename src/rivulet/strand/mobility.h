#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include <rivulet/base/mat3.h>

namespace rivulet::strand {

/// How the motion of one edge answers what acts on it: blocks of C⁻¹ between its two vertices and its turn.
/// C⁻¹ is symmetric: `first_second` transposed is the velocity of the second vertex per impulse on the first,
/// and the turns below are also the edge's rate of turning per impulse on a vertex.
struct EdgeMobility {
    Mat3d first, second;            // velocity of a vertex per impulse on it [1/kg]
    Mat3d first_second;             // velocity of the first vertex per impulse on the second [1/kg]
    Vec3d first_turn, second_turn;  // velocity of a vertex per angular impulse on the edge [1/(kg*m)]
    double turn = 0;                // rate of turning per angular impulse [1/(kg*m²)]
};

/// How strands answer impulses, to first order about the end of a step that was solved (`Solver::solve`
/// fills it on request): with H the Hessian of the step's potential, C = dt² H, and
///   change of (velocity, twist velocity) = C⁻¹ (impulse, angular impulse).
/// C holds masses, dt × drag and dt² × stiffness; C⁻¹ is velocity change per impulse over the step. Unknowns
/// that are held (roots, clamped edges) answer 0.
///
/// - H is the matrix of the strand's last Newton step: exact, or the positive Gauss-Newton one where the
///   exact was not positive. It belongs to the point before that step, but has the tensions of the point
///   after it: at the usual tolerance hair answers within 1e-5 of the derivative of the nonlinear solve.
/// - A strand that was stepped in p pieces answers with a fresh linearisation of the whole step at the place
///   where the pieces ended, its inertia multiplied by 2p/(p + 1). Impulses are spread evenly over the pieces
///   and its velocity is the average over them: a free body then moves by (p + 1)/(2p) of what the impulse
///   given at once would do, while springs and drag that are stiff over the step yield the same either way.
///   This C is symmetric, positive, banded, and right in both limits. Between them a linear mode answers 1 to
///   4/3 times what it says at p = 2, 1 to 1.67 at p = 4 and 0.3 to 2.4 at p = 64: whoever relies on more
///   must solve again. (The factor of the last piece would know nothing of the pieces before it, and the
///   exact derivative through all pieces is neither symmetric nor banded.)
///
/// Strands lie in the packs in which the solver works. An answer's bits depend neither on pack-mates nor on
/// threads. Nothing is allocated once the strands are known. 350 bytes per vertex, twice that with
/// `invert_band` (an unfilled pack counts as four strands).
class Mobility {
 public:
    Mobility();
    ~Mobility();
    Mobility(Mobility&&) noexcept;
    Mobility& operator=(Mobility&&) noexcept;

    /// The answer of all strands. Spans have one entry per vertex; `angular_impulse` and `twist_velocity`
    /// (per edge, stored with its first vertex) may be empty. The answer may overwrite the impulses. `only`:
    /// of the strands marked, empty: of all; what others have is left as it is, and packs of which none is
    /// wanted cost nothing.
    void apply(std::span<const Vec3d> impulse, std::span<const double> angular_impulse,
               std::span<Vec3d> velocity, std::span<double> twist_velocity,
               std::span<const std::uint8_t> only = {}) const;

    /// Computes the entries of C⁻¹ near its diagonal, for `vertices` and `edge` to read, until the next solve
    /// that fills the mobility. After a solve of some strands only those need it again (`only`, as the
    /// solve's; packs of which none is wanted keep theirs).
    void invert_band(std::span<const std::uint8_t> only = {});
    /// Velocity of vertex a per impulse on vertex b, at most two vertices apart [1/kg].
    Mat3d vertices(std::size_t strand, std::size_t a, std::size_t b) const;
    /// `edge` is the number of its first vertex among all vertices.
    EdgeMobility edge(std::size_t strand, std::size_t edge) const;

    /// Memory held [bytes].
    std::size_t memory() const;

 private:
    friend class Solver;
    friend class Bedding;
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

}  // namespace rivulet::strand
