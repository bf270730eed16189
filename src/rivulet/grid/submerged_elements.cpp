#include <rivulet/grid/submerged_elements.h>

#include <algorithm>
#include <cassert>

#include <rivulet/base/parallel.h>
#include <rivulet/grid/stencil.h>

namespace rivulet::grid {

namespace {

/// What one component of the points adds to the faces of a block and around it.
struct ElementTiles {
    TransferTile sum, product;
};

inline void add_row(TransferTile& tile, int row, Lanes value) {
    double* at = tile.value + row;
    store_lanes(at, load_lanes(at) + value);
}

template <int Component>
inline void add_component(ElementTiles& tiles, const ParticleStencil& stencil, double weight, double value) {
    const AxisStencil& sy = stencil.along<Component>(1);
    const AxisStencil& sz = stencil.along<Component>(2);
    const Lanes x_weights = stencil.along<Component>(0).x_weights();
    const int first = stencil.first<Component>();
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j) {
            const Lanes part = x_weights * (sy.weight[j][1] * sz.weight[k][2]);
            const int row = first + TransferTile::kRow * j + TransferTile::kSlab * k;
            add_row(tiles.sum, row, part * weight);
            add_row(tiles.product, row, part * (weight * value));
        }
}

template <int Component>
inline double sample_component(const TransferTile& tile, const ParticleStencil& stencil) {
    const AxisStencil& sy = stencil.along<Component>(1);
    const AxisStencil& sz = stencil.along<Component>(2);
    const double* nodes = tile.value + stencil.first<Component>();
    Lanes sum{};
    for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j)
            sum += (sy.weight[j][1] * sz.weight[k][2]) *
                   load_lanes(nodes + TransferTile::kRow * j + TransferTile::kSlab * k);
    sum *= stencil.along<Component>(0).x_weights();
    return (sum[0] + sum[1]) + sum[2];
}

inline Vec3d sample(const TransferTile (&tile)[3], const ParticleStencil& stencil) {
    return {sample_component<0>(tile[0], stencil), sample_component<1>(tile[1], stencil),
            sample_component<2>(tile[2], stencil)};
}

/// body(element, stencil) for the wet elements of block b.
template <class F>
inline void for_elements(const Topology& topology, const ParticleOrder& order,
                         const SubmergedElements& elements, std::size_t b, F&& body) {
    const Vec3d corner = to_double(topology.corner[b]);
    const double inverse = 1 / topology.cell;
    for (std::size_t i = order.block_begin(b); i < order.block_end(b); ++i) {
        const std::size_t e = order.source[i];
        body(e, ParticleStencil(topology.wrapped(elements.position[e]), corner, inverse));
    }
}

/// sum += weight(e) and product += weight(e) × value(e), by component, over the points of block b.
template <class Weight, class Value>
void add_block(const Topology& topology, const ParticleOrder& order, const SubmergedElements& elements,
               std::size_t b, Weight&& weight, Value&& value, FaceField& sum, FaceField& product) {
    if (order.block_begin(b) == order.block_end(b)) return;
    ElementTiles tiles[3];
    for (ElementTiles& t : tiles) t.sum.clear(), t.product.clear();
    for_elements(topology, order, elements, b, [&](std::size_t e, const ParticleStencil& stencil) {
        const Vec3d w = weight(e), u = value(e);
        add_component<0>(tiles[0], stencil, w.x, u.x);
        add_component<1>(tiles[1], stencil, w.y, u.y);
        add_component<2>(tiles[2], stencil, w.z, u.z);
    });
    for (std::size_t a = 0; a < 3; ++a) {
        tiles[a].sum.add_to(topology, sum[a].data(), b);
        tiles[a].product.add_to(topology, product[a].data(), b);
    }
}

template <class Weight, class Value>
void add_all(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
             Weight&& weight, Value&& value, FaceField& sum, FaceField& product) {
    const std::size_t faces = wet.count() > 0 ? topology.cells() : 0;
    fill(sum, faces, 0.0);
    fill(product, faces, 0.0);
    if (faces == 0) return;
    for_coloured_blocks(topology, [&](std::size_t b) {
        add_block(topology, wet.order(), elements, b, weight, value, sum, product);
    });
}

