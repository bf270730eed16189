#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "grid/node_loop.h"

#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/submerged_elements.h>
#include <rivulet/grid/transfer.h>

namespace rivulet::grid {
namespace {

constexpr double kCell = 0.02;

/// Random points in a cube of `span` cells around the origin, from 0 on periodic axes.
SubmergedElements made_up(std::size_t count, double span) {
    const Random where(5, 0), how(5, 1), which(5, 2), size(5, 3);
    SubmergedElements e;
    e.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        e.position[i] = (where.uniform3(i) - Vec3d{0.5, 0.5, 0.5}) * (span * kCell);
        e.velocity[i] = how.uniform3(i) - Vec3d{0.5, 0.5, 0.5};
        e.axis[i] = normalized(which.uniform3(i) - Vec3d{0.5, 0.5, 0.5});
        e.volume[i] = 1e-9 * (0.2 + size.uniform(i));
        e.radius[i] = 1e-4;
        e.drag[i] = {1e-3 * size.uniform(count + i), 2e-3 * size.uniform(2 * count + i)};
        e.owner[i] = std::uint32_t(i);
    }
    return e;
}

Topology blocks_around(std::span<const Vec3d> points, Vec3i period = {}) {
    TopologyBuilder builder;
    Topology topology;
    builder.start(kCell, period);
    builder.add_points(points);
    builder.build(topology);
    return topology;
}

struct Rasterised {
    WetElements wet;
    SubmergedFields fields;
    Rasterised(const Topology& topology, const SubmergedElements& elements) {
        wet.sort(topology, elements);
        rasterise(topology, wet, elements, fields);
    }
};

double sum(const Field& f) {
    return accurate_sum(f.size(), [&](std::size_t i) { return f[i]; });
}

FaceField random_faces(const Topology& topology, std::uint64_t seed) {
    const Random random(seed, 0);
    FaceField f;
    fill(f, topology.cells(), 0.0);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t i = 0; i < f[a].size(); ++i) f[a][i] = random.uniform(3 * i + a) - 0.4;
    return f;
}

void expect_same_bits(const FaceField& a, const FaceField& b) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_TRUE(a[c] == b[c]);
}
void expect_same_bits(const SubmergedFields& a, const SubmergedFields& b) {
    expect_same_bits(a.volume, b.volume);
    expect_same_bits(a.flux, b.flux);
    expect_same_bits(a.drag, b.drag);
    expect_same_bits(a.pull, b.pull);
}

/// Volume, volume * velocity, drag, drag * velocity of component a.
std::array<double, 4> shares(const SubmergedElements& e, std::size_t i, int a) {
    const double t = e.axis[i][a], u = e.velocity[i][a];
    const double drag = e.drag[i].across * (1 - t * t) + e.drag[i].along * t * t;
    return {e.volume[i], e.volume[i] * u, drag, drag * u};
}

TEST(SubmergedElements, DragIsTheDiagonalOfItsTensor) {
    const AxialDrag drag{3, 5};
    const Vec3d axis = normalized(Vec3d{1, -2, 0.5});
    for (int a = 0; a < 3; ++a) {
        Vec3d e;
        e[a] = 1;
        const Vec3d force = axis * (dot(axis, e) * drag.along) + (e - axis * dot(axis, e)) * drag.across;
        EXPECT_NEAR(drag.diagonal(axis)[a], force[a], 1e-14);
    }
}

