#pragma once

#include <cstdint>
#include <cstring>
#include <span>

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

/// Where four particles of a block sit among the faces around them, with what the sums over faces need: along
/// y and z weights and first moments of the three nodes next to a particle, along x of the four that any
/// particle of its cell may touch, so that particles next to each other read and write the same rows.
struct ShearStencils {
    enum Kind { centre, face };
    struct Side {
        Pack weight[3], moment[3];  // moment = weight * (node - particle) / cell
    };
    Side side[2][2];                       // by kind; y, z
    Pack x_weight[2][4], x_moment[2][4];   // by kind and particle; lanes are nodes
    alignas(16) std::int32_t first[3][4];  // lowest node of each component in a TransferTile

    /// `position` of each particle from the block's corner, in cells.
    void set(const Vec3<Pack>& position) {
        using Ints = std::int32_t __attribute__((vector_size(16)));
        // A particle sorted into this block is inside; a stray one must not reach past a tile.
        const auto inside = [](const Pack& x) {
            return min(max(x, Pack(0.0)), Pack(double(grid::kBlockEdge)));
        };
        const Pack x = inside(position.x), y = inside(position.y), z = inside(position.z);
        const auto whole = [](const Pack& t) { return __builtin_convertvector(t.v, Ints); };
        const Ints cx = whole(x), cy = whole(y), cz = whole(z), fy = whole(y + 0.5), fz = whole(z + 0.5);
        const auto real = [](const Ints& t) { return Pack(__builtin_convertvector(t, Pack::Lanes)); };
        set_side(y - real(cy) - 0.5, side[centre][0]);
        set_side(z - real(cz) - 0.5, side[centre][1]);
        set_side(y - real(fy), side[face][0]);
        set_side(z - real(fz), side[face][1]);
        set_x(x - real(cx));
        using grid::TransferTile;
        const Ints origin = cx + TransferTile::at(-1, -1, -1), slab = cz * TransferTile::kSlab,
                   low = origin + cy * TransferTile::kRow + slab;
        store(low, first[0]);
        store(origin + fy * TransferTile::kRow + slab, first[1]);
        store(low + (fz - cz) * TransferTile::kSlab, first[2]);
    }
    template <int Component>
    const Side& y() const {
        return side[Component == 1 ? face : centre][0];
    }
    template <int Component>
    const Side& z() const {
        return side[Component == 2 ? face : centre][1];
    }
    template <int Component>
    static constexpr Kind x() {
        return Component == 0 ? face : centre;
    }

 private:
    template <class Ints>
    static void store(const Ints& value, std::int32_t* to) {
        std::memcpy(to, &value, sizeof value);
    }
    /// `offset`: particle - nearest node, in cells.
    static void set_side(const Pack& offset, Side& to) {
        const Pack below = Pack(0.5) - offset, above = Pack(0.5) + offset;
        to.weight[0] = Pack(0.5) * below * below;
        to.weight[1] = Pack(0.75) - offset * offset;
        to.weight[2] = Pack(0.5) * above * above;
        to.moment[0] = to.weight[0] * (Pack(-1.0) - offset);
        to.moment[1] = to.weight[1] * -offset;
        to.moment[2] = to.weight[2] * (Pack(1.0) - offset);
    }
    /// `part`: position in the cell along x, in [0, 1]. Weights of nodes -1 to 2 as polynomials of the offset
    /// from the nearest node.
    void set_x(const Pack& part) {
        const Pack arms(-1, 0, 1, 2), flat[2] = {{0.125, 0.75, 0.125, 0}, {0, 0.125, 0.75, 0.125}},
                                      rise[2] = {{-0.5, 0, 0.5, 0}, {0, -0.5, 0, 0.5}},
                                      bend[2] = {{0.5, -1, 0.5, 0}, {0, 0.5, -1, 0.5}};
        for (int lane = 0; lane < Pack::kWidth; ++lane) {
            const double t = part[lane], d = t - 0.5;
            const int upper = d >= 0;
            const auto weights = [&](double offset, int nodes) {
                return multiply_add(offset, multiply_add(offset, bend[nodes], rise[nodes]), flat[nodes]);
            };
            x_weight[centre][lane] = weights(d, 0);
            x_moment[centre][lane] = x_weight[centre][lane] * (arms - d);
            x_weight[face][lane] = weights(t - upper, upper);
            x_moment[face][lane] = x_weight[face][lane] * (arms - t);
        }
    }
};

