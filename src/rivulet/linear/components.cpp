#include <rivulet/linear/components.h>

#include <array>
#include <cassert>

namespace rivulet::linear {

/// Flood fill inside one block; labels count up in the order of their lowest cell.
template <int Edge>
void Components<Edge>::label_block(const BlockOperator<double>& a, std::size_t b) {
    constexpr std::size_t cells = kBlockCells<Edge>, stride[3] = {1, Edge, Edge * Edge};
    const std::size_t base = b * cells;
    std::uint16_t* label = label_.data() + base;
    bool whole = true;
    for (std::size_t i = 0; i < cells; ++i) whole = whole && a.diagonal[base + i] > 0;
    for (std::size_t axis = 0; axis < 3 && whole; ++axis)
        for (std::size_t i = 0; i < cells; ++i)
            whole = whole && ((i / stride[axis]) % Edge == 0 || a.coupling[axis][base + i] > 0);
    if (whole) {
        for (std::size_t i = 0; i < cells; ++i) label[i] = 0;
        first_[b + 1] = 1;
        return;
    }
    for (std::size_t i = 0; i < cells; ++i) label[i] = kNone;
    std::uint16_t next = 0;
    std::array<std::uint16_t, cells> stack;
    for (std::size_t seed = 0; seed < cells; ++seed) {
        if (label[seed] != kNone || !(a.diagonal[base + seed] > 0)) continue;
        std::size_t depth = 0;
        stack[depth++] = std::uint16_t(seed);
        label[seed] = next;
        while (depth > 0) {
            const std::size_t c = stack[--depth];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::size_t at = (c / stride[axis]) % Edge;
                const auto visit = [&](std::size_t other) {
                    if (label[other] != kNone) return;
                    label[other] = next;
                    stack[depth++] = std::uint16_t(other);
                };
                if (at > 0 && a.coupling[axis][base + c] > 0) visit(c - stride[axis]);
                if (at + 1 < Edge && a.coupling[axis][base + c + stride[axis]] > 0) visit(c + stride[axis]);
            }
        }
        ++next;
    }
    first_[b + 1] = next;
}

template <int Edge>
std::size_t Components<Edge>::root(std::size_t i) {
    while (joined_[i] != i) i = joined_[i] = joined_[joined_[i]];
    return i;
}

template <int Edge>
void Components<Edge>::find(const BlockLayout& layout, const BlockOperator<double>& a) {
    constexpr std::size_t cells = kBlockCells<Edge>, stride[3] = {1, Edge, Edge * Edge};
    const std::size_t blocks = layout.size();
    label_.resize(blocks * cells);
    first_.assign(blocks + 1, 0);
    for_each_block(layout, [&](std::size_t b) { label_block(a, b); });
    for (std::size_t b = 0; b < blocks; ++b) first_[b + 1] += first_[b];
    const std::size_t labels = first_[blocks];
    joined_.resize(labels);
    for (std::size_t i = 0; i < labels; ++i) joined_[i] = i;

    for (std::size_t b = 0; b < blocks; ++b)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int32_t other = layout.neighbour[b][2 * axis];
            if (other < 0) continue;
            const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
            for (std::size_t q = 0; q < Edge; ++q)
                for (std::size_t p = 0; p < Edge; ++p) {
                    const std::size_t c = p * stride[u] + q * stride[v];
                    if (!(a.coupling[axis][b * cells + c] > 0)) continue;
                    const std::size_t far = std::size_t(other) * cells + c + stride[axis] * (Edge - 1);
                    const std::size_t here = root(first_[b] + label_[b * cells + c]);
                    const std::size_t there = root(first_[std::size_t(other)] + label_[far]);
                    joined_[here > there ? here : there] = here > there ? there : here;
                }
        }
    number_.resize(labels);
    count_ = 0;
    for (std::size_t i = 0; i < labels; ++i) {
        const std::size_t r = root(i);
        number_[i] = r == i ? std::int32_t(count_++) : number_[r];
    }
    cells_.assign(count_, 0);
    singular_.assign(count_, 1);
    for (std::size_t e = 0; e < label_.size(); ++e) {
        const std::int32_t c = of(e);
        if (c < 0) continue;
        ++cells_[std::size_t(c)];
        if (a.surplus(e) > 0) singular_[std::size_t(c)] = 0;
    }
}

template <int Edge>
void Components<Edge>::sums(std::span<const double> value, std::vector<double>& sum) const {
    assert(value.size() >= label_.size());
    sum.assign(count_, 0.0);
    for (std::size_t e = 0; e < label_.size(); ++e)
        if (const std::int32_t c = of(e); c >= 0) sum[std::size_t(c)] += value[e];
}

template class Components<4>;
template class Components<8>;

}  // namespace rivulet::linear
