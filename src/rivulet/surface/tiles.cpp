#include <rivulet/surface/tiles.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/surface/narrow_band.h>

namespace rivulet::surface {
namespace {

/// Upwind steps go along the axes: a distance d along a diagonal takes √3 d of them.
int sweeps_for(double distance) {
    return int(std::ceil(std::sqrt(3.0) * distance));
}

struct BlockBox {
    Vec3i low, high;  // high excluded
    bool holds(const Vec3i& c, int margin) const {
        for (int a = 0; a < 3; ++a)
            if (c[a] < low[a] - margin || c[a] >= high[a] + margin) return false;
        return true;
    }
    int longest() const {
        const Vec3i size = high - low;
        return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    }
};

/// Cuts a box in halves until each, with its margin, has few enough blocks.
void cut(const std::vector<Vec3i>& near, const BlockBox& box, int margin, std::size_t most,
         std::vector<BlockBox>& tiles) {
    const auto count =
        std::count_if(near.begin(), near.end(), [&](const Vec3i& c) { return box.holds(c, margin); });
    if (count == 0) return;
    const int axis = box.longest();
    if (std::size_t(count) <= most || box.high[axis] - box.low[axis] < 2) {
        tiles.push_back(box);
        return;
    }
    // Halves look only at what the whole holds.
    std::vector<Vec3i> held;
    held.reserve(std::size_t(count));
    std::copy_if(near.begin(), near.end(), std::back_inserter(held),
                 [&](const Vec3i& c) { return box.holds(c, margin); });
    BlockBox lower = box, upper = box;
    lower.high[axis] = upper.low[axis] = box.low[axis] + (box.high[axis] - box.low[axis]) / 2;
    cut(held, lower, margin, most, tiles);
    cut(held, upper, margin, most, tiles);
}

std::int16_t packed(float distance) {
    return std::int16_t(std::lround(std::clamp(distance, -kBand, kBand) * PackedBlock::kScale));
}

/// May the surface pass through this block at some level?
bool is_needed(const PackedBlock& block) {
    constexpr int reach = int((kMostLevel + 0.9f) * PackedBlock::kScale);
    constexpr int cell = int(1.8f * PackedBlock::kScale);
    for (std::size_t v = 0; v < kVoxels; ++v)
        if ((block.joined[v] > -reach && block.joined[v] < reach) ||
            (block.kept[v] > -cell && block.kept[v] < cell))
            return true;
    return false;
}

class Tile {
 public:
    Tile(const Liquid& liquid, const JoinedField& field, const std::vector<Vec3i>& near, const BlockBox& box,
         int margin)
        : liquid_(liquid), band_(keys_in(field.layout.near, near, box, margin), [&](std::uint64_t key) {
              return std::binary_search(field.layout.deep.begin(), field.layout.deep.end(), key);
          }) {
        for (std::size_t b = 0; b < band_.size(); ++b)
            if (box.holds(BlockKey::unpack(band_.key(b)), 0)) core_.push_back(b);
        packed_.resize(core_.size());
    }

    void evaluate_blocks() {
        std::vector<std::int32_t> place(band_.size(), -1);
        for (std::size_t i = 0; i < core_.size(); ++i) place[core_[i]] = std::int32_t(i);
        parallel_for(band_.size(), [&](std::size_t b) {
            FieldBlock field;
            evaluate(liquid_, BlockKey::unpack(band_.key(b)), field);
            std::copy(field.averaged.begin(), field.averaged.end(), band_.block(b).begin());
            if (place[b] < 0) return;
            PackedBlock& p = packed_[std::size_t(place[b])];
            for (std::size_t v = 0; v < kVoxels; ++v) {
                p.kept[v] = packed(field.kept[v]);
                p.sparse[v] = std::uint8_t(std::lround(255 * field.sparse[v]));
            }
        });
    }

    void dilate_smooth_erode(const Joining& j) {
        const auto join = float(j.join);
        band_.redistance(std::max(kBand, join + j.smoothed_band()), j.dilation_sweeps());
        if (j.smoothing <= 0) return;
        band_.shift(-join, j.smoothed_band());
        for (int pass = 0; pass < j.smoothing; ++pass) band_.smooth(j.width);
        band_.redistance(kBand + join, j.erosion_sweeps());
        band_.shift(join, kBand);
    }

    /// Hands over what the surface may pass through; the rest only as a sign.
    std::vector<PackedBlock> finish(JoinedField& field) {
        std::vector<char> needed(core_.size());
        parallel_for(core_.size(), [&](std::size_t i) {
            const auto joined = band_.block(core_[i]);
            for (std::size_t v = 0; v < kVoxels; ++v) packed_[i].joined[v] = packed(joined[v]);
            needed[i] = is_needed(packed_[i]);
        });
        std::vector<VolumeCurve> curves(core_.size());
        parallel_for(core_.size(), [&](std::size_t i) {
            if (needed[i])
                curves[i].add(packed_[i]);
            else if (packed_[i].joined[0] < 0)
                curves[i].add_inside(kVoxels);
        });
        std::vector<PackedBlock> kept;
        kept.reserve(std::size_t(std::count(needed.begin(), needed.end(), char{1})));
        for (std::size_t i = 0; i < core_.size(); ++i) {
            field.curve.add(curves[i]);
            const auto it =
                std::lower_bound(field.layout.near.begin(), field.layout.near.end(), band_.key(core_[i]));
            const auto n = std::size_t(it - field.layout.near.begin());
            field.inside[n] = packed_[i].joined[0] < 0;
            if (!needed[i]) continue;
            kept.push_back(packed_[i]);
            field.block[n] = &kept.back();
        }
        return kept;
    }

