#pragma once

#include <span>
#include <utility>

#include <rivulet/base/quads.h>
#include <rivulet/grid/tile.h>
#include <rivulet/liquid/elastic_strain.h>

namespace rivulet::liquid {

/// Face values of one block's surroundings, one tile per velocity component: nodes -1 to kBlockEdge + 1, all
/// that its particles touch.
template <class Real>
struct FaceTiles {
    using Tile = grid::Tile<1, 2, grid::kBlockEdge + 3, Real>;
    Tile axis[3];

    void clear() {
        for (auto& t : axis) t.clear();
    }
    /// `faces` holds the components one after the other, `cells` entries each. Values are taken relative to
    /// those at the lower faces of `cell` of the block: only differences count, and they keep their digits.
    void gather(const grid::Topology& topology, std::span<const double> faces, std::size_t b, int cell,
                const grid::TileReach& reach) {
        for (std::size_t a = 0; a < 3; ++a) {
            const double* field = faces.data() + a * topology.cells();
            axis[a].gather_relative(topology, field, b, field[b * grid::kBlockCells + std::size_t(cell)],
                                    reach);
        }
    }
    void add_to(const grid::Topology& topology, std::span<double> faces, std::size_t b,
                const grid::TileReach& reach) const {
        for (std::size_t a = 0; a < 3; ++a)
            axis[a].add_to(topology, faces.data() + a * topology.cells(), b, reach);
    }
};

/// Nodes along an axis that particles of one cell touch: -1 to 2 of the faces across it, -1 to 1 of the
/// centres along it. Along x always four, lanes of a group.
template <int Component, int Axis>
inline constexpr int kShearNodes = Axis == 0 || Component == Axis ? 4 : 3;

/// Where particles of one cell, one per group of lanes, sit among the faces around them: weights of the
/// quadratic B-spline. Numbers by side are alike in all lanes of a group.
template <class P>
struct ShearStencil {
    enum Kind { centre, face };
    P x_weight[2], x_arm[2];  // by kind; lanes are nodes; arm: node - particle, in cells
    P weight[2][2][4];        // by kind, axis (y, z) and node
    P offset[2][2];           // by kind and axis: particle - node 0, in cells

    /// `place`: x, y, z of each particle in its cell, in [0, 1], lanes of its group.
    void set(const P& place) {
        set_x(spread_lane<0>(place));
        set_side(spread_lane<1>(place), 0);
        set_side(spread_lane<2>(place), 1);
    }
    template <int Component>
    static constexpr Kind x() {
        return Component == 0 ? face : centre;
    }

 private:
    /// Weights of nodes -1 to 2 as polynomials of the offset from the nearest node.
    void set_x(const P& t) {
        using Real = typename P::Real;
        const auto by_node = [](Real a, Real b, Real c, Real d)
                                 [[gnu::always_inline]] { return repeat_quad<P>(a, b, c, d); };
        const P nodes = by_node(-1, 0, 1, 2), from_centre = t - P(0.5), from_next = t - P(1.0);
        const auto low = [&](const P& d) {
            const P rise = multiply_add(d, by_node(0.5, -1, 0.5, 0), by_node(-0.5, 0, 0.5, 0));
            return multiply_add(d, rise, by_node(0.125, 0.75, 0.125, 0));
        };
        const auto high = [&](const P& d) {
            const P rise = multiply_add(d, by_node(0, 0.5, -1, 0.5), by_node(0, -0.5, 0, 0.5));
            return multiply_add(d, rise, by_node(0, 0.125, 0.75, 0.125));
        };
        x_weight[centre] = low(from_centre);
        x_weight[face] = select(t >= P(0.5), high(from_next), low(t));
        x_arm[centre] = nodes - from_centre;
        x_arm[face] = nodes - t;
    }
    [[gnu::always_inline]] void set_side(const P& t, int axis) {
        const P half = 0.5, zero = 0;
        const auto set_three = [&](const P& from, P* w) {  // from: particle - middle node
            const P below = half - from, above = half + from;
            w[0] = half * below * below;
            w[1] = P(0.75) - from * from;
            w[2] = half * above * above;
        };
        offset[centre][axis] = t - half;
        offset[face][axis] = t;
        set_three(t - half, weight[centre][axis]);
        const auto upper = t >= half;
        P three[3];
        set_three(select(upper, t - P(1.0), t), three);
        P* w = weight[face][axis];
        w[0] = select(upper, zero, three[0]);
        w[1] = select(upper, three[0], three[1]);
        w[2] = select(upper, three[1], three[2]);
        w[3] = select(upper, three[2], zero);
    }
};

/// visit<0>(), ... visit<Count - 1>(), written out.
template <int Count, class F>
[[gnu::always_inline]] inline void for_constants(F&& visit) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (visit.template operator()<I>(), ...);
    }
    (std::make_integer_sequence<int, Count>{});
}

/// a times Factor, plus b.
template <int Factor, class P>
[[gnu::always_inline]] inline P add_times(const P& a, const P& b) {
    if constexpr (Factor == 0) return b;
    if constexpr (Factor == 1) return b + a;
    if constexpr (Factor == -1) return b - a;
    return multiply_add(P(Factor), a, b);
}

