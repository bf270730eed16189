#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/sampled_distance.h>

namespace rivulet::geometry {

SampledDistance::SampledDistance(std::shared_ptr<const MeshDistance> exact, double spacing)
    : exact_(std::move(exact)) {
    choose_lattice(spacing);
    sample_coarse();
    sample_blocks();
}

void SampledDistance::choose_lattice(double spacing) {
    const Bounds box = exact_->bounds();
    const Vec3d size = box.size();
    const double largest = std::max({size.x, size.y, size.z});
    spacing_ = std::max(spacing, 1e-6 * largest);
    for (;; spacing_ *= 1.25) {
        const double coarse = kBlock * spacing_, margin = 0.5 * largest + kBand * spacing_;
        std::int64_t count = 1;
        for (int a = 0; a < 3; ++a) {
            points_[a] = static_cast<int>(std::ceil((size[a] + 2 * margin) / coarse)) + 1;
            count *= points_[a];
            if (count > kMostCoarse) break;
        }
        if (count > kMostCoarse) continue;
        for (int a = 0; a < 3; ++a) origin_[a] = box.centre()[a] - 0.5 * coarse * (points_[a] - 1);
        return;
    }
}

void SampledDistance::sample_coarse() {
    coarse_.resize(coarse_index(0, 0, points_.z));
    const auto rows = static_cast<std::size_t>(points_.y) * static_cast<std::size_t>(points_.z);
    parallel_for(rows, [&](std::size_t row) {
        const int j = static_cast<int>(row % static_cast<std::size_t>(points_.y));
        const int k = static_cast<int>(row / static_cast<std::size_t>(points_.y));
        double bound = Bounds::kInfinity;
        for (int i = 0; i < points_.x; ++i) {
            const Vec3d p = lattice_point({i * kBlock, j * kBlock, k * kBlock});
            const double d = exact_->nearest(p, bound).distance;
            coarse_[coarse_index(i, j, k)] = static_cast<float>(d);
            bound = std::abs(d) + kBlock * spacing_;
        }
    });
}

void SampledDistance::sample_blocks() {
    block_.assign(coarse_.size(), -1);
    std::vector<Vec3i> corners;
    // A surface within the band of a point of the block is within this of every corner of it.
    const double reach = (kBand + kBlock * std::sqrt(3.0)) * spacing_;
    for (int k = 0; k + 1 < points_.z; ++k)
        for (int j = 0; j + 1 < points_.y; ++j)
            for (int i = 0; i + 1 < points_.x; ++i) {
                bool all_near = true;
                for (int c = 0; c < 8 && all_near; ++c)
                    all_near =
                        std::abs(coarse_[coarse_index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))]) <= reach;
                if (!all_near) continue;
                block_[coarse_index(i, j, k)] = static_cast<std::int32_t>(corners.size());
                corners.push_back({i, j, k});
            }
    samples_.resize(corners.size());
    parallel_for(corners.size(), [&](std::size_t b) {
        const Vec3i c = corners[b];
        std::size_t at = 0;
        // The distance at the sample before, plus the way from there, bounds the next one.
        Vec3d before = lattice_point({c.x * kBlock, c.y * kBlock, c.z * kBlock});
        double bound = std::abs(double{coarse_[coarse_index(c.x, c.y, c.z)]}) + 1e-3 * spacing_;
        for (int k = 0; k < kSide; ++k)
            for (int j = 0; j < kSide; ++j)
                for (int i = 0; i < kSide; ++i) {
                    const Vec3d p = lattice_point({c.x * kBlock + i, c.y * kBlock + j, c.z * kBlock + k});
                    const double d = exact_->nearest(p, bound + length(p - before)).distance;
                    samples_[b][at++] = static_cast<float>(d);
                    bound = std::abs(d), before = p;
                }
    });
}

bool SampledDistance::find_cell(const Vec3d& p, Cell& cell) const {
    const Vec3d q = (p - origin_) / (kBlock * spacing_);
    Vec3i c;
    for (int a = 0; a < 3; ++a) {
        if (!(q[a] >= 0 && q[a] < points_[a] - 1)) return false;
        c[a] = static_cast<int>(q[a]);
    }
    const std::int32_t block = block_[coarse_index(c.x, c.y, c.z)];
    Vec3d f = q - to_double(c);
    if (block < 0) {
        for (int k = 0; k < 8; ++k)
            cell.corner[static_cast<std::size_t>(k)] =
                coarse_[coarse_index(c.x + (k & 1), c.y + (k >> 1 & 1), c.z + (k >> 2))];
        cell.size = kBlock * spacing_;
    } else {
        f *= kBlock;
        Vec3i i;
        for (int a = 0; a < 3; ++a) i[a] = std::min(static_cast<int>(f[a]), kBlock - 1);
        f -= to_double(i);
        const float* at =
            samples_[static_cast<std::size_t>(block)].data() + i.x + kSide * (i.y + kSide * i.z);
        for (int k = 0; k < 8; ++k)
            cell.corner[static_cast<std::size_t>(k)] =
                at[(k & 1) + kSide * ((k >> 1 & 1) + kSide * (k >> 2))];
        cell.size = spacing_;
    }
    cell.fraction = f;
    return true;
}

double SampledDistance::distance(const Vec3d& p) const {
    Cell cell;
    if (!find_cell(p, cell)) return exact_->distance(p);
    const auto& c = cell.corner;
    const auto [x, y, z] = cell.fraction;
    const double x00 = c[0] + x * (c[1] - c[0]), x10 = c[2] + x * (c[3] - c[2]);
    const double x01 = c[4] + x * (c[5] - c[4]), x11 = c[6] + x * (c[7] - c[6]);
    const double y0 = x00 + y * (x10 - x00), y1 = x01 + y * (x11 - x01);
    return y0 + z * (y1 - y0);
}

DistanceSample SampledDistance::sample(const Vec3d& p) const {
    Cell cell;
    if (!find_cell(p, cell)) return exact_->sample(p);
    const auto& c = cell.corner;
    const auto [x, y, z] = cell.fraction;
    const double x00 = c[0] + x * (c[1] - c[0]), x10 = c[2] + x * (c[3] - c[2]);
    const double x01 = c[4] + x * (c[5] - c[4]), x11 = c[6] + x * (c[7] - c[6]);
    const double y0 = x00 + y * (x10 - x00), y1 = x01 + y * (x11 - x01);
    const double dx0 = (c[1] - c[0]) * (1 - y) + (c[3] - c[2]) * y;
    const double dx1 = (c[5] - c[4]) * (1 - y) + (c[7] - c[6]) * y;
    const Vec3d gradient{dx0 * (1 - z) + dx1 * z, (x10 - x00) * (1 - z) + (x11 - x01) * z, y1 - y0};
    const double l = length(gradient);
    // NOTE: where samples of opposite walls cancel (medial axis) the interpolated gradient says nothing.
    if (!(l > 0.1 * cell.size)) return {y0 + z * (y1 - y0), exact_->sample(p).normal};
    return {y0 + z * (y1 - y0), gradient / l};
}

std::size_t SampledDistance::bytes() const {
    return samples_.size() * sizeof(Block) + coarse_.size() * sizeof(float) +
           block_.size() * sizeof(std::int32_t);
}

}  // namespace rivulet::geometry
