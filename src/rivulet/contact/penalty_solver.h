#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/contact/cones.h>

namespace rivulet::contact {

/// A spring between two places along one direction. With the velocity v = n·Σ weight_k u[node_k] − wall it
/// gives the impulse −(pull + stiffness v) n, by the same weights.
struct PenaltyRow {
    std::array<std::uint32_t, 4> node{Cone::kNone, Cone::kNone, Cone::kNone, Cone::kNone};
    std::array<double, 4> weight{};
    Vec3d normal{0, 1, 0};
    double wall = 0;       // velocity of a wall along the normal [m/s]
    double pull = 0;       // h f at the start of the step [N s]
    double stiffness = 0;  // >= 0 [kg]
};

/// Velocity of a row [m/s].
double row_velocity(const PenaltyRow& row, std::span<const Vec3d> velocity);

struct PenaltyOptions {
    double tolerance = 1e-6;  // of the residual, in the norm of C⁻¹, over that of the springs' impulses
    int most_iterations = 500;
};
struct PenaltyReport {
    int iterations = 0;
    double residual = 0;
    bool converged = false;
};

/// Bodies coupled by springs, one linear implicit step: (C + G K Gᵀ) w = −G (pull + K (Gᵀ u_free − wall)),
/// w what the springs add to u_free. Conjugate gradients preconditioned with the bodies' own factors
/// (dissertation Algorithm 1). Knows operators only.
///
/// C itself is never multiplied with: where z = C⁻¹ r the direction's product is C p ← r + β C p.
///
/// The same bits for any number of threads. Keeps memory between calls, no truth.
class PenaltySolver {
 public:
    /// Impulses on nodes to begin with, and how the bodies answer them; all empty: none.
    struct Guess {
        std::span<const Vec3d> impulse, velocity;
        std::span<const double> turn, turning;
    };
    PenaltyReport solve(std::span<const PenaltyRow> rows, const Answers& answers,
                        std::span<const Vec3d> free_velocity, const Guess& guess,
                        const PenaltyOptions& options);

    /// Of the last solve. Per row: impulse along its normal [N s] and velocity [m/s].
    std::span<const double> impulse() const { return impulse_; }
    std::span<const double> velocity() const { return row_velocity_; }
    /// Per node: what the rows give to it, and what they add to its velocity and turning.
    std::span<const Vec3d> node_impulse() const { return node_impulse_; }
    std::span<const Vec3d> added_velocity() const { return w_; }
    std::span<const double> added_turning() const { return w_turn_; }

    std::size_t memory() const;

 private:
    void prepare(std::span<const PenaltyRow> rows, std::size_t nodes);
    /// out ← G x, every node written.
    void spread(std::span<const PenaltyRow> rows, std::span<const double> x, std::span<Vec3d> out) const;
    double residual_product() const;  // r·z
    PenaltyReport iterate(std::span<const PenaltyRow> rows, const Answers& answers, double scale,
                          const PenaltyOptions& options);

    std::vector<std::uint32_t> start_, parts_;  // rows of each node: 4 × row + place
    std::vector<double> along_, impulse_, row_velocity_;
    std::vector<Vec3d> w_, r_, z_, p_, cp_, kp_, node_impulse_;
    std::vector<double> w_turn_, r_turn_, z_turn_, p_turn_, cp_turn_;
};

}  // namespace rivulet::contact