template <class P, int Component, int Axis>
struct ShearSide {
    static constexpr auto kKind = Component == Axis ? ShearStencil<P>::face : ShearStencil<P>::centre;
    static constexpr int kNodes = kShearNodes<Component, Axis>;
    const P* weight;
    const P& offset;

    explicit ShearSide(const ShearStencil<P>& s)
        : weight(s.weight[kKind][Axis - 1]), offset(s.offset[kKind][Axis - 1]) {}

    /// Sums of weight * value(node), and of that times the node's number.
    template <class F>
    [[gnu::always_inline]] void add_up(F&& value, P& plain, P& numbered) const {
        const P low = weight[0] * value(0), v2 = value(2);
        plain = multiply_add(weight[2], v2, multiply_add(weight[1], value(1), low));
        numbered = multiply_add(weight[2], v2, -low);
        if constexpr (kNodes == 4) {
            const P high = weight[3] * value(3);
            plain = plain + high;
            numbered = add_times<2>(high, numbered);
        }
    }
};

/// weight * value * (node - particle) / cell of the faces of one component around particles of one cell,
/// along x, y and z; yet to be summed over the lanes of a group. `first`: lowest node of the cell in a tile.
template <int Component, class P>
[[gnu::always_inline]] inline void add_up_moment(const FaceTiles<typename P::Real>& tiles, int first,
                                                 const ShearStencil<P>& s, typename P::Lanes& x,
                                                 typename P::Lanes& y, typename P::Lanes& z) {
    using Tile = typename FaceTiles<typename P::Real>::Tile;
    const ShearSide<P, Component, 1> along_y(s);
    const ShearSide<P, Component, 2> along_z(s);
    constexpr auto kX = ShearStencil<P>::template x<Component>();
    const auto* nodes = tiles.axis[Component].value + first;
    P row[4], numbered[4];
    for (int k = 0; k < kShearNodes<Component, 2>; ++k)
        along_y.add_up([&](int j) { return repeat_quad<P>(nodes + Tile::kRow * j + Tile::kSlab * k); },
                       row[k], numbered[k]);
    P plain, by_y, by_z, unused;
    along_z.add_up([&](int k) { return row[k]; }, plain, by_z);
    along_z.add_up([&](int k) { return numbered[k]; }, by_y, unused);
    x = (s.x_weight[kX] * s.x_arm[kX] * plain).v;
    y = (s.x_weight[kX] * (by_y - along_y.offset * plain)).v;
    z = (s.x_weight[kX] * (by_z - along_z.offset * plain)).v;
}

/// What the particles of one cell add to the faces around them, before it goes to the tiles.
template <class P>
struct CellSums {
    P component[3][12];  // by node along z and y; lanes are nodes along x

    void clear() {
        for (auto& c : component)
            for (P& row : c) row = 0;
    }
    /// weight * row · (node - particle) / cell of the particles of stencils [begin, end): the transpose of
    /// add_up_moment. Lane i of each group of `row` belongs to stencil i.
    template <int Component>
    void add(const ShearStencil<P>* stencils, int begin, int end, const Vec3<P>& row) {
        constexpr auto kX = ShearStencil<P>::template x<Component>();
        constexpr int kY = kShearNodes<Component, 1>, kZ = kShearNodes<Component, 2>;
        typename P::Lanes sum[kY * kZ];  // which stay in registers
        for_constants<kY * kZ>([&]<int I>() { sum[I] = component[Component][I].v; });
        for (int n = begin; n < end; ++n) {
            const ShearStencil<P>& s = stencils[n];
            const ShearSide<P, Component, 1> along_y(s);
            const ShearSide<P, Component, 2> along_z(s);
            const P w = s.x_weight[kX], by_y = w * spread_lane(row.y, n), by_z = w * spread_lane(row.z, n);
            const P middle = w * s.x_arm[kX] * spread_lane(row.x, n) -
                             multiply_add(along_y.offset, by_y, along_z.offset * by_z);
            for_constants<kY>([&]<int J>() {
                const P flat = along_y.weight[J] * add_times<J - 1>(by_y, middle),
                        rise = along_y.weight[J] * by_z;
                for_constants<kZ>([&]<int K>() {
                    constexpr int kAt = kY * K + J;
                    const P value = add_times<K - 1>(rise, flat);
                    sum[kAt] = multiply_add(along_z.weight[K], value, P(sum[kAt])).v;
                });
            });
        }
        for_constants<kY * kZ>([&]<int I>() { component[Component][I] = P(sum[I]); });
    }
    void add_to(FaceTiles<typename P::Real>& tiles, int first) const {
        add_component<0>(tiles, first);
        add_component<1>(tiles, first);
        add_component<2>(tiles, first);
    }

 private:
    template <int Component>
    void add_component(FaceTiles<typename P::Real>& tiles, int first) const {
        using Tile = typename FaceTiles<typename P::Real>::Tile;
        constexpr int kRows = kShearNodes<Component, 1>;
        auto* nodes = tiles.axis[Component].value + first;
        for (int k = 0; k < kShearNodes<Component, 2>; ++k)
            for (int j = 0; j < kRows; ++j)
                add_quads(component[Component][kRows * k + j], nodes + Tile::kRow * j + Tile::kSlab * k);
    }
};

}  // namespace rivulet::liquid