 private:
    const Liquid& liquid_;
    NarrowBand band_;
    std::vector<std::size_t> core_;
    std::vector<PackedBlock> packed_;  // per core block

    static std::vector<std::uint64_t> keys_in(const std::vector<std::uint64_t>& keys,
                                              const std::vector<Vec3i>& near, const BlockBox& box,
                                              int margin) {
        std::vector<std::uint64_t> some;
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (box.holds(near[i], margin)) some.push_back(keys[i]);
        return some;
    }
};

}  // namespace

float Joining::smoothed_band() const {
    return std::max(float(join), 1.5f);
}
int Joining::dilation_sweeps() const {
    return sweeps_for(join + double(smoothed_band()));
}
int Joining::erosion_sweeps() const {
    return sweeps_for(join + double(kMostLevel));
}
int Joining::reach() const {
    return 2 + dilation_sweeps() + std::max(smoothing, 0) * 4 * width + erosion_sweeps();
}

void VolumeCurve::add(const PackedBlock& block) {
    std::array<float, kLevels> sum{}, level{};
    for (int k = 0; k < kLevels; ++k) level[std::size_t(k)] = VolumeCurve::level(k);
    for (std::size_t v = 0; v < kVoxels; ++v) {
        const float joined = float(block.joined[v]) / PackedBlock::kScale;
        const float kept = float(block.kept[v]) / PackedBlock::kScale;
        const float sparse = float(block.sparse[v]) / 255;
        // A voxel counts by the share below a flat surface at its distance.
        for (std::size_t k = 0; k < std::size_t(kLevels); ++k) {
            const float d = std::min(joined - level[k] * sparse, kept);
            sum[k] += std::min(std::max(0.5f - d, 0.0f), 1.0f);
        }
    }
    for (std::size_t k = 0; k < std::size_t(kLevels); ++k)
        sum_[k] += std::int64_t(std::llround(double(sum[k]) * kUnit));
}

void VolumeCurve::add_inside(std::size_t voxels) {
    for (std::int64_t& s : sum_) s += std::int64_t(voxels) << 20;
}

void VolumeCurve::add(const VolumeCurve& other) {
    for (std::size_t k = 0; k < std::size_t(kLevels); ++k) sum_[k] += other.sum_[k];
}

double VolumeCurve::level_for(double wanted) const {
    if (wanted <= 0 || volume(kLevels - 1) <= volume(0)) return 0;
    int k = 0;
    while (k + 2 < kLevels && volume(k + 1) < wanted) ++k;
    const double low = volume(k), high = volume(k + 1);
    const double t = high > low ? std::clamp((wanted - low) / (high - low), 0.0, 1.0) : 0.5;
    return double(level(k)) + t * double(level(k + 1) - level(k));
}

JoinedField::Place JoinedField::find(const Vec3i& c) const {
    const std::uint64_t key = BlockKey::pack(c.x, c.y, c.z);
    const auto it = std::lower_bound(layout.near.begin(), layout.near.end(), key);
    if (it == layout.near.end() || *it != key)
        return {nullptr, std::binary_search(layout.deep.begin(), layout.deep.end(), key)};
    const auto n = std::size_t(it - layout.near.begin());
    return {block[n], inside[n] != 0};
}

JoinedField join_in_tiles(const Liquid& liquid, Layout layout, const Joining& joining,
                          std::size_t tile_blocks, const std::function<void(double)>& progress) {
    JoinedField field;
    field.layout = std::move(layout);
    field.block.assign(field.layout.near.size(), nullptr);
    field.inside.assign(field.layout.near.size(), 0);
    field.curve.add_inside(field.layout.deep.size() * kVoxels);
    if (field.layout.near.empty()) return field;

    std::vector<Vec3i> near(field.layout.near.size());
    BlockBox all{BlockKey::unpack(field.layout.near[0]), BlockKey::unpack(field.layout.near[0])};
    for (std::size_t i = 0; i < near.size(); ++i) {
        near[i] = BlockKey::unpack(field.layout.near[i]);
        for (int a = 0; a < 3; ++a) {
            all.low[a] = std::min(all.low[a], near[i][a]);
            all.high[a] = std::max(all.high[a], near[i][a] + 1);
        }
    }
    const int margin = (joining.reach() + kBlock - 1) / kBlock;
    std::vector<BlockBox> tiles;
    cut(near, all, margin, std::max<std::size_t>(tile_blocks, 1), tiles);
    field.tiles = tiles.size();
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        Tile tile(liquid, field, near, tiles[t], margin);
        tile.evaluate_blocks();
        tile.dilate_smooth_erode(joining);
        field.storage.push_back(tile.finish(field));
        progress(double(t + 1) / double(tiles.size()));
    }
    return field;
}

}  // namespace rivulet::surface