TEST(SubmergedElements, FacesAgreeWithThePlainLoop) {
    const SubmergedElements e = made_up(700, 9);
    const Topology t = blocks_around(e.position);
    const Rasterised r(t, e);
    ASSERT_EQ(r.wet.count(), e.size());
    for (int a = 0; a < 3; ++a) {
        std::map<std::tuple<int, int, int>, std::array<double, 4>> plain;
        for (std::size_t i = 0; i < e.size(); ++i)
            for_nodes(t, e.position[i], a, [&](const Vec3i& n, double w, const Vec3d&, const Vec3d&) {
                const auto s = shares(e, i, a);
                for (std::size_t q = 0; q < 4; ++q) plain[{n.x, n.y, n.z}][q] += w * s[q];
            });
        const std::size_t c = std::size_t(a);
        const Field* fields[4] = {&r.fields.volume[c], &r.fields.flux[c], &r.fields.drag[c],
                                  &r.fields.pull[c]};
        const double scale[4] = {1e-8, 1e-8, 1e-2, 1e-2};
        for (std::size_t q = 0; q < 4; ++q) {
            double elsewhere = 0;
            for (const double v : *fields[q]) elsewhere += std::abs(v);
            for (const auto& [n, s] : plain) {
                const auto i = t.index(Vec3i{std::get<0>(n), std::get<1>(n), std::get<2>(n)});
                ASSERT_GE(i, 0);
                EXPECT_NEAR((*fields[q])[std::size_t(i)], s[q], 1e-14 * scale[q]);
                elsewhere -= std::abs((*fields[q])[std::size_t(i)]);
            }
            EXPECT_NEAR(elsewhere, 0, 1e-12 * scale[q]);
        }
    }
}

TEST(SubmergedElements, VolumesAndMomentaClose) {
    for (const Vec3i& period : {Vec3i{}, Vec3i{8, 12, 0}}) {
        const SubmergedElements e = made_up(3000, 14);
        const Topology t = blocks_around(e.position, period);
        const Rasterised r(t, e);
        ASSERT_EQ(r.wet.count(), e.size());
        for (int a = 0; a < 3; ++a) {
            const std::size_t c = std::size_t(a);
            const Field* fields[4] = {&r.fields.volume[c], &r.fields.flux[c], &r.fields.drag[c],
                                      &r.fields.pull[c]};
            for (std::size_t q = 0; q < 4; ++q) {
                const double own = accurate_sum(e.size(), [&](std::size_t i) { return shares(e, i, a)[q]; });
                const double all =
                    accurate_sum(e.size(), [&](std::size_t i) { return std::abs(shares(e, i, a)[q]); });
                EXPECT_NEAR(sum(*fields[q]), own, 1e-15 * all) << "axis " << a << ", quantity " << q;
            }
        }
    }
}

TEST(SubmergedElements, ReturningIsTheTransposeOfGiving) {
    const SubmergedElements e = made_up(1000, 11);
    const Topology t = blocks_around(e.position);
    const Rasterised r(t, e);
    const FaceField faces = random_faces(t, 3);
    std::vector<Vec3d> sampled(e.size());
    sample_at_elements(t, r.wet, e, faces, sampled);
    for (std::size_t a = 0; a < 3; ++a) {
        const double by_faces =
            accurate_sum(t.cells(), [&](std::size_t i) { return faces[a][i] * r.fields.volume[a][i]; });
        const double by_points =
            accurate_sum(e.size(), [&](std::size_t i) { return sampled[i][int(a)] * e.volume[i]; });
        EXPECT_NEAR(by_faces, by_points, 1e-14 * sum(r.fields.volume[a]));
    }
    for_nodes(t, e.position[7], 1, [&](const Vec3i& n, double w, const Vec3d&, const Vec3d&) {
        sampled[7].y -= w * faces[1][std::size_t(t.index(n))];
    });
    EXPECT_NEAR(sampled[7].y, 0, 1e-15);
}

TEST(SubmergedElements, PointsTakeTheImpulseThatFacesGive) {
    SubmergedElements e = made_up(2000, 12);
    for (std::size_t i = 0; i < e.size(); i += 3) e.drag[i] = {};  // some have no share at all
    const Topology t = blocks_around(e.position);
    const Rasterised r(t, e);
    for (const Share share : {Share::volume, Share::drag}) {
        const FaceField& shared = share == Share::volume ? r.fields.volume : r.fields.drag;
        FaceField impulse = random_faces(t, 4);
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t i = 0; i < t.cells(); ++i)
                if (!(shared[a][i] > 0)) impulse[a][i] = 0;
        std::vector<Vec3d> got(e.size());
        hand_to_elements(t, r.wet, e, r.fields, share, impulse, got);
        for (std::size_t a = 0; a < 3; ++a) {
            const double given = sum(impulse[a]);
            const double all =
                accurate_sum(t.cells(), [&](std::size_t i) { return std::abs(impulse[a][i]); });
            const double taken = accurate_sum(e.size(), [&](std::size_t i) { return got[i][int(a)]; });
            EXPECT_NEAR(taken, given, 1e-15 * all);
        }
        if (share == Share::drag) {
            EXPECT_EQ(got[3], Vec3d{});
        }
    }
}

