#include <rivulet/liquid/viscous_multigrid.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {
namespace {

/// Viscous part of a row over its mass from which multigrid is needed. Below, the spectrum of D⁻¹A lies
/// between 1/2 and 3/2.
constexpr double kThick = 1;

}  // namespace

void ViscousMultigrid::lay_out(const grid::Topology& topology, const ViscousOperator& viscous,
                               const ViscousRows& rows) {
    constexpr std::int32_t kWanted = -2;
    blocks_.clear();
    number_.assign(topology.size(), -1);
    layout_.resize(0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t axis = rows.places()[i] / topology.cells(), e = rows.places()[i] % topology.cells();
        if (rows.diagonal(i) >= (1 + kThick) * viscous.mass(axis, e))
            number_[e / grid::kBlockCells] = kWanted;
    }
    for (const std::size_t block : viscous.unknown_blocks()) {
        if (number_[block] != kWanted) continue;
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

void ViscousMultigrid::build(const grid::Topology& topology, const ViscousOperator& viscous,
                             const ViscousRows& rows) {
    lay_out(topology, viscous, rows);
    rows_ = &rows;
    const std::size_t n = blocks_.size() * grid::kBlockCells;
    matrix_.resize(n, true);
    z_.resize(n);
    for (std::size_t axis = 0; axis <= 3; ++axis) first_[axis] = rows.first(axis);
    cell_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t e = rows.places()[i] % topology.cells();
        const std::int32_t b = number_[e / grid::kBlockCells];
        cell_[i] = b < 0 ? kNoCell : std::size_t(b) * grid::kBlockCells + e % grid::kBlockCells;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        linear::for_each_block(layout_, [&](std::size_t b) {
            const std::size_t to = b * grid::kBlockCells;
            viscous.component_rows(axis, blocks_[b], matrix_.coupling[0].data() + to,
                                   matrix_.coupling[1].data() + to, matrix_.coupling[2].data() + to,
                                   matrix_.surface.data() + to, matrix_.storage.data() + to);
        });
        cycle_[axis].build(layout_, matrix_);
    }
}

void ViscousMultigrid::apply(std::span<const double> r, std::span<double> z) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t first = first_[axis], count = first_[axis + 1] - first;
        const auto for_unknowns = [&](auto&& body) {
            parallel_chunks(count, 8192, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t i = first + begin; i < first + end; ++i) body(i);
            });
        };
        // NOTE: each component has its own unknown places; those of the one before must not stay.
        r_.assign(z_.size(), 0.0);
        for_unknowns([&](std::size_t i) {
            if (cell_[i] != kNoCell) r_[cell_[i]] = r[i];
        });
        cycle_[axis].apply(r_, z_);
        for_unknowns(
            [&](std::size_t i) { z[i] = cell_[i] != kNoCell ? z_[cell_[i]] : r[i] / rows_->diagonal(i); });
    }
}

}  // namespace rivulet::liquid
