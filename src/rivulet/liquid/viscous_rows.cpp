#include <rivulet/liquid/viscous_rows.h>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {
namespace {

constexpr std::size_t kCells = grid::kBlockCells, kGrain = 2048, kMost = ViscousOperator::Row::kMost;

template <class F>
void for_rows(std::size_t n, F&& body) {
    parallel_chunks(n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) body(i);
    });
}

}  // namespace

void ViscousRows::build(const ViscousOperator& viscous) {
    const std::size_t cells = viscous.size() / 3;
    unknown_.assign(viscous.size(), -1);
    place_.clear();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        first_[axis] = place_.size();
        for (const std::size_t block : viscous.unknown_blocks())
            for (std::size_t e = block * kCells; e < (block + 1) * kCells; ++e)
                if (viscous.face(axis, e) == ViscousOperator::unknown) {
                    unknown_[axis * cells + e] = std::int32_t(place_.size());
                    place_.push_back(axis * cells + e);
                }
    }
    first_[3] = place_.size();

    const std::size_t n = place_.size();
    count_.resize(n);
    diagonal_.resize(n);
    column_.resize(n * kMost);
    value_.resize(n * kMost);
    parallel_chunks(n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        std::size_t block = place_[begin] % cells / kCells;
        CellNeighbours near(viscous.topology(), block);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t axis = place_[i] / cells, e = place_[i] % cells;
            if (e / kCells != block) near = CellNeighbours(viscous.topology(), block = e / kCells);
            const ViscousOperator::Row r = viscous.row(near, axis, e);
            diagonal_[i] = r.diagonal;
            count_[i] = std::uint8_t(r.count);
            for (std::size_t k = 0; k < r.count; ++k) {
                column_[i * kMost + k] = unknown_[r.place[k]];
                value_[i * kMost + k] = r.value[k];
            }
        }
    });
}

void ViscousRows::apply(std::span<const double> x, std::span<double> out) const {
    for_rows(size(), [&](std::size_t i) {
        double sum = diagonal_[i] * x[i];
        for (std::size_t k = i * kMost; k < i * kMost + count_[i]; ++k)
            sum += value_[k] * x[std::size_t(column_[k])];
        out[i] = sum;
    });
}

void ViscousRows::precondition(std::span<const double> r, std::span<double> z) const {
    for_rows(size(), [&](std::size_t i) { z[i] = r[i] / diagonal_[i]; });
}

}  // namespace rivulet::liquid
