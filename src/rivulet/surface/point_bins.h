#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::surface {

/// Edge of a block in voxels; OpenVDB's leaves have the same.
inline constexpr int kBlock = 8;

/// Block coordinates of 21 bits each, packed so that keys sort by x, then y, then z.
struct BlockKey {
    static constexpr std::int64_t kHalf = std::int64_t{1} << 20;
    static std::uint64_t pack(std::int64_t x, std::int64_t y, std::int64_t z) {
        return (std::uint64_t(x + kHalf) << 42) | (std::uint64_t(y + kHalf) << 21) | std::uint64_t(z + kHalf);
    }
    static Vec3i unpack(std::uint64_t key) {
        const auto part = [&](int shift) { return int(std::int64_t((key >> shift) & 0x1FFFFF) - kHalf); };
        return {part(42), part(21), part(0)};
    }
};

inline std::int64_t block_of(double voxels) {
    return static_cast<std::int64_t>(std::floor(voxels / kBlock));
}

/// Whether a place in voxels has a block with a key, with some room around it.
inline bool is_within_keys(const Vec3d& voxels) {
    constexpr double most = double(BlockKey::kHalf - 64) * kBlock;
    return std::abs(voxels.x) < most && std::abs(voxels.y) < most && std::abs(voxels.z) < most;
}

/// Items by block key; within a block by index. Built by sorting, so the same for any number of threads.
class BlockLists {
 public:
    struct Entry {
        std::uint64_t key;
        std::uint32_t item;
        bool operator<(const Entry& o) const { return key != o.key ? key < o.key : item < o.item; }
    };

    BlockLists() = default;
    explicit BlockLists(std::vector<Entry> entries) {
        std::sort(entries.begin(), entries.end());
        items_.reserve(entries.size());
        for (const Entry& e : entries) {
            if (keys_.empty() || keys_.back() != e.key) {
                keys_.push_back(e.key);
                begin_.push_back(items_.size());
            }
            items_.push_back(e.item);
        }
        begin_.push_back(items_.size());
    }
    const std::vector<std::uint64_t>& keys() const { return keys_; }
    std::span<const std::uint32_t> at(std::size_t k) const {
        return std::span(items_).subspan(begin_[k], begin_[k + 1] - begin_[k]);
    }
    std::span<const std::uint32_t> find(std::uint64_t key) const {
        const auto it = std::lower_bound(keys_.begin(), keys_.end(), key);
        return it != keys_.end() && *it == key ? at(std::size_t(it - keys_.begin()))
                                               : std::span<const std::uint32_t>{};
    }

 private:
    std::vector<std::uint64_t> keys_;
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> items_;
};

}  // namespace rivulet::surface
