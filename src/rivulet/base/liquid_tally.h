#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <rivulet/base/parallel.h>

namespace rivulet {

/// Volumes of each liquid of a scene, by its place among the scene's liquids, m^3 at rest. Adding loses
/// nothing.
///
/// A state that holds liquid says how much beside its fields:
///
///     void held_liquid(const LiquidState& state, LiquidTally& tally);
///
/// and is counted by the ledger from then on.
class LiquidTally {
 public:
    void add(std::size_t liquid, double volume) {
        if (liquid >= sums_.size()) sums_.resize(liquid + 1);
        sums_[liquid].add(volume);
    }
    void add(const LiquidTally& other) {
        if (other.size() > size()) sums_.resize(other.size());
        for (std::size_t i = 0; i < other.size(); ++i) sums_[i] = sums_[i] + other.sums_[i];
    }
    /// Forgets what was counted, keeps the memory.
    void clear() { std::fill(sums_.begin(), sums_.end(), CompensatedSum{}); }

    std::size_t size() const { return sums_.size(); }
    /// 0 for liquids that nobody added.
    CompensatedSum of(std::size_t liquid) const { return liquid < size() ? sums_[liquid] : CompensatedSum{}; }
    double total() const {
        CompensatedSum all;
        for (const CompensatedSum& s : sums_) all = all + s;
        return all.value();
    }

 private:
    std::vector<CompensatedSum> sums_;
};

}  // namespace rivulet
