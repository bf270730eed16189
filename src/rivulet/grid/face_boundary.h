#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/grid/field.h>

namespace rivulet::grid {

enum class WallKind : std::uint8_t { slip, no_slip, friction };

/// How liquid and one solid meet.
struct WallRule {
    WallKind kind = WallKind::slip;
    double friction = 0;   // Coulomb coefficient, kind friction
    bool separate = true;  // liquid may leave the wall
    double adhesion = 0;   // Pa, pressure that holds liquid on the wall
};

/// What solids do to the faces of the grid. Filled from solids, read by pressure, viscosity, extrapolation.
/// Entries as in any face field: lower faces of the cells of each block.
struct FaceBoundary {
    static constexpr std::uint8_t kNoWall = 255;

    FaceField open;  // area fraction open to liquid, 0 solid .. 1 free
    /// m/s along +axis, of the solid nearest to the face; 0 far from solids. Empty when no solid moves.
    FaceField solid_velocity;
    std::array<AlignedVector<std::uint8_t>, 3> wall;  // index into rules, kNoWall far from solids
    std::vector<WallRule> rules;

    std::size_t size() const { return open[0].size(); }

    double solid_speed(std::size_t axis, std::size_t face) const {
        return solid_velocity[axis].empty() ? 0.0 : solid_velocity[axis][face];
    }

    /// No solids: every face open. `moving`: solids may be given a velocity.
    void clear(std::size_t cells, bool moving = true) {
        fill(open, cells, 1.0);
        fill(solid_velocity, moving ? cells : 0, 0.0);
        for (auto& w : wall) fill(w, cells, kNoWall);
        rules.clear();
    }
};

}  // namespace rivulet::grid
