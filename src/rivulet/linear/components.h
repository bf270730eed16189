#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/linear/block_operator.h>

namespace rivulet::linear {

/// Connected cells of a BlockOperator: two cells are connected when a coupling joins them. Components are
/// numbered by their lowest entry, whatever the number of threads.
template <int Edge>
class Components {
 public:
    /// Cells with a zero diagonal belong to none. Allocates only when growing.
    void find(const BlockLayout& layout, const BlockOperator<double>& a);

    std::size_t count() const { return count_; }
    std::size_t size_of(std::size_t component) const { return cells_[component]; }
    /// No cell of it has surface or storage: the operator is singular there.
    bool is_singular(std::size_t component) const { return singular_[component] != 0; }
    /// Component of an entry; −1: none.
    std::int32_t of(std::size_t entry) const {
        const std::uint16_t local = label_[entry];
        return local == kNone ? -1 : number_[first_[entry / kBlockCells<Edge>] + local];
    }

    /// Σ value over each component, in entry order.
    void sums(std::span<const double> value, std::vector<double>& sum) const;

 private:
    static constexpr std::uint16_t kNone = 0xffff;
    void label_block(const BlockOperator<double>& a, std::size_t b);
    std::size_t root(std::size_t i);

    std::vector<std::uint16_t> label_;  // within the block
    std::vector<std::size_t> first_;    // of each block's labels in number_
    std::vector<std::size_t> joined_;   // union-find over labels of all blocks
    std::vector<std::int32_t> number_;  // component of each label
    std::vector<std::size_t> cells_;
    std::vector<std::uint8_t> singular_;
    std::size_t count_ = 0;
};

extern template class Components<4>;
extern template class Components<8>;

}  // namespace rivulet::linear
