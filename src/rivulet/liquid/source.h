#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rivulet/geometry/shape.h>
#include <rivulet/grid/face_boundary.h>
#include <rivulet/grid/topology.h>
#include <rivulet/liquid/fill.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Liquid that comes in through a shape, moving with `velocity`.
struct Inflow {
    const geometry::Shape* shape = nullptr;
    Vec3d velocity;                 // m/s
    double rate = 0;                // m^3/s; > 0: the speed becomes rate / cross-section of the shape
    double spread = 0;              // rad, half angle of the cone of directions
    double start = 0, stop = 1e30;  // s
    double total = 0;               // m^3; 0: no limit
    int particles_per_cell = kUsualPerCell;
    std::uint8_t material = 0;
    std::string key;  // place in the scene, for errors
};

/// What came into the bulk liquid, for the ledger.
struct Given {
    std::size_t particles = 0;
    double volume = 0;   // m^3
    double blocked = 0;  // m^3 that found a solid in its way and was not emitted
};

/// A lattice of sites, so many per cell, drifts through the shape with the inflow's velocity; a site that
/// enters the shape during a step becomes a particle. The lattice is turned against the flow: lines of sites
/// along it would become curtains with gaps between them where a stream spreads, layers across it discs where
/// a thread is stretched. So the flux is cross-section times speed, spacing is even whatever the step, and
/// what comes in depends on the time alone; the only memory is the emitted volume, which is state
/// (LiquidState::emitted_volume). Sites inside at the start come first.
class InflowSource {
 public:
    /// `index`: which inflow this is. Throws InputError when the shape is unbounded, has more sites than
    /// `most`, or nothing can come in.
    InflowSource(const Inflow& inflow, std::size_t index, double cell, std::uint64_t seed,
                 std::uint64_t most);

    /// Emits what enters during (time, time + dt]. Particles are placed where they are at time + dt.
    Given emit(LiquidState& state, const SolidDistance& solids, double time, double dt);

    /// Holds the flow inside the shape at the inflow's velocity, as a nozzle does, while it runs: faces
    /// inside are closed and move with it, under the rule `rule` (add_hold_rule). Without it, a thick thread
    /// that falls faster than it is fed tears off at its upper end. A spray is not held.
    void hold(const grid::Topology& topology, const LiquidState& state, double time, std::uint8_t rule,
              grid::FaceBoundary& boundary) const;

    /// Box around where it holds the flow at this time; empty: nowhere.
    geometry::Bounds held(const LiquidState& state, double time) const;

    std::uint8_t material() const { return inflow_.material; }
    double speed() const { return speed_; }
    double cross_section() const { return cross_section_; }  // m^2, across the velocity

 private:
    struct Sites {
        Vec3d low, high;                 // box around them before they drift, m
        std::int64_t first[3], last[3];  // numbers along the lattice's axes
    };
    bool runs(const LiquidState& state, double time) const;
    /// Sites that enter during (from, to], where they are at `end`, into `batch_`.
    void collect(double from, double to, double end, bool first);
    void collect_slab(std::vector<NewParticle>& found, std::int64_t k, const Sites& sites,
                      const Vec3d& shift_from, const Vec3d& shift_to, const Vec3d& shift_end,
                      bool first) const;
    /// Moves what finds no solid in its way from `batch_` to `kept_`; false when the total is reached.
    bool keep(const SolidDistance& solids, double emitted, CompensatedSum& volume, Given& given);
    Sites sites_between(const Vec3d& shift_from, const Vec3d& shift_to) const;
    double measure_cross_section() const;

    Inflow inflow_;
    std::size_t index_;
    std::uint64_t seed_, most_;
    double spacing_, speed_ = 0, cross_section_ = 0;
    Vec3d direction_, velocity_;
    Mat3d axes_;  // of the lattice, columns
    std::vector<std::vector<NewParticle>> slab_;
    std::vector<NewParticle> batch_, kept_;
};

/// Adds the rule of held faces, neither sliding nor letting go, to those of the walls; returns its place.
std::uint8_t add_hold_rule(grid::FaceBoundary& boundary);

}  // namespace rivulet::liquid
