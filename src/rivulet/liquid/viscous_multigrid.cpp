#include <rivulet/liquid/viscous_multigrid.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {

void ViscousMultigrid::lay_out(const grid::Topology& topology, const ViscousOperator& viscous) {
    blocks_.clear();
    number_.assign(topology.size(), -1);
    layout_.resize(0);
    for (const std::size_t block : viscous.active_blocks()) {
        number_[block] = std::int32_t(blocks_.size());
        blocks_.push_back(block);
        const Vec3i& c = topology.corner[block];
        layout_.position.push_back({c.x / kEdge, c.y / kEdge, c.z / kEdge});
    }
    layout_.neighbour.resize(blocks_.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (std::size_t face = 0; face < 6; ++face) {
            const int d = face % 2 ? 1 : -1;
            const std::int32_t other = topology.neighbour[blocks_[b]][std::size_t(
                grid::neighbour_slot(face / 2 == 0 ? d : 0, face / 2 == 1 ? d : 0, face / 2 == 2 ? d : 0))];
            layout_.neighbour[b][face] = other < 0 ? -1 : number_[std::size_t(other)];
        }
}

void ViscousMultigrid::build(const grid::Topology& topology, const ViscousOperator& viscous) {
    cells_ = topology.cells();
    lay_out(topology, viscous);
    const std::size_t n = blocks_.size() * grid::kBlockCells;
    matrix_.resize(n);
    r_.resize(n);
    z_.resize(n);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        linear::for_each_block(layout_, [&](std::size_t b) {
            const std::size_t to = b * grid::kBlockCells;
            viscous.component_rows(axis, blocks_[b], matrix_.coupling[0].data() + to,
                                   matrix_.coupling[1].data() + to, matrix_.coupling[2].data() + to,
                                   matrix_.surplus.data() + to);
        });
        cycle_[axis].build(layout_, matrix_);
    }
}

void ViscousMultigrid::apply(std::span<const double> r, std::span<double> z) {
    parallel_chunks(z.size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::fill(z.begin() + std::ptrdiff_t(begin), z.begin() + std::ptrdiff_t(end), 0.0);
    });
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto face = [&](std::size_t b) { return axis * cells_ + blocks_[b] * grid::kBlockCells; };
        linear::for_each_block(layout_, [&](std::size_t b) {
            std::copy_n(r.data() + face(b), grid::kBlockCells, r_.data() + b * grid::kBlockCells);
        });
        cycle_[axis].apply(r_, z_);
        linear::for_each_block(layout_, [&](std::size_t b) {
            std::copy_n(z_.data() + b * grid::kBlockCells, grid::kBlockCells, z.data() + face(b));
        });
    }
}

}  // namespace rivulet::liquid
