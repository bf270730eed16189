#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <rivulet/base/pack.h>
#include <rivulet/geometry/bounds.h>

namespace rivulet::contact {

/// A tree over boxes for finding all pairs that overlap. Boxes are put in the order of a space-filling curve
/// (Morton 1966), those of similar size together, and eight in a row have one box a floor up: no pointers,
/// about 64 bytes per box however large single boxes are. Built the same way whatever the number of threads;
/// rebuilding reuses memory.
class SweepTree {
 public:
    static constexpr std::size_t kWidth = 8;

    /// Boxes must be finite.
    void build(std::span<const geometry::Bounds> boxes);

    std::size_t size() const { return order_.size(); }
    /// Box numbers by position in the tree.
    std::span<const std::uint32_t> order() const { return order_; }
    /// Groups of eight positions: the unit of work of `pairs_of`.
    std::size_t groups() const { return floors_.empty() ? 0 : floors_[0].size(); }

    /// Calls visit(p, q) with positions p < q for every two boxes that overlap (touching counts) of which p
    /// is in the group, in a fixed order. All groups together give every pair once. Boxes are rounded
    /// outwards to single precision.
    template <class Visit>
    void pairs_of(std::size_t group, Visit&& visit) const;

    std::size_t memory() const;

 private:
    struct alignas(32) Block {
        float low[3][kWidth], high[3][kWidth];
    };
    struct Query {
        SinglePack low[3], high[3];
    };
    struct Keyed {
        std::uint64_t key;
        std::uint32_t index;
    };
    static Query query(const Block& block, std::size_t lane) {
        Query q;
        for (std::size_t a = 0; a < 3; ++a) q.low[a] = block.low[a][lane], q.high[a] = block.high[a][lane];
        return q;
    }
    static SinglePack load(const float* from) {
        SinglePack p;
        std::memcpy(&p.v, from, sizeof p.v);
        return p;
    }
    static SinglePack::Mask overlap(const Query& q, const Block& b) {
        SinglePack::Mask m = (load(b.low[0]) <= q.high[0]) & (q.low[0] <= load(b.high[0]));
        for (int a = 1; a < 3; ++a) m = m & (load(b.low[a]) <= q.high[a]) & (q.low[a] <= load(b.high[a]));
        return m;
    }
    template <class Visit>
    void pairs_between(std::size_t group, std::size_t other, Visit&& visit) const;
    void sort(std::span<const geometry::Bounds> boxes);
    void raise_floors();

    std::vector<std::uint32_t> order_;
    std::vector<Keyed> keyed_, swapped_;
    // floors_[0]: the boxes themselves; floors_[k]: boxes around the blocks of the floor below.
    std::vector<std::vector<Block>> floors_;
};

template <class Visit>
void SweepTree::pairs_between(std::size_t group, std::size_t other, Visit&& visit) const {
    const Block& mine = floors_[0][group];
    const Block& theirs = floors_[0][other];
    for (std::size_t i = 0; i < kWidth; ++i) {
        const SinglePack::Mask m = overlap(query(mine, i), theirs);
        if (!any(m)) continue;
        for (std::size_t j = group == other ? i + 1 : 0; j < kWidth; ++j)
            if (m[static_cast<int>(j)]) visit(group * kWidth + i, other * kWidth + j);
    }
}

template <class Visit>
void SweepTree::pairs_of(std::size_t group, Visit&& visit) const {
    pairs_between(group, group, visit);
    if (floors_.size() < 2) return;
    const Query q = query(floors_[1][group / kWidth], group % kWidth);
    struct Entry {
        std::uint32_t floor, block;
    };
    std::array<Entry, 16 * kWidth> stack;
    std::size_t top = 0;
    stack[top++] = {static_cast<std::uint32_t>(floors_.size() - 1), 0};
    while (top > 0) {
        const Entry at = stack[--top];
        const SinglePack::Mask m = overlap(q, floors_[at.floor][at.block]);
        if (!any(m)) continue;
        for (std::size_t lane = kWidth; lane-- > 0;) {
            if (!m[static_cast<int>(lane)]) continue;
            const std::size_t child = at.block * kWidth + lane;
            // The last group below the child: pairs with groups before this one are theirs.
            const std::size_t last = ((child + 1) << (3 * (at.floor - 1))) - 1;
            if (last <= group) continue;
            if (at.floor == 1)
                pairs_between(group, child, visit);
            else
                stack[top++] = {at.floor - 1, static_cast<std::uint32_t>(child)};
        }
    }
}

}  // namespace rivulet::contact
