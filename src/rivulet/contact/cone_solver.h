#pragma once

#include <memory>
#include <span>

#include <rivulet/contact/cones.h>

namespace rivulet::contact {

struct ConeOptions {
    double tolerance = 1e-4;  // of the residual, relative: all contacts together
    int most_iterations = 1000;
    double miss = 1e300;  // [m/s] by which no contact may miss its law, however little it weighs among all
};

struct ConeReport {
    /// How far the law is from being kept: the natural map of Coulomb's law with de Saxcé's shift
    /// (`coulomb_residual`), and by how much bridges miss their own law, over the impulses; both as square
    /// sums over all contacts.
    double residual = 0;
    double miss = 0;  // the largest of one contact, as a velocity [m/s]
    int iterations = 0;
    bool converged = false;
    std::size_t touching = 0;  // contacts with an impulse
    std::size_t sliding = 0;   // of those, how many with all the friction they can have
    std::size_t unmoved = 0;   // contacts between things that do not answer: they are left alone, impulse 0
};

/// Many contacts at once: finds impulses r in the cones with
///     v = S (r - (pull + stiffness v_N + drag max(v_N, 0)) n) + v_free
/// and Coulomb's law for r and v with v_N >= -clearance, or r_N = most. Knows operators and cones, no
/// strands.
///
/// By splitting: contacts obey the exact law at copies of their sides' velocities, strands move with springs
/// that tie them to the copies, in turns. About a product with C⁻¹ per iteration; see the source.
///
/// The same bits for any number of threads. Keeps memory between calls, no truth.
class ConeSolver {
 public:
    ConeSolver();
    ~ConeSolver();
    ConeSolver(ConeSolver&&) noexcept;
    ConeSolver& operator=(ConeSolver&&) noexcept;

    /// `impulse` per contact in its own axes: where to begin, and the solution.
    ConeReport solve(std::span<const Cone> cones, const Answers& answers,
                     std::span<const Vec3d> free_velocity, std::span<const double> free_turning,
                     const ConeOptions& options, std::span<Vec3d> impulse);

    /// Of the last solve. The impulse that acts at a contact, bridge included, world axes.
    Vec3d applied(std::size_t contact) const;
    /// Per node: what acts on it, and its velocity with that.
    std::span<const Vec3d> node_impulse() const;
    std::span<const double> node_angular_impulse() const;
    std::span<const Vec3d> node_velocity() const;
    std::span<const double> node_turning() const;

    /// Memory held [bytes].
    std::size_t memory() const;

    struct Memory;

 private:
    std::unique_ptr<Memory> memory_;
};

}  // namespace rivulet::contact