/// Impulse over share at the faces around a block; 0 where there is no share.
void gather_ratio(const Topology& topology, const Field& impulse, const Field& share, std::size_t b,
                  TransferTile& ratio) {
    TransferTile shares;
    ratio.gather(topology, impulse.data(), b);
    shares.gather(topology, share.data(), b);
    for (int i = 0; i < TransferTile::kSize; ++i)
        ratio.value[i] = shares.value[i] > 0 ? ratio.value[i] / shares.value[i] : 0;
}

void clear(std::span<Vec3d> values) {
    parallel_chunks(values.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::fill(values.begin() + std::ptrdiff_t(begin), values.begin() + std::ptrdiff_t(end), Vec3d{});
    });
}

}  // namespace

void SubmergedElements::resize(std::size_t n) {
    position.resize(n);
    velocity.resize(n);
    axis.resize(n);
    volume.resize(n);
    radius.resize(n);
    drag.resize(n);
    owner.resize(n);
}

void WetElements::sort(const Topology& topology, const SubmergedElements& elements) {
    sorter_.sort_inside(topology, elements.position, order_);
    wet_.assign(elements.size(), 0);
    parallel_chunks(count(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) wet_[order_.source[i]] = 1;
    });
}

void rasterise_volume(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                      SubmergedFields& fields) {
    rasterise_products(topology, wet, elements, elements.volume, elements.velocity, fields.volume,
                       fields.flux);
}

void rasterise_drag(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                    SubmergedFields& fields) {
    add_all(
        topology, wet, elements, [&](std::size_t e) { return elements.drag[e].diagonal(elements.axis[e]); },
        [&](std::size_t e) { return elements.velocity[e]; }, fields.drag, fields.pull);
}

void rasterise_products(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                        std::span<const double> weight, std::span<const Vec3d> value, FaceField& sum,
                        FaceField& product) {
    add_all(
        topology, wet, elements,
        [&](std::size_t e) {
            return Vec3d{weight[e], weight[e], weight[e]};
        },
        [&](std::size_t e) { return value[e]; }, sum, product);
}

void rasterise(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
               SubmergedFields& fields) {
    rasterise_volume(topology, wet, elements, fields);
    rasterise_drag(topology, wet, elements, fields);
}

void sample_at_elements(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                        const FaceField& faces, std::span<Vec3d> sampled) {
    assert(sampled.size() == elements.size());
    clear(sampled);
    if (wet.count() == 0) return;
    const ParticleOrder& order = wet.order();
    for_blocks(topology, [&](std::size_t b) {
        if (order.block_begin(b) == order.block_end(b)) return;
        TransferTile tile[3];
        for (std::size_t a = 0; a < 3; ++a) tile[a].gather(topology, faces[a].data(), b);
        for_elements(topology, order, elements, b, [&](std::size_t e, const ParticleStencil& stencil) {
            sampled[e] = sample(tile, stencil);
        });
    });
}

void hand_to_elements(const Topology& topology, const WetElements& wet, const SubmergedElements& elements,
                      const SubmergedFields& fields, Share share, const FaceField& impulse,
                      std::span<Vec3d> element_impulse) {
    assert(element_impulse.size() == elements.size());
    clear(element_impulse);
    if (wet.count() == 0) return;
    const ParticleOrder& order = wet.order();
    const FaceField& shares = share == Share::volume ? fields.volume : fields.drag;
    for_blocks(topology, [&](std::size_t b) {
        if (order.block_begin(b) == order.block_end(b)) return;
        TransferTile ratio[3];
        for (std::size_t a = 0; a < 3; ++a) gather_ratio(topology, impulse[a], shares[a], b, ratio[a]);
        for_elements(topology, order, elements, b, [&](std::size_t e, const ParticleStencil& stencil) {
            const Vec3d own = share == Share::volume ? Vec3d{1, 1, 1} * elements.volume[e]
                                                     : elements.drag[e].diagonal(elements.axis[e]);
            const Vec3d per_share = sample(ratio, stencil);
            element_impulse[e] = {own.x * per_share.x, own.y * per_share.y, own.z * per_share.z};
        });
    });
}

}  // namespace rivulet::grid
