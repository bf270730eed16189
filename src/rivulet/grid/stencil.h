#pragma once

#include <cstring>

#include <rivulet/base/pack.h>
#include <rivulet/grid/tile.h>

namespace rivulet::grid {

/// Nodes -1 .. kBlockEdge+1: all that the particles of a block touch, on centres or faces; rows of 4 lanes
/// starting anywhere stay inside a row.
using TransferTile = Tile<1, 2, kBlockEdge + 4>;

using Lanes = Pack::Lanes;

/// Lanes anywhere in memory.
using LooseLanes = double __attribute__((vector_size(32), aligned(8), may_alias));

inline Lanes load_lanes(const double* p) {
    return *reinterpret_cast<const LooseLanes*>(p);
}
inline void store_lanes(double* p, Lanes v) {
    *reinterpret_cast<LooseLanes*>(p) = v;
}
inline Lanes all_lanes(double s) {
    return Lanes{s, s, s, s};
}

/// Sums of the lanes of four vectors, as the lanes of one.
inline Lanes lane_sums(Lanes a, Lanes b, Lanes c, Lanes d) {
    const Lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Lanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// Where a particle of a block sits among the centres or the faces along each axis: lanes are axes.
struct AxisStencil {
    alignas(32) double offset[4];     // particle - nearest node, in cells, [-1/2, 1/2]
    alignas(32) double weight[3][4];  // quadratic B-spline at the nodes -1, 0, 1
    alignas(16) int node[4];          // nearest node

    /// `local`: position from the block's corner, in cells, not negative. `half`: 0.5 for faces, 0 for
    /// centres.
    void set(Lanes local, double half) {
        using Ints = int __attribute__((vector_size(16)));
        const Ints nearest = __builtin_convertvector(local + half, Ints);
        const Lanes d = local - __builtin_convertvector(nearest, Lanes) + (half - 0.5);
        const Lanes below = 0.5 - d, above = 0.5 + d;
        store_lanes(offset, d);
        store_lanes(weight[0], 0.5 * below * below);
        store_lanes(weight[1], 0.75 - d * d);
        store_lanes(weight[2], 0.5 * above * above);
        std::memcpy(node, &nearest, sizeof node);
    }
    Lanes x_weights() const { return Lanes{weight[0][0], weight[1][0], weight[2][0], 0}; }
    Lanes x_slopes() const { return Lanes{offset[0] - 0.5, -2 * offset[0], offset[0] + 0.5, 0}; }
    /// Node - particle along x, in cells.
    Lanes x_arms() const { return Lanes{-1, 0, 1, 2} - offset[0]; }
    double arm(int axis, int i) const { return (i - 1) - offset[axis]; }
    double slope(int axis, int i) const {
        const double d = offset[axis];
        return i == 0 ? d - 0.5 : i == 1 ? -2 * d : d + 0.5;
    }
};

/// Both stencils of one particle. Component a of the velocity uses faces along a, centres across.
struct ParticleStencil {
    AxisStencil centre, face;

    ParticleStencil(const Vec3d& position, const Vec3d& corner, double inverse_cell) {
        const Lanes p{position.x, position.y, position.z, 0}, c{corner.x, corner.y, corner.z, 0};
        Lanes local = p * inverse_cell - c;
        // A particle sorted into this block is inside [0, kBlockEdge]; a stray one must not reach past a
        // tile.
        local = local > 0 ? local : Lanes{};
        local = local < double(kBlockEdge) ? local : all_lanes(kBlockEdge);
        centre.set(local, 0);
        face.set(local, 0.5);
    }
    template <int Component>
    const AxisStencil& along(int axis) const {
        return axis == Component ? face : centre;
    }
    /// Entry of the lowest node of component `Component` (3: cell centres) in a TransferTile.
    template <int Component>
    int first() const {
        return TransferTile::at(along<Component>(0).node[0] - 1, along<Component>(1).node[1] - 1,
                                along<Component>(2).node[2] - 1);
    }
};

}  // namespace rivulet::grid
