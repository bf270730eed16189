#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/grid/face_boundary.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>

namespace rivulet::liquid {

/// Which faces move in the shear solve, and how walls hold the others. Faces that particles touch (mass > 0)
/// are free, also those in air and along slip walls: no mass behind them pulls, so the surface there is free
/// of traction. Faces in a solid follow the free ones:
///
/// - no-slip: the velocity passes through the wall's on the way from a free face at distance d to one at
///   depth e, u = u_wall − min(1, e/d)(u_free − u_wall); without a free face beside it, u_wall
/// - slip, friction: closed faces across the wall have its velocity
///
/// so that u = P u_free + walls, and forces on held faces act on free ones by the transpose of P: the wall
/// does no work but its own. Vectors as in ShearOperator.
class ShearFaces {
 public:
    /// `solid_distance` at cell centres [m]; `mass` at faces [kg].
    void build(const grid::Topology& topology, const grid::FaceBoundary& boundary,
               const grid::Field& solid_distance, const grid::FaceField& mass);

    std::size_t size() const { return kind_.size(); }
    bool free(std::size_t i) const { return kind_[i] == Kind::free; }
    double mass(std::size_t i) const { return mass_[i]; }

    /// Sets held faces from free ones, walls moving as they do.
    void hold(std::span<double> velocity) const;
    /// The same for differences of velocities: walls at rest.
    void hold_change(std::span<double> change) const;
    /// The same on a face field.
    void hold(grid::FaceField& velocity) const;
    /// Adds what acts on held faces to the free ones; 0 on all others.
    void release(std::span<double> force) const;

 private:
    enum class Kind : std::uint8_t { none, free, held };
    struct Held {
        std::uint32_t face = 0;
        std::uint32_t first = 0, count = 0;  // free faces it follows, in share_
        double wall = 0;                     // m/s
    };
    struct Share {
        std::uint32_t face = 0;
        double part = 0;  // of its velocity relative to the wall
    };
    struct Chunk {
        std::vector<Held> held;
        std::vector<Share> share;
    };
    void classify(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                  const grid::Field& solid_distance, const grid::FaceField& mass);
    void follow(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                const grid::Field& solid_distance);
    template <class Get, class Set>
    void hold_from(Get&& get, Set&& set, double walls) const;

    std::size_t cells_ = 0;
    grid::AlignedVector<Kind> kind_;
    grid::Field mass_;
    std::vector<Chunk> chunks_;
    std::vector<Held> held_;
    std::vector<Share> share_;
};

}  // namespace rivulet::liquid
