#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/grid/particle_order.h>
#include <rivulet/grid/topology.h>

namespace rivulet::coupling {

/// Particles that may give liquid to films, sorted by the order they come with. `material` may be empty: all
/// of material 0.
struct GivingParticles {
    std::span<const Vec3d> position;  // m
    std::span<const Vec3d> velocity;  // m/s
    std::span<const double> volume;   // rest volume, m^3
    std::span<const std::uint8_t> material;
    std::span<const double> density;  // kg/m^3 by material

    std::size_t material_of(std::size_t p) const { return material.empty() ? 0 : material[p]; }
};

/// Points on thin structures that ask for liquid, in any order.
struct Askers {
    std::vector<Vec3d> position;  // m
    std::vector<double> demand;   // m^3 that it would take in this step; 0: it does not ask
    std::vector<double> reach;    // m, from how far; more than Capture::kMostReach cells count as that many

    std::size_t size() const { return position.size(); }
    void resize(std::size_t n);
};

struct CaptureRule {
    double most_share = 1;    // of its volume that a particle gives when more is asked
    double least_volume = 0;  // m^3; a particle that would keep less, and is asked at all, gives all
};

/// What changes hands. Sums over particles and over askers agree to round-off, for each material's volume and
/// for momentum.
struct Captured {
    std::vector<double> given;    // per particle, m^3; exactly its volume where it gives all
    std::vector<double> volume;   // per asker and material, asker after asker, m^3
    std::vector<Vec3d> momentum;  // per asker, kg m/s
};

/// Liquid passes from particles to the films around them. Holds scratch memory only.
///
/// An asker spreads its demand V over the particles within reach R by w = (1 − (d/R)²)³ times their volume v:
///     q = V w v / Σ w v, but never more than v.
/// A particle grants all that it is asked for while it can, otherwise the same part of it to each. So an
/// asker gets at most what it asked for, and below least_volume more from each particle that gives its rest
/// away. What is refused is not asked elsewhere; it can be asked for in the next step.
///
/// All sums are order-free (base/order_free_sum.h): neither the number of threads nor the order of particles
/// and askers in their arrays changes a bit, up to 2^14 of one within reach of one of the other.
class Capture {
 public:
    static constexpr int kMostReach = grid::kBlockEdge;  // cells

    /// `order` is that of the particles. Askers whose kernel does not fit into the blocks get nothing, as dry
    /// points of grid::WetElements: for a reach of r cells blocks must go r + 1 cells below and r + 2 above
    /// every particle.
    void run(const grid::Topology& topology, const grid::ParticleOrder& order,
             const GivingParticles& particles, const Askers& askers, const CaptureRule& rule, Captured& out);

    /// Mean of something that particles have, by the volume that each asker got from them in the last run; 0
    /// for askers that got nothing. Particles, their volumes and their order must be as they were in it.
    void mean(const grid::Topology& topology, const grid::ParticleOrder& order,
              const GivingParticles& particles, std::span<const double> of_particle,
              std::span<double> of_asker) const;

 private:
    struct Asker {
        Vec3d position;         // m
        double inverse_square;  // 1/R², 1/m^2
        double demand;          // m^3
        double rate;            // demand over Σ w v
    };
    void sort(const grid::Topology& topology, const Askers& askers);
    void announce(const grid::Topology& topology, const grid::ParticleOrder& order,
                  const GivingParticles& particles);
    void grant(const grid::Topology& topology, const grid::ParticleOrder& order,
               const GivingParticles& particles, const CaptureRule& rule, std::span<double> given);
    void collect(const grid::Topology& topology, const grid::ParticleOrder& order,
                 const GivingParticles& particles, Captured& out);

    grid::ParticleSorter sorter_;
    grid::ParticleOrder asking_;   // of those that ask and have blocks around them
    std::vector<Vec3d> place_;     // of askers that ask; not a number for the others
    std::vector<Asker> sorted_;    // in the order of asking_
    std::vector<double> grant_;    // per particle: what it gives over what it is asked for
    std::vector<double> remnant_;  // per asker and material: fine parts of volumes
    double largest_ = 0;           // volume of a particle, m^3
    int cells_ = 0;                // around a point that are searched
};

}  // namespace rivulet::coupling
