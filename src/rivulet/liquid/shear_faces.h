#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/grid/extrapolate.h>
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
/// Vectors hold the faces that particles touch and no others, the free ones first: entry i belongs to face
/// place(i) = axis·cells + face, as ShearOperator numbers them.
class ShearFaces {
 public:
    /// `liquid_distance`, `solid_distance` at cell centres [m]; `mass` at faces [kg].
    void build(const grid::Topology& topology, const grid::FaceBoundary& boundary,
               const grid::Field& liquid_distance, const grid::Field& solid_distance,
               const grid::FaceField& mass);

    std::size_t size() const { return place_.size(); }
    std::size_t free_size() const { return free_size_; }
    std::size_t place(std::size_t i) const { return place_[i]; }
    double mass(std::size_t i) const { return mass_[i]; }
    /// Free faces' mass with that of the held ones that follow them: near the diagonal of Pᵀ M P.
    void moved_mass(std::span<double> mass) const;

    /// Sets held faces from free ones, walls moving as they do.
    void hold(std::span<double> velocity) const;
    /// The same for differences of velocities: walls at rest.
    void hold_change(std::span<double> change) const;
    /// Carries what accelerates free faces to held ones; walls do not mirror it.
    void carry(std::span<double> change) const;
    /// Sets faces closed across slip walls from the free ones: what they weigh the wall carries.
    void slide(std::span<double> velocity) const;
    /// Adds what acts on held faces to the free ones.
    void release(std::span<double> force) const;

    /// Values of the faces, from those of all faces and back; others are left alone.
    void gather(std::span<const double> all, std::span<double> values) const;
    void scatter(std::span<const double> values, std::span<double> all) const;
    void gather(const grid::FaceField& all, std::span<double> values) const;
    void scatter(std::span<const double> values, grid::FaceField& all) const;
    /// Sets the flags of the free and of the held faces.
    void flag(std::uint8_t free, std::uint8_t held, grid::FaceFlags& all) const;

 private:
    enum class Kind : std::uint8_t { none, free, first_layer, second_layer, wall, pending };
    struct Held {
        std::uint32_t face = 0;
        std::uint32_t first = 0, count = 0;  // faces it follows, in the chunk's shares
        bool slides = false;                 // along a wall: follows the other components
        double scale = 1;                    // of the shares' weights
        double offset = 0;                   // m/s, of moving walls
    };
    /// A face followed, by weight times scale of its velocity.
    struct Share {
        std::uint32_t face = 0;
        float weight = 0;
    };
    struct Chunk {
        std::vector<Held> held;
        std::vector<Share> share;

        std::span<const Share> shares(const Held& of) const { return {share.data() + of.first, of.count}; }
    };
    /// Held faces that follow only free ones and those of stages before, by chunks of blocks.
    struct Stage {
        std::vector<Chunk> chunks;
        std::size_t used = 0;

        std::span<const Chunk> lists() const { return {chunks.data(), used}; }
    };
    void classify(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                  const grid::Field& liquid_distance, const grid::Field& solid_distance,
                  const grid::FaceField& mass);
    template <class Start>
    void make_stage(const grid::Topology& topology, Kind kind, Stage& stage, Start&& start);
    void follow_layer(const grid::Topology& topology, Kind kind, Stage& stage);
    void follow_wall(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                     const grid::Field& solid_distance, Stage& stage);
    void number(const grid::FaceField& mass);
    bool moves_freely(std::size_t i) const { return kind_[i] != Kind::none && kind_[i] != Kind::wall; }
    static double followed(const Chunk& chunk, const Held& held, std::span<const double> velocity);
    template <class F>
    static void for_shares(const Chunk& chunk, const Held& held, F&& visit);
    template <class F>
    void for_held_backwards(F&& visit) const;
    void follow_along(const grid::Topology& topology, const grid::FaceBoundary& boundary,
                      const grid::Field& solid_distance, std::size_t b, const Vec3i& at, std::size_t axis,
                      Held& held, std::vector<Share>& share) const;
    void hold(std::span<double> velocity, double walls) const;

    std::size_t cells_ = 0;
    // By all faces and, the last, by blocks; only while building.
    grid::AlignedVector<Kind> kind_;
    grid::AlignedVector<std::uint32_t> entry_;
    std::vector<std::uint8_t> has_held_;
    std::size_t free_size_ = 0;
    std::vector<std::uint32_t> place_;
    grid::Field mass_;
    std::array<Stage, 3> stages_;  // two layers, walls
};

}  // namespace rivulet::liquid
