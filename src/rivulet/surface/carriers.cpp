#include <rivulet/surface/carriers.h>

#include <algorithm>

namespace rivulet::surface {

/// The points of a block and those around it, relative to its corner.
struct Carriers::Near {
    std::vector<std::uint32_t> index;
    std::vector<float> x, y, z, weight;
    std::vector<Vec3f> velocity;
};

bool Carriers::push(const Vec3d& at, const Vec3d& velocity, double weight) {
    if (!is_within_keys(at) || !is_finite(velocity)) return false;
    position_.push_back(at);
    velocity_.push_back(velocity);
    weight_.push_back(float(weight));
    return true;
}

void Carriers::add(const Vec3d& at, const Vec3d& velocity, double weight, std::size_t liquid) {
    if (!push(at, velocity, weight)) return;
    for (std::size_t l = 0; l < row_; ++l) share_.push_back(l == liquid ? 1.0f : 0.0f);
}

void Carriers::add(const Vec3d& at, const Vec3d& velocity, double weight, std::span<const float> share) {
    if (push(at, velocity, weight))
        share_.insert(share_.end(), share.begin(), share.begin() + std::ptrdiff_t(row_));
}

void Carriers::sort() {
    std::vector<BlockLists::Entry> entries;
    std::vector<double> volume(row_);
    for (std::size_t i = 0; i < position_.size(); ++i) {
        const Vec3d& p = position_[i];
        entries.push_back({BlockKey::pack(block_of(p.x), block_of(p.y), block_of(p.z)), std::uint32_t(i)});
        for (std::size_t l = 0; l < row_; ++l) volume[l] += double(weight_[i] * share_[i * row_ + l]);
    }
    lists_ = BlockLists(std::move(entries));
    if (row_ > 0) commonest_ = std::size_t(std::max_element(volume.begin(), volume.end()) - volume.begin());
}

Carriers::Near Carriers::near(const Vec3i& block) const {
    const Vec3d origin = to_double(block) * double(kBlock);
    Near n;
    for (int k = 0; k < 27; ++k)
        for (const std::uint32_t i :
             lists_.find(BlockKey::pack(block.x + k / 9 - 1, block.y + k / 3 % 3 - 1, block.z + k % 3 - 1))) {
            const Vec3d p = position_[i] - origin;
            n.index.push_back(i);
            n.x.push_back(float(p.x));
            n.y.push_back(float(p.y));
            n.z.push_back(float(p.z));
            n.weight.push_back(weight_[i]);
            n.velocity.push_back({float(velocity_[i].x), float(velocity_[i].y), float(velocity_[i].z)});
        }
    return n;
}

void Carriers::at(const Vec3i& block, std::span<const Vec3f> points, std::span<Vec3f> velocity,
                  std::span<float> shares) const {
    const Vec3d origin = to_double(block) * double(kBlock);
    const Near n = near(block);
    std::vector<float> part(n.x.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
        const auto px = float(double(points[k].x) - origin.x), py = float(double(points[k].y) - origin.y),
                   pz = float(double(points[k].z) - origin.z);
        for (std::size_t i = 0; i < part.size(); ++i) {
            const float dx = n.x[i] - px, dy = n.y[i] - py, dz = n.z[i] - pz;
            const float t = std::max(1 - (dx * dx + dy * dy + dz * dz) / (kBlock * kBlock), 0.0f);
            part[i] = n.weight[i] * t * t * t;
        }
        Vec3f sum;
        float weights = 0;
        for (std::size_t i = 0; i < part.size(); ++i) {
            sum += n.velocity[i] * part[i];
            weights += part[i];
        }
        velocity[k] = weights > 0 ? sum / weights : Vec3f{};
        if (row_ == 0) continue;
        const auto row = shares.subspan(k * row_, row_);
        std::fill(row.begin(), row.end(), 0.0f);
        for (std::size_t i = 0; i < part.size(); ++i)
            for (std::size_t l = 0; part[i] > 0 && l < row_; ++l)
                row[l] += part[i] * share_[n.index[i] * row_ + l];
        float total = 0;
        for (const float s : row) total += s;
        if (!(total > 0)) total = row[commonest_] = 1;
        for (float& s : row) s /= total;
    }
}

}  // namespace rivulet::surface
