#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/geometry/sampled_distance.h>

namespace rivulet::geometry {
namespace {

Vec3i corner_of(int k) {
    return {k & 1, k >> 1 & 1, k >> 2};
}

/// Whether the surface may be nearer to a point of a cell than so many of its sizes: then it is within that
/// and a diagonal of every corner. Cells are divided until they are finest within one size, and until they
/// are four spacings within two.
bool is_near(const std::array<float, 8>& corner, int stride, double spacing) {
    const double sizes = stride == SamplePlan::kBlock ? 1 : 2;
    const double reach = (sizes * stride + stride * std::sqrt(3.0)) * spacing;
    return std::all_of(corner.begin(), corner.end(), [&](float d) { return std::abs(d) <= reach; });
}

}  // namespace

SampledDistance::SampledDistance(std::shared_ptr<const MeshDistance> exact, double spacing)
    : SampledDistance(exact, plan_affordable_samples(exact->bounds(), surface_area(exact->mesh()), spacing)) {
}

SampledDistance::SampledDistance(std::shared_ptr<const MeshDistance> exact, const SamplePlan& plan)
    : exact_(std::move(exact)), plan_(plan), points_(plan.top_points()) {
    sample_top();
    std::vector<Place> places = divide_top();
    for (int stride = plan_.stride() / kBlock; stride > 1; stride /= kBlock) {
        const std::size_t first = inner_.size();
        inner_.resize(first + places.size());
        parallel_for(places.size(),
                     [&](std::size_t b) { inner_[first + b].value = sample_block(places[b], stride); });
        places = divide(first, places, stride);
    }
    fine_.resize(places.size());
    parallel_for(places.size(), [&](std::size_t b) { fine_[b] = sample_block(places[b], 1); });
}

void SampledDistance::sample_top() {
    top_.resize(top_index({0, 0, points_.z}));
    const int stride = plan_.stride();
    const auto rows = static_cast<std::size_t>(points_.y) * static_cast<std::size_t>(points_.z);
    parallel_for(rows, [&](std::size_t row) {
        const int j = static_cast<int>(row % static_cast<std::size_t>(points_.y));
        const int k = static_cast<int>(row / static_cast<std::size_t>(points_.y));
        double bound = Bounds::kInfinity;
        for (int i = 0; i < points_.x; ++i) {
            const double d =
                exact_->nearest(lattice_point({i * stride, j * stride, k * stride}), bound).distance;
            top_[top_index({i, j, k})] = static_cast<float>(d);
            bound = std::abs(d) + stride * plan_.spacing;
        }
    });
}

std::vector<SampledDistance::Place> SampledDistance::divide_top() {
    std::vector<Place> places;
    const int stride = plan_.stride();
    top_finer_.assign(top_.size(), -1);
    for (int k = 0; k + 1 < points_.z; ++k)
        for (int j = 0; j + 1 < points_.y; ++j)
            for (int i = 0; i + 1 < points_.x; ++i) {
                const Vec3i cell{i, j, k};
                std::array<float, 8> corner;
                for (int c = 0; c < 8; ++c)
                    corner[static_cast<std::size_t>(c)] = top_[top_index(cell + corner_of(c))];
                if (!is_near(corner, stride, plan_.spacing)) continue;
                top_finer_[top_index(cell)] = static_cast<std::int32_t>(places.size());
                places.push_back({cell * stride, corner[0]});
            }
    return places;
}

/// Numbers of blocks count from the first of their level: inner_ holds the levels one behind the other, and
/// so these are moved on by what is there already.
std::vector<SampledDistance::Place> SampledDistance::divide(std::size_t first_block,
                                                            const std::vector<Place>& places, int stride) {
    std::vector<Place> finer;
    const std::size_t before = stride == kBlock ? 0 : inner_.size();
    for (std::size_t b = 0; b < places.size(); ++b) {
        InnerBlock& block = inner_[first_block + b];
        block.finer.fill(-1);
        for (int k = 0; k < kBlock; ++k)
            for (int j = 0; j < kBlock; ++j)
                for (int i = 0; i < kBlock; ++i) {
                    const Vec3i cell{i, j, k};
                    std::array<float, 8> corner;
                    for (int c = 0; c < 8; ++c)
                        corner[static_cast<std::size_t>(c)] = block.value[block_index(cell + corner_of(c))];
                    if (!is_near(corner, stride, plan_.spacing)) continue;
                    block.finer[cell_index(cell)] = static_cast<std::int32_t>(before + finer.size());
                    finer.push_back({places[b].corner + cell * stride, corner[0]});
                }
    }
    return finer;
}

SampledDistance::Block SampledDistance::sample_block(const Place& place, int stride) const {
    Block block;
    const double side = kBlock * stride * plan_.spacing, slack = 1e-3 * stride * plan_.spacing;
    const Vec3d low = lattice_point(place.corner), half{0.5 * side, 0.5 * side, 0.5 * side};
    const MeshDistance::Neighbourhood near =
        exact_->near({low, low + 2.0 * half}, std::abs(place.distance) + slack);
    // The distance at the sample before, plus the way from there, bounds the next one.
    Vec3d before = low;
    double bound = std::abs(place.distance) + slack;
    for (int k = 0; k < kSide; ++k)
        for (int j = 0; j < kSide; ++j)
            for (int i = 0; i < kSide; ++i) {
                const Vec3d p = lattice_point(place.corner + Vec3i{i, j, k} * stride);
                const double d = exact_->nearest(p, near, bound + length(p - before)).distance;
                block[block_index({i, j, k})] = static_cast<float>(d);
                bound = std::abs(d), before = p;
            }
    return block;
}

void SampledDistance::take(const Block& block, const Vec3i& i, Cell& cell) {
    const float* at = block.data() + block_index(i);
    for (int k = 0; k < 8; ++k)
        cell.corner[static_cast<std::size_t>(k)] = at[(k & 1) + kSide * ((k >> 1 & 1) + kSide * (k >> 2))];
}

bool SampledDistance::find_cell(const Vec3d& p, Cell& cell) const {
    const Vec3d q = (p - plan_.origin) / (kBlock * plan_.spacing);
    Vec3i c;  // the cell of kBlock spacings that p lies in
    for (int a = 0; a < 3; ++a) {
        if (!(q[a] >= 0 && q[a] < plan_.cells[a])) return false;
        c[a] = static_cast<int>(q[a]);
    }
    Vec3d f = q - to_double(c);
    // Cells of a level are 2^shift of those along an axis.
    const auto part = [&](int shift, int mask) {
        return Vec3i{c.x >> shift & mask, c.y >> shift & mask, c.z >> shift & mask};
    };
    const auto stop_at = [&](int shift) {
        cell.fraction = (f + to_double(part(0, (1 << shift) - 1))) / double(1 << shift);
        cell.size = kBlock * plan_.spacing * (1 << shift);
        return true;
    };
    int shift = 2 * (plan_.levels - 1);
    const Vec3i top = part(shift, ~0);
    std::int32_t block = top_finer_[top_index(top)];
    if (block < 0) {
        for (int k = 0; k < 8; ++k)
            cell.corner[static_cast<std::size_t>(k)] = top_[top_index(top + corner_of(k))];
        return stop_at(shift);
    }
    while (shift > 0) {
        shift -= 2;
        const InnerBlock& inner = inner_[static_cast<std::size_t>(block)];
        const Vec3i i = part(shift, kBlock - 1);
        block = inner.finer[cell_index(i)];
        if (block < 0) return take(inner.value, i, cell), stop_at(shift);
    }
    f *= kBlock;
    Vec3i i;
    for (int a = 0; a < 3; ++a) i[a] = std::min(static_cast<int>(f[a]), kBlock - 1);
    take(fine_[static_cast<std::size_t>(block)], i, cell);
    cell.fraction = f - to_double(i);
    cell.size = plan_.spacing;
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
    return fine_.size() * sizeof(Block) + inner_.size() * sizeof(InnerBlock) +
           top_.size() * (sizeof(float) + sizeof(std::int32_t));
}

}  // namespace rivulet::geometry