/// Sums of weight * value * (node - particle) / cell over the faces of one component around four particles,
/// along x, y and z.
template <int Component>
inline Vec3<Pack> first_moment(const FaceTiles& tiles, const ShearStencils& stencils) {
    using grid::TransferTile;
    const auto &sy = stencils.y<Component>(), &sz = stencils.z<Component>();
    constexpr auto kX = ShearStencils::x<Component>();
    grid::Lanes x[4], y[4], z[4];
    for (int p = 0; p < Pack::kWidth; ++p) {
        const double* nodes = tiles.axis[Component].value + stencils.first[Component][p];
        Pack plain = 0, arm_y = 0, arm_z = 0;
        for (int k = 0; k < 3; ++k) {
            Pack row = 0, row_arm = 0;
            for (int j = 0; j < 3; ++j) {
                const Pack v(grid::load_lanes(nodes + TransferTile::kRow * j + TransferTile::kSlab * k));
                row = multiply_add(sy.weight[j][p], v, row);
                row_arm = multiply_add(sy.moment[j][p], v, row_arm);
            }
            plain = multiply_add(sz.weight[k][p], row, plain);
            arm_z = multiply_add(sz.moment[k][p], row, arm_z);
            arm_y = multiply_add(sz.weight[k][p], row_arm, arm_y);
        }
        x[p] = (stencils.x_moment[kX][p] * plain).v;
        y[p] = (stencils.x_weight[kX][p] * arm_y).v;
        z[p] = (stencils.x_weight[kX][p] * arm_z).v;
    }
    return {Pack(grid::lane_sums(x[0], x[1], x[2], x[3])), Pack(grid::lane_sums(y[0], y[1], y[2], y[3])),
            Pack(grid::lane_sums(z[0], z[1], z[2], z[3]))};
}

/// Row a: the first moment of component a; times kAffineScale / cell it is the velocity gradient of MLS-MPM.
inline Mat3<Pack> first_moments(const FaceTiles& tiles, const ShearStencils& stencils) {
    return Mat3<Pack>::from_rows(first_moment<0>(tiles, stencils), first_moment<1>(tiles, stencils),
                                 first_moment<2>(tiles, stencils));
}

/// Adds weight * row · (node - particle) / cell of the first `count` particles to the faces of one component:
/// the transpose of first_moment.
template <int Component>
inline void add_moment(FaceTiles& tiles, const ShearStencils& stencils, int count, const Vec3<Pack>& row) {
    using grid::TransferTile;
    const auto &sy = stencils.y<Component>(), &sz = stencils.z<Component>();
    constexpr auto kX = ShearStencils::x<Component>();
    for (int p = 0; p < count; ++p) {
        double* nodes = tiles.axis[Component].value + stencils.first[Component][p];
        const Pack along_x = Pack(row.x[p]) * stencils.x_moment[kX][p],
                   along_y = Pack(row.y[p]) * stencils.x_weight[kX][p],
                   along_z = Pack(row.z[p]) * stencils.x_weight[kX][p];
        for (int j = 0; j < 3; ++j) {
            const Pack flat = multiply_add(sy.weight[j][p], along_x, Pack(sy.moment[j][p]) * along_y),
                       rise = Pack(sy.weight[j][p]) * along_z;
            for (int k = 0; k < 3; ++k) {
                double* at = nodes + TransferTile::kRow * j + TransferTile::kSlab * k;
                const Pack sum = multiply_add(sz.weight[k][p], flat, Pack(grid::load_lanes(at)));
                grid::store_lanes(at, multiply_add(sz.moment[k][p], rise, sum).v);
            }
        }
    }
}

inline void add_moments(FaceTiles& tiles, const ShearStencils& stencils, int count,
                        const elastic::Sym3<Pack>& s) {
    add_moment<0>(tiles, stencils, count, {s.xx, s.xy, s.xz});
    add_moment<1>(tiles, stencils, count, {s.xy, s.yy, s.yz});
    add_moment<2>(tiles, stencils, count, {s.xz, s.yz, s.zz});
}

}  // namespace rivulet::liquid
