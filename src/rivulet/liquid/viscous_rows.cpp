#include <rivulet/liquid/viscous_rows.h>

#include <rivulet/base/parallel.h>

namespace rivulet::liquid {
namespace {

constexpr std::size_t kCells = grid::kBlockCells, kGrain = 2048;

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
    start_.resize(n + 1);
    diagonal_.resize(n);
    const auto row = [&](std::size_t i) { return viscous.row(place_[i] / cells, place_[i] % cells); };
    for_rows(n, [&](std::size_t i) { start_[i + 1] = row(i).count; });
    start_[0] = 0;
    for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
    column_.resize(start_[n]);
    value_.resize(start_[n]);
    for_rows(n, [&](std::size_t i) {
        const ViscousOperator::Row r = row(i);
        diagonal_[i] = r.diagonal;
        for (std::size_t k = 0; k < r.count; ++k) {
            column_[start_[i] + k] = unknown_[r.place[k]];
            value_[start_[i] + k] = r.value[k];
        }
    });
}

void ViscousRows::apply(std::span<const double> x, std::span<double> out) const {
    for_rows(size(), [&](std::size_t i) {
        double sum = diagonal_[i] * x[i];
        for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) sum += value_[k] * x[std::size_t(column_[k])];
        out[i] = sum;
    });
}

void ViscousRows::precondition(std::span<const double> r, std::span<double> z) const {
    for_rows(size(), [&](std::size_t i) { z[i] = r[i] / diagonal_[i]; });
}

}  // namespace rivulet::liquid
