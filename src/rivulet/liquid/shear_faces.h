#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/grid/face_boundary.h>
#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>

namespace rivulet::liquid {

/// Which faces move freely in the shear solve, and how the others follow. Free are the open faces of liquid
/// cells: those the pressure moves too. Others that particles touch (mass > 0) are held:
///
/// - in air, and closed along slip walls: the mean of the faces around that are known, weights 4, 2, 1 across
/// a
///   cell face, edge, corner; up to two layers, as velocities are extrapolated
/// - in a no-slip wall: the velocity passes through the wall's on the way from a face at distance d to one at
///   depth e, u = u_wall − min(1, e/d)(u − u_wall); without a face beside it, u_wall
/// - closed across a slip wall: what keeps the velocity relative to the wall along it, u_a = w_a −
///   Σ_c n_c/n_a (u_c − w_c) with the means of the other components around; straight to the wall its velocity
///
/// So u = P u_free + walls, and forces on held faces act on free ones by the transpose of P: nothing is lost
/// at the surface, and a wall does no work but its own. Spray out of reach of liquid cells is free.
///
/// Vectors as in ShearOperator.
class ShearFaces {
 public:
    /// `liquid_distance`, `solid_distance` at cell centres [m]; `mass` at faces [kg].
    void build(const grid::Topology& topology, const grid::FaceBoundary& boundary,
               const grid::Field& liquid_distance, const grid::Field& solid_distance,
               const grid::FaceField& mass);

    std::size_t size() const { return kind_.size(); }
    bool free(std::size_t i) const { return kind_[i] == Kind::free; }
    double mass(std::size_t i) const { return mass_[i]; }
    /// Free faces' mass with that of the held ones that follow them: near the diagonal of Pᵀ M P.
    void moved_mass(std::span<double> mass) const;

    /// Sets held faces from free ones, walls moving as they do.
    void hold(std::span<double> velocity) const;
    void hold(grid::FaceField& velocity) const;
    /// The same for differences of velocities: walls at rest.
    void hold_change(std::span<double> change) const;
    /// Carries what accelerates free faces to held ones; walls do not mirror it.
    void carry(grid::FaceField& change) const;
    /// Sets faces closed across slip walls from the free ones: what they weigh the wall carries.
    void slide(grid::FaceField& velocity) const;
    /// Adds what acts on held faces to the free ones; 0 on all others.
    void release(std::span<double> force) const;

 private:
    enum class Kind : std::uint8_t { none, free, first_layer, second_layer, wall, pending };
    struct Held {
        std::uint32_t face = 0;
        std::uint32_t first = 0, count = 0;  // faces it follows, in share_
        double offset = 0;                   // m/s, of moving walls
    };
    struct Share {
        std::uint32_t face = 0;
        double part = 0;  // of its velocity
    };
    struct Chunk {
        std::vector<Held> held;
        std::vector<Share> share;
    };
    /// Held faces that follow only free ones and those of stages before.
    struct Stage {
        std::vector<Held> held;
        std::vector<Share> share;
    };
    void classify(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                  const grid::Field& liquid_distance, const grid::Field& solid_distance,
                  const grid::FaceField& mass);
    template <class Follow>
    void make_stage(const grid::Topology& topology, Kind kind, Stage& stage, Follow&& follow);
    void follow_layer(const grid::Topology& topology, Kind kind, Stage& stage);
    void follow_wall(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                     const grid::Field& solid_distance, Stage& stage);
    bool moves_freely(std::size_t i) const { return kind_[i] != Kind::none && kind_[i] != Kind::wall; }
    void follow_along(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                      const grid::Field& solid_distance, std::size_t b, const Vec3i& at, std::size_t axis,
                      Held& held, std::vector<Share>& share) const;
    template <class At>
    void hold_at(At&& at, double walls) const;

    std::size_t cells_ = 0;
    grid::AlignedVector<Kind> kind_;
    grid::Field mass_;
    std::vector<Chunk> chunks_;
    std::array<Stage, 3> stages_;  // two layers, walls
};

}  // namespace rivulet::liquid
