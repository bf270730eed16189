#pragma once

#include <rivulet/grid/stencil.h>
#include <rivulet/liquid/elastic_strain.h>

namespace rivulet::liquid {

/// Face values of one block's surroundings, one tile per velocity component.
struct FaceTiles {
    grid::TransferTile axis[3];

    void clear() {
        for (auto& t : axis) t.clear();
    }
    /// `faces` holds the components one after the other, `cells` entries each.
    void gather(const grid::Topology& topology, std::span<const double> faces, std::size_t b) {
        for (std::size_t a = 0; a < 3; ++a) axis[a].gather(topology, faces.data() + a * topology.cells(), b);
    }
    void add_to(const grid::Topology& topology, std::span<double> faces, std::size_t b) const {
        for (std::size_t a = 0; a < 3; ++a) axis[a].add_to(topology, faces.data() + a * topology.cells(), b);
    }
};

/// Sum of weight * value * (node - particle) / cell over the faces of one component around a particle.
template <int Component>
inline Vec3d first_moment(const FaceTiles& tiles, const grid::ParticleStencil& stencil) {
    using grid::Lanes, grid::TransferTile;
    const grid::AxisStencil &sx = stencil.along<Component>(0), &sy = stencil.along<Component>(1),
                            &sz = stencil.along<Component>(2);
    const double* nodes = tiles.axis[Component].value + stencil.first<Component>();
    Lanes plain{}, arm_y{}, arm_z{};
    for (int k = 0; k < 3; ++k) {
        Lanes row{}, row_arm{};
        for (int j = 0; j < 3; ++j) {
            const Lanes v = grid::load_lanes(nodes + TransferTile::kRow * j + TransferTile::kSlab * k);
            const Lanes weighted = sy.weight[j][1] * v;
            row += weighted;
            row_arm += sy.arm(1, j) * weighted;
        }
        const double w = sz.weight[k][2];
        plain += w * row;
        arm_z += (w * sz.arm(2, k)) * row;
        arm_y += w * row_arm;
    }
    const Lanes w = sx.x_weights();
    const Lanes x = w * plain * sx.x_arms(), y = w * arm_y, z = w * arm_z;  // the fourth lane is 0
    return {x[0] + x[1] + x[2], y[0] + y[1] + y[2], z[0] + z[1] + z[2]};
}

/// Row a: the first moment of component a; times kAffineScale / cell it is the velocity gradient of MLS-MPM.
inline Mat3d first_moments(const FaceTiles& tiles, const grid::ParticleStencil& stencil) {
    return Mat3d::from_rows(first_moment<0>(tiles, stencil), first_moment<1>(tiles, stencil),
                            first_moment<2>(tiles, stencil));
}

/// Adds weight * row · (node - particle) / cell to the faces of one component: the transpose of first_moment.
template <int Component>
inline void add_moment(FaceTiles& tiles, const grid::ParticleStencil& stencil, const Vec3d& row) {
    using grid::Lanes, grid::TransferTile;
    const grid::AxisStencil &sx = stencil.along<Component>(0), &sy = stencil.along<Component>(1),
                            &sz = stencil.along<Component>(2);
    double* nodes = tiles.axis[Component].value + stencil.first<Component>();
    const Lanes w = sx.x_weights(), along_x = w * (row.x * sx.x_arms());
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j) {
            const double across = sy.weight[j][1] * sz.weight[k][2];
            const double rise = row.y * sy.arm(1, j) + row.z * sz.arm(2, k);
            double* at = nodes + TransferTile::kRow * j + TransferTile::kSlab * k;
            grid::store_lanes(at, grid::load_lanes(at) + across * along_x + (across * rise) * w);
        }
}

inline void add_moments(FaceTiles& tiles, const grid::ParticleStencil& stencil, const Strain& s) {
    add_moment<0>(tiles, stencil, {s.xx, s.xy, s.xz});
    add_moment<1>(tiles, stencil, {s.xy, s.yy, s.yz});
    add_moment<2>(tiles, stencil, {s.xz, s.yz, s.zz});
}

}  // namespace rivulet::liquid