TEST(SubmergedElements, ConstantFieldsAreReadExactly) {
    const SubmergedElements e = made_up(300, 8);
    const Topology t = blocks_around(e.position);
    const Rasterised r(t, e);
    FaceField faces;
    fill(faces, t.cells(), 2.5);
    std::vector<Vec3d> sampled(e.size());
    sample_at_elements(t, r.wet, e, faces, sampled);
    for (const Vec3d& s : sampled) EXPECT_LT(length(s - Vec3d{2.5, 2.5, 2.5}), 1e-14);
    SubmergedFields f = r.fields;
    velocity_from_momentum(f.volume, f.flux);
    for (std::size_t a = 0; a < 3; ++a)
        for (const double u : f.flux[a]) EXPECT_LE(std::abs(u), 0.5);
}

TEST(SubmergedElements, PointsOffTheGridAreDryAndChangeNoBit) {
    const SubmergedElements wet = made_up(500, 8);
    const Topology t = blocks_around(wet.position);
    SubmergedElements all = wet;
    const std::size_t n = wet.size();
    all.resize(n + 4);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    all.position[n] = {1e3, 0, 0};
    all.position[n + 1] = {0, nan, 0};
    all.position[n + 2] = {1e300, 0, 0};
    const Vec3i corner = t.corner.back();  // the last block in key order: nothing above it
    all.position[n + 3] = (to_double(corner) + Vec3d{3.9, 3.9, 3.9}) * kCell;
    for (std::size_t i = n; i < all.size(); ++i)
        all.volume[i] = 1, all.velocity[i] = {1, 1, 1}, all.axis[i] = {1, 0, 0}, all.drag[i] = {1, 1};
    const Rasterised a(t, wet), b(t, all);
    EXPECT_EQ(b.wet.count(), n);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(b.wet.is_wet(i), i < n);
    expect_same_bits(a.fields, b.fields);
    std::vector<Vec3d> sampled(all.size(), Vec3d{9, 9, 9});
    sample_at_elements(t, b.wet, all, random_faces(t, 6), sampled);
    for (std::size_t i = n; i < all.size(); ++i) EXPECT_EQ(sampled[i], Vec3d{});
}

TEST(SubmergedElements, AllDryMakesNoFields) {
    const SubmergedElements e = made_up(10, 2);
    const Topology far = blocks_around(std::vector<Vec3d>{{100, 0, 0}});
    const Rasterised r(far, e), on_nothing(Topology{}, e);
    EXPECT_EQ(r.wet.count(), 0u);
    EXPECT_TRUE(r.fields.empty());
    EXPECT_EQ(on_nothing.wet.count(), 0u);
    std::vector<Vec3d> impulse(e.size(), Vec3d{1, 1, 1});
    FaceField none;
    fill(none, far.cells(), 0.0);
    hand_to_elements(far, r.wet, e, r.fields, Share::drag, none, impulse);
    for (const Vec3d& j : impulse) EXPECT_EQ(j, Vec3d{});
}

TEST(SubmergedElements, ThreadsAndTheOrderOfStrangersChangeNoBit) {
    const SubmergedElements e = made_up(20000, 20);
    const Topology t = blocks_around(e.position);
    const auto at = [&](int threads) {
        return with_threads(threads, [&] {
            const Rasterised r(t, e);
            std::vector<Vec3d> impulse(e.size());
            hand_to_elements(t, r.wet, e, r.fields, Share::drag, r.fields.pull, impulse);
            return std::pair(r.fields, impulse);
        });
    };
    const auto one = at(1), three = at(3);
    expect_same_bits(one.first, three.first);
    EXPECT_TRUE(one.second == three.second);
}

}  // namespace
}  // namespace rivulet::grid
