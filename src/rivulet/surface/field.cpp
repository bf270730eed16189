#include <rivulet/surface/field.h>

#include <rivulet/base/parallel.h>

namespace rivulet::surface {
namespace {

/// A point farther than this many radii from every particle is never liquid.
constexpr float kFarthest = 2.2f;
/// Share of a block that particles must fill before it counts as full.
constexpr double kFull = 0.6;
constexpr int kMostReach = 4;
constexpr std::size_t kLayoutGrain = 256;
/// Share of the averaged radius that puts the surface of a flat, evenly filled body where its volume ends
/// (0.89 on a lattice of 8 particles per cell; less is taken off because smoothing rounds edges).
constexpr float kFlatRadius = 0.95f;
/// A drop below this radius, in voxels, falls between grid points.
constexpr float kSmallestDrop = 1;

std::uint64_t key_of(const Vec3d& p) {
    return BlockKey::pack(block_of(p.x), block_of(p.y), block_of(p.z));
}

/// Calls visit(key) for the blocks that a box touches.
template <class F>
void for_blocks(const Vec3d& low, const Vec3d& high, F&& visit) {
    for (std::int64_t x = block_of(low.x); x <= block_of(high.x); ++x)
        for (std::int64_t y = block_of(low.y); y <= block_of(high.y); ++y)
            for (std::int64_t z = block_of(low.z); z <= block_of(high.z); ++z) visit(BlockKey::pack(x, y, z));
}

void tube_box(const Tube& t, double margin, Vec3d& low, Vec3d& high) {
    const double m = std::max(t.radius_a, t.radius_b) + margin;
    low = component_min(t.a, t.b) - Vec3d{m, m, m};
    high = component_max(t.a, t.b) + Vec3d{m, m, m};
}

/// Integral of (1 - d²/h²)³ over the ball of radius h, 64 π h³ / 315: the kernel sum inside a full body.
float full_sum(float support) {
    return 0.6383f * support * support * support;
}

/// How freely the surface may move where particles fill this share of the kernel: on a flat free surface
/// about half is filled, and it should stay where it is.
float sparsity(float filled) {
    const float t = std::clamp((0.40f - filled) / 0.20f, 0.0f, 1.0f);
    return 0.3f + 0.7f * t * t * (3 - 2 * t);
}

/// Liquid around a ball, other than itself, relative to the inside of a full region: 0 alone .. 1 deep.
float crowding(const Liquid& liquid, std::size_t self) {
    const Ball& ball = liquid.balls[self];
    const float support = kSupport * ball.radius;
    double sum = 0;
    for_blocks(ball.centre - Vec3d{support, support, support}, ball.centre + Vec3d{support, support, support},
               [&](std::uint64_t key) {
                   for (const std::uint32_t other : liquid.ball_lists.find(key)) {
                       if (other == self) continue;
                       const Ball& o = liquid.balls[other];
                       const double q = squared_length(o.centre - ball.centre) / double(support * support);
                       sum += double(o.volume * kernel(float(q)));
                   }
               });
    return float(std::min(sum / double(full_sum(support)), 1.0));
}

/// A drop by itself keeps its full size; in a crowd the averaged surface takes over.
void set_core(Ball& ball, float crowd) {
    const float alone = std::clamp(1.3f - crowd / 0.12f, 0.0f, 1.0f);
    // NOTE: flat facets one voxel wide cut h² / 6r off a sphere; its core is that much larger.
    const float facets = std::min(1 / (6 * ball.radius), 0.3f * ball.radius);
    ball.core = alone * (ball.radius + facets);
    ball.lone = crowd <= 0 && ball.radius < kSmallestDrop;
}

void sort_unique(std::vector<std::uint64_t>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// Blocks that the band around the balls of a block can reach.
void add_touched(const Liquid& liquid, std::size_t block, std::vector<std::uint64_t>& touched) {
    const std::size_t before = touched.size();
    for (const std::uint32_t i : liquid.ball_lists.at(block)) {
        const Ball& b = liquid.balls[i];
        if (b.lone) continue;
        const double m = double(1.5f * b.radius + kBand);
        for_blocks(b.centre - Vec3d{m, m, m}, b.centre + Vec3d{m, m, m},
                   [&](std::uint64_t key) { touched.push_back(key); });
    }
    const auto from = touched.begin() + std::ptrdiff_t(before);
    std::sort(from, touched.end());
    touched.erase(std::unique(from, touched.end()), touched.end());
}

/// Per block with particles: do they fill it?
std::vector<char> full_blocks(const Liquid& liquid) {
    std::vector<char> full(liquid.ball_lists.keys().size());
    parallel_for(full.size(), [&](std::size_t k) {
        double volume = 0;
        for (const std::uint32_t i : liquid.ball_lists.at(k)) volume += double(liquid.balls[i].volume);
        full[k] = volume > kFull * kBlock * kBlock * kBlock;
    });
    return full;
}

}  // namespace

void prepare(Liquid& liquid) {
    std::vector<BlockLists::Entry> entries;
    entries.reserve(liquid.balls.size());
    float largest = 0;
    for (std::size_t i = 0; i < liquid.balls.size(); ++i) {
        entries.push_back({key_of(liquid.balls[i].centre), std::uint32_t(i)});
        largest = std::max(largest, liquid.balls[i].radius);
    }
    liquid.ball_lists = BlockLists(std::move(entries));
    liquid.reach = std::clamp(int(std::ceil(kSupport * largest / kBlock)), 1, kMostReach);

    entries = {};
    for (std::size_t i = 0; i < liquid.tubes.size(); ++i) {
        Vec3d low, high;
        tube_box(liquid.tubes[i], double(kBand), low, high);
        for_blocks(low, high, [&](std::uint64_t key) { entries.push_back({key, std::uint32_t(i)}); });
    }
    liquid.tube_lists = BlockLists(std::move(entries));

    // Balls of a full block have company enough; only the others are looked at one by one.
    const std::vector<char> full = full_blocks(liquid);
    parallel_for(full.size(), [&](std::size_t k) {
        for (const std::uint32_t i : liquid.ball_lists.at(k))
            set_core(liquid.balls[i], full[k] ? 1.0f : crowding(liquid, i));
    });
}

Layout find_blocks(const Liquid& liquid) {
    const auto& keys = liquid.ball_lists.keys();
    const std::vector<char> full = full_blocks(liquid);
    std::vector<char> deep(keys.size());
    parallel_for(keys.size(), [&](std::size_t k) {
        const Vec3i c = BlockKey::unpack(keys[k]);
        char all = full[k];
        for (int n = 0; all && n < 27; ++n) {
            const std::uint64_t key = BlockKey::pack(c.x + n / 9 - 1, c.y + n / 3 % 3 - 1, c.z + n % 3 - 1);
            const auto it = std::lower_bound(keys.begin(), keys.end(), key);
            all = it != keys.end() && *it == key ? full[std::size_t(it - keys.begin())] : char{0};
        }
        deep[k] = all;
    });
    std::vector<std::vector<std::uint64_t>> parts(Chunks(keys.size(), kLayoutGrain).count);
    parallel_chunks(keys.size(), kLayoutGrain, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        std::vector<std::uint64_t>& touched = parts[chunk];
        for (std::size_t k = begin; k < end; ++k)
            if (!deep[k]) add_touched(liquid, k, touched);
        sort_unique(touched);
    });
    Layout layout;
    for (std::size_t k = 0; k < keys.size(); ++k)
        if (deep[k]) layout.deep.push_back(keys[k]);
    for (const auto& part : parts) layout.near.insert(layout.near.end(), part.begin(), part.end());
    layout.near.insert(layout.near.end(), liquid.tube_lists.keys().begin(), liquid.tube_lists.keys().end());
    sort_unique(layout.near);
    std::erase_if(layout.near, [&](std::uint64_t key) {
        return std::binary_search(layout.deep.begin(), layout.deep.end(), key);
    });
    return layout;
}

namespace {

/// Weighted sums over particles at the voxels of one block.
struct alignas(32) Sums {
    std::array<float, kVoxels> weight{}, x{}, y{}, z{}, radius{}, nearest;
    Sums() { nearest.fill(kBand + 1e3f); }
};

struct Range {
    int from, to;
    /// Voxels of a block within `support` of a coordinate local to the block.
    Range(float centre, float support)
        : from(std::max(0, int(std::ceil(centre - support)))),
          to(std::min(kBlock - 1, int(std::floor(centre + support)))) {}
};

/// Whole rows of 8 voxels along z at a time: outside its support a kernel is zero.
void add_ball(const Ball& ball, const Vec3d& origin, Sums& s, std::array<float, kVoxels>& kept) {
    const Vec3d local = ball.centre - origin;
    const float cx = float(local.x), cy = float(local.y), cz = float(local.z);
    const float support = std::min(kSupport * ball.radius, float(kMostReach * kBlock));
    const float inverse = 1 / (support * support), volume = ball.volume, radius = ball.radius;
    const float farthest = kFarthest * radius, core = ball.core;
    const float extent = std::max(support, core + kBand);
    if (cz < -extent || cz > extent + kBlock) return;
    const Range rx(cx, extent), ry(cy, extent);
    for (int i = rx.from; i <= rx.to; ++i)
        for (int j = ry.from; j <= ry.to; ++j) {
            const float dx = cx - float(i), dy = cy - float(j), flat = dx * dx + dy * dy;
            if (flat > extent * extent) continue;
            const auto row = std::size_t((i * kBlock + j) * kBlock);
            for (std::size_t k = 0; k < std::size_t(kBlock); ++k) {
                const float dz = cz - float(int(k)), d2 = flat + dz * dz, d = std::sqrt(d2);
                const float t = std::max(1 - d2 * inverse, 0.0f), w = volume * t * t * t;
                s.weight[row + k] += w;
                s.x[row + k] += w * dx;
                s.y[row + k] += w * dy;
                s.z[row + k] += w * dz;
                s.radius[row + k] += w * radius;
                s.nearest[row + k] = std::min(s.nearest[row + k], d - farthest);
                kept[row + k] = std::min(kept[row + k], d - core);
            }
        }
}

void add_tube(const Tube& t, const Vec3d& origin, std::array<float, kVoxels>& kept) {
    const Vec3d start = t.a - origin, axis = t.b - t.a;
    const float ax = float(start.x), ay = float(start.y), az = float(start.z);
    const float ux = float(axis.x), uy = float(axis.y), uz = float(axis.z);
    const float l2 = ux * ux + uy * uy + uz * uz, inverse = l2 > 0 ? 1 / l2 : 0.0f;
    const float ra = t.radius_a, slope = t.radius_b - t.radius_a;
    for (int i = 0; i < kBlock; ++i)
        for (int j = 0; j < kBlock; ++j) {
            const float px = float(i) - ax, py = float(j) - ay, flat = px * ux + py * uy;
            const auto row = std::size_t((i * kBlock + j) * kBlock);
            for (std::size_t k = 0; k < std::size_t(kBlock); ++k) {
                const float pz = float(int(k)) - az;
                const float s = std::min(std::max((flat + pz * uz) * inverse, 0.0f), 1.0f);
                const float qx = px - ux * s, qy = py - uy * s, qz = pz - uz * s;
                const float d = std::sqrt(qx * qx + qy * qy + qz * qz) - (ra + slope * s);
                kept[row + k] = std::min(kept[row + k], d);
            }
        }
}

}  // namespace

void evaluate(const Liquid& liquid, const Vec3i& c, FieldBlock& field) {
    const Vec3d origin = to_double(c) * double(kBlock);
    field.averaged.fill(kBand);
    field.kept.fill(kBand);
    field.sparse.fill(1);
    Sums sums;
    const int n = liquid.reach;
    for (int dx = -n; dx <= n; ++dx)
        for (int dy = -n; dy <= n; ++dy)
            for (int dz = -n; dz <= n; ++dz)
                for (const std::uint32_t i :
                     liquid.ball_lists.find(BlockKey::pack(c.x + dx, c.y + dy, c.z + dz)))
                    if (!liquid.balls[i].lone) add_ball(liquid.balls[i], origin, sums, field.kept);
    for (std::size_t v = 0; v < kVoxels; ++v) {
        if (!(sums.weight[v] > 0)) continue;
        const float inv = 1 / sums.weight[v];
        const float x = sums.x[v] * inv, y = sums.y[v] * inv, z = sums.z[v] * inv;
        const float averaged = std::sqrt(x * x + y * y + z * z) - kFlatRadius * sums.radius[v] * inv;
        field.averaged[v] = std::max(averaged, sums.nearest[v]);
        field.sparse[v] = sparsity(sums.weight[v] / full_sum(kSupport * sums.radius[v] * inv));
    }
    for (const std::uint32_t i : liquid.tube_lists.find(BlockKey::pack(c.x, c.y, c.z)))
        add_tube(liquid.tubes[i], origin, field.kept);
    for (std::size_t v = 0; v < kVoxels; ++v) {
        field.kept[v] = std::clamp(field.kept[v], -kBand, kBand);
        field.averaged[v] = std::clamp(std::min(field.averaged[v], field.kept[v]), -kBand, kBand);
    }
}

}  // namespace rivulet::surface
