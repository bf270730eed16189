#pragma once

#include <cstdint>

#include <rivulet/geometry/bounds.h>

namespace rivulet::geometry {

/// Where the distance to a mesh is sampled (SampledDistance): known from its box and its area, before any
/// sample is taken. Blocks of samples every `spacing` lie around the surface, blocks of four times that
/// around those, and so on: their number grows with the area, not with the volume.
struct SamplePlan {
    static constexpr int kBlock = 4;    // cells of a block along an axis
    static constexpr double kBand = 4;  // spacings from the surface that the finest blocks cover at least
    static constexpr double kMostBlocks = 1 << 20;  // of the finest: half a gigabyte
    static constexpr double kMostTop = 1 << 17;     // samples of the coarsest lattice

    double spacing = 0;  // m
    Vec3d origin;        // of all lattices [m]
    Vec3i cells;         // of kBlock spacings, in the box of the mesh and half its size around it
    int levels = 1;      // from the coarsest lattice to the finest
    double blocks = 0;   // of the finest level, about

    /// Bytes of all samples, about.
    double bytes() const;
    /// Spacings between samples of the coarsest lattice.
    int stride() const { return 1 << (2 * levels); }
    Vec3i top_points() const;
};

/// The spacing asked for, whatever that takes.
SamplePlan plan_samples(const Bounds& mesh, double area, double spacing);
/// The spacing asked for, or the least above it (in steps of a quarter) that takes `most` blocks.
SamplePlan plan_affordable_samples(const Bounds& mesh, double area, double spacing,
                                   double most = SamplePlan::kMostBlocks);

}  // namespace rivulet::geometry
