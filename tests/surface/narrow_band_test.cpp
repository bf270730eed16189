#include <rivulet/surface/narrow_band.h>

#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/surface/cell_patches.h>
#include <rivulet/surface/tiles.h>

namespace rivulet::surface {
namespace {

/// Blocks of a cube of `edge`³ blocks, filled with value(point).
template <class F>
NarrowBand band_of(int edge, F&& value) {
    std::vector<std::uint64_t> keys;
    for (int x = 0; x < edge; ++x)
        for (int y = 0; y < edge; ++y)
            for (int z = 0; z < edge; ++z) keys.push_back(BlockKey::pack(x, y, z));
    NarrowBand band(keys, [](std::uint64_t) { return false; });
    for (std::size_t b = 0; b < band.size(); ++b) {
        const Vec3d origin = to_double(BlockKey::unpack(band.key(b))) * double(kBlock);
        for (std::size_t v = 0; v < kVoxels; ++v) {
            const Vec3d p = origin + Vec3d{double(v / 64), double(v / 8 % 8), double(v % 8)};
            band.block(b)[v] = std::clamp(float(value(p)), -kBand, kBand);
        }
    }
    return band;
}
template <class F>
void for_voxels(NarrowBand& band, F&& visit) {
    for (std::size_t b = 0; b < band.size(); ++b) {
        const Vec3d origin = to_double(BlockKey::unpack(band.key(b))) * double(kBlock);
        for (std::size_t v = 0; v < kVoxels; ++v)
            visit(origin + Vec3d{double(v / 64), double(v / 8 % 8), double(v % 8)}, band.block(b)[v]);
    }
}

TEST(NarrowBand, DistanceToAPlaneIsExactFromAnySlope) {
    const Vec3d normal = normalized(Vec3d{1, 0.4, -0.7}), centre{12, 12, 12};
    // A field with the right zero and a wrong, uneven slope; linear across the surface.
    NarrowBand band = band_of(3, [&](const Vec3d& p) { return 0.37 * dot(p - centre, normal); });
    band.redistance(5, 9);
    for_voxels(band, [&](const Vec3d& p, float d) {
        const double exact = dot(p - centre, normal);
        // The planes' rim at the edge of the set does not count.
        if (length(p - centre) > 6 || std::abs(exact) > 3) return;
        EXPECT_NEAR(double(d), exact, 2e-3);
    });
}

TEST(NarrowBand, DistanceToASphere) {
    const Vec3d centre{12.3, 11.8, 12.1};
    NarrowBand band = band_of(3, [&](const Vec3d& p) { return 0.5 * (squared_length(p - centre) / 49 - 1); });
    band.redistance(4, 7);
    for_voxels(band, [&](const Vec3d& p, float d) {
        const double exact = length(p - centre) - 7;
        if (std::abs(exact) < 3) {
            EXPECT_NEAR(double(d), exact, 0.35);
        }
    });
}

TEST(NarrowBand, SmoothingLeavesPlanesAndUniformStretchesAlone) {
    NarrowBand band = band_of(4, [](const Vec3d& p) { return p.x - 20.25; });
    band.redistance(kBand, 6);
    band.smooth(1);
    for_voxels(band, [](const Vec3d& p, float d) {
        // What lies around the set counts as outside; its rim is left out.
        if (std::min(p.y, p.z) < 12 || std::max(p.y, p.z) > 19) return;
        if (std::abs(p.x - 20.25) < 0.3) {
            EXPECT_NEAR(double(d), p.x - 20.25, 0.05);
        } else if (p.x > 7 && p.x < 12) {
            EXPECT_EQ(d, -kBand);
        } else if (p.x > 28) {
            EXPECT_EQ(d, kBand);
        }
    });
}

/// Two slabs with a gap: dilation, smoothing and erosion fill narrow gaps and leave wide ones.
double value_in_gap(double gap, double join) {
    const Joining j{join, 1, 1};
    NarrowBand band = band_of(4, [&](const Vec3d& p) { return gap / 2 - std::abs(p.x - 15.5); });
    band.redistance(std::max(kBand, float(join) + j.smoothed_band()), j.dilation_sweeps());
    band.shift(float(-join), j.smoothed_band());
    band.smooth(1);
    band.redistance(kBand + float(join), j.erosion_sweeps());
    band.shift(float(join), kBand);
    double value = 0;
    for_voxels(band, [&](const Vec3d& p, float d) {
        if (p == Vec3d{15, 15, 15}) value = double(d);
    });
    return value;
}
TEST(NarrowBand, NarrowGapsCloseAndWideOnesStay) {
    EXPECT_LT(value_in_gap(2.0, 2), -0.5);
    EXPECT_GT(value_in_gap(8.0, 2), 0.5);
}

TEST(CellPatches, NeighboursAgreeOnTheirFace) {
    const CellPatches table = make_cell_patches();
    EXPECT_EQ(table.count[0], 0);
    EXPECT_EQ(table.count[255], 0);
    EXPECT_EQ(table.count[0b00000001], 1);
    EXPECT_EQ(table.count[0b00001111], 1);
    // Two corners across the cell: two pieces; two outside corners on a face's diagonal: two as well.
    EXPECT_EQ(table.count[0b10000001], 2);
    EXPECT_EQ(table.count[0b11110110], 2);
    // Two inside corners on a face's diagonal hang together.
    EXPECT_EQ(table.count[0b00001001], 1);
    // Each piece is a closed ring of at least three crossings.
    for (std::size_t inside = 1; inside < 255; ++inside) {
        std::array<int, 4> edges{};
        for (const int patch : table.patch[inside])
            if (patch >= 0) ++edges[std::size_t(patch)];
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(edges[k] >= 3, k < table.count[inside]) << inside;
    }
}

TEST(VolumeCurve, HoldsTheVolumeAtEveryLevel) {
    // A plane at x = 3.25 of the block, sparseness 1.
    PackedBlock block;
    for (std::size_t v = 0; v < kVoxels; ++v) {
        const float d = std::clamp(float(v / 64) - 3.25f, -kBand, kBand);
        block.joined[v] = std::int16_t(std::lround(d * PackedBlock::kScale));
        block.kept[v] = std::int16_t(kBand * PackedBlock::kScale);
        block.sparse[v] = 255;
    }
    VolumeCurve curve;
    curve.add(block);
    curve.add_inside(1000);
    for (const double level : {-1.5, 0.0, 0.6, 1.9})
        EXPECT_NEAR(curve.level_for(1000 + 64 * (3.75 + level)), level, 2e-3);
}

}  // namespace
}  // namespace rivulet::surface
