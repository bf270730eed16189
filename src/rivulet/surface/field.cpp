#include <rivulet/surface/field.h>

#include <rivulet/base/parallel.h>

namespace rivulet::surface {
namespace {

/// A point farther than this many radii from every particle is never liquid.
constexpr float kFarthest = 2.2f;
/// Share of a block that particles must fill before it counts as full.
constexpr double kFull = 0.6;
constexpr int kMostReach = 4;
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
    Layout layout;
    std::vector<std::uint64_t> touched;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (deep[k]) {
            layout.deep.push_back(BlockKey::unpack(keys[k]));
            continue;
        }
        touched.clear();
        // The averaged surface stays within kFarthest radii, the band lies around it.
        for (const std::uint32_t i : liquid.ball_lists.at(k)) {
            const Ball& b = liquid.balls[i];
            if (b.lone) continue;
            const double m = double(1.5f * b.radius + kBand);
            for_blocks(b.centre - Vec3d{m, m, m}, b.centre + Vec3d{m, m, m},
                       [&](std::uint64_t key) { touched.push_back(key); });
        }
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        layout.near.insert(layout.near.end(), touched.begin(), touched.end());
    }
    layout.near.insert(layout.near.end(), liquid.tube_lists.keys().begin(), liquid.tube_lists.keys().end());
    std::sort(layout.near.begin(), layout.near.end());
    layout.near.erase(std::unique(layout.near.begin(), layout.near.end()), layout.near.end());
    std::erase_if(layout.near, [&](std::uint64_t key) {
        const auto it = std::lower_bound(keys.begin(), keys.end(), key);
        return it != keys.end() && *it == key && deep[std::size_t(it - keys.begin())];
    });
    return layout;
}

namespace {

/// Weighted sums over particles at the voxels of one block.
struct Sums {
    std::array<float, 512> weight{}, x{}, y{}, z{}, radius{}, nearest;
    Sums() { nearest.fill(kBand + 1e3f); }
};

struct Range {
    int from, to;
    /// Voxels of a block within `support` of a coordinate local to the block.
    Range(float centre, float support)
        : from(std::max(0, int(std::ceil(centre - support)))),
          to(std::min(kBlock - 1, int(std::floor(centre + support)))) {}
};

void add_ball(const Ball& ball, const Vec3d& origin, Sums& s, std::array<float, 512>& kept) {
    const Vec3d local = ball.centre - origin;
    const float cx = float(local.x), cy = float(local.y), cz = float(local.z);
    const float support = std::min(kSupport * ball.radius, float(kMostReach * kBlock));
    const float inverse = 1 / (support * support), volume = ball.volume;
    const float extent = std::max(support, ball.core + kBand);
    const Range rx(cx, extent), ry(cy, extent), rz(cz, extent);
    for (int i = rx.from; i <= rx.to; ++i)
        for (int j = ry.from; j <= ry.to; ++j) {
            const float dx = cx - float(i), dy = cy - float(j), flat = dx * dx + dy * dy;
            for (int k = rz.from; k <= rz.to; ++k) {
                const auto v = std::size_t((i * kBlock + j) * kBlock + k);
                const float dz = cz - float(k), d2 = flat + dz * dz, d = std::sqrt(d2);
                const float w = volume * kernel(d2 * inverse);
                s.weight[v] += w;
                s.x[v] += w * dx;
                s.y[v] += w * dy;
                s.z[v] += w * dz;
                s.radius[v] += w * ball.radius;
                s.nearest[v] = std::min(s.nearest[v], d - kFarthest * ball.radius);
                kept[v] = std::min(kept[v], d - ball.core);
            }
        }
}

float tube_distance(const Tube& t, const Vec3d& p) {
    const Vec3d axis = t.b - t.a;
    const double l2 = squared_length(axis);
    const double s = l2 > 0 ? std::clamp(dot(p - t.a, axis) / l2, 0.0, 1.0) : 0.0;
    return float(length(p - t.a - axis * s)) - (t.radius_a + (t.radius_b - t.radius_a) * float(s));
}

void evaluate_block(const Liquid& liquid, FieldBlock& block) {
    const Vec3i c = block.coordinate;
    const Vec3d origin = to_double(c) * double(kBlock);
    block.averaged.fill(kBand);
    block.kept.fill(kBand);
    block.sparse.fill(1);
    Sums sums;
    const int n = liquid.reach;
    for (int dx = -n; dx <= n; ++dx)
        for (int dy = -n; dy <= n; ++dy)
            for (int dz = -n; dz <= n; ++dz)
                for (const std::uint32_t i :
                     liquid.ball_lists.find(BlockKey::pack(c.x + dx, c.y + dy, c.z + dz)))
                    if (!liquid.balls[i].lone) add_ball(liquid.balls[i], origin, sums, block.kept);
    for (std::size_t v = 0; v < 512; ++v) {
        if (!(sums.weight[v] > 0)) continue;
        const float inv = 1 / sums.weight[v];
        const float x = sums.x[v] * inv, y = sums.y[v] * inv, z = sums.z[v] * inv;
        const float averaged = std::sqrt(x * x + y * y + z * z) - kFlatRadius * sums.radius[v] * inv;
        block.averaged[v] = std::max(averaged, sums.nearest[v]);
        block.sparse[v] = sparsity(sums.weight[v] / full_sum(kSupport * sums.radius[v] * inv));
    }
    for (const std::uint32_t i : liquid.tube_lists.find(BlockKey::pack(c.x, c.y, c.z)))
        for (int v = 0; v < 512; ++v) {
            const Vec3d p = origin + Vec3d{double(v / 64), double(v / 8 % 8), double(v % 8)};
            float& kept = block.kept[std::size_t(v)];
            kept = std::min(kept, tube_distance(liquid.tubes[i], p));
        }
    for (std::size_t v = 0; v < 512; ++v) {
        block.kept[v] = std::clamp(block.kept[v], -kBand, kBand);
        block.averaged[v] = std::clamp(std::min(block.averaged[v], block.kept[v]), -kBand, kBand);
    }
}

}  // namespace

Field evaluate(const Liquid& liquid, const Layout& layout) {
    Field field;
    field.deep = layout.deep;
    field.blocks.resize(layout.near.size());
    parallel_for(layout.near.size(), [&](std::size_t b) {
        field.blocks[b].coordinate = BlockKey::unpack(layout.near[b]);
        evaluate_block(liquid, field.blocks[b]);
    });
    return field;
}

}  // namespace rivulet::surface
