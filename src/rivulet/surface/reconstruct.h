#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rivulet/base/progress.h>
#include <rivulet/base/vec3.h>

namespace rivulet::surface {

/// Bulk liquid. `velocity` and `material` may be empty.
struct Particles {
    std::vector<Vec3d> position;         // m
    std::vector<Vec3d> velocity;         // m/s
    std::vector<double> volume;          // m^3
    std::vector<std::uint8_t> material;  // which liquid; empty: all the first
};

/// Liquid on lines: strands, or soaked yarn with its liquid per length as film area. Line k has the vertices
/// [start[k], start[k + 1]).
struct Films {
    std::vector<Vec3d> position, velocity;
    std::vector<double> radius;     // of the line itself, m
    std::vector<double> film_area;  // liquid cross-section, m^2
    std::vector<std::int64_t> start;
    std::vector<float> share;  // of each liquid in the film, row by row; empty: all the first
};

struct Options {
    double cell = 0;             // cell edge of the simulation, m; must be given
    double voxels_per_cell = 4;  // 8: full quality
    double join = 2;             // gaps up to about twice this many voxels close between film and bulk
    int smoothing = 1;           // passes of the smoothing between dilation and erosion
    std::size_t memory_limit = std::size_t{3} << 30;  // bytes; voxels grow until the grid fits
    std::size_t tile_blocks = 50'000;                 // blocks of 8³ voxels at work at the same time
    std::size_t liquids = 1;                          // how many materials there are, at most 256
};

struct SurfaceMesh {
    std::vector<Vec3f> position, velocity;
    std::vector<Vec3i> triangle;  // outwards, closed
    // Both empty where there is one liquid.
    std::vector<std::uint8_t> material;  // per triangle: the liquid that most of it is
    std::vector<float> material_weight;  // per vertex a row of all liquids that sums to 1
    double volume = 0;                   // enclosed, m^3
    double liquid_volume = 0;            // of particles and films: what the ledger counts
    double solid_volume = 0;             // of the wet lines inside the surface; volume = liquid + solid
    double voxel = 0;                    // edge used, m
    std::size_t tiles = 0;               // that it was made in
    double level = 0;  // how far the averaged surface was moved at most to hold the volume, m
};

/// The surface of the liquid: particles by averaged positions and radii (Zhu and Bridson 2005), tubes around
/// wet stretches of lines, joined by dilation, smoothing and erosion (dissertation 5.4, 15.4), at the level
/// that encloses the liquid's volume. The same bits for any number of threads. Particles or vertices that are
/// not finite are left out; arrays that do not fit are an InputError.
SurfaceMesh reconstruct(const Particles& particles, const Films& films, const Options& options,
                        const Progress& progress = {});

/// Where liquids in `inner` lie against others: their own surface, without what lies farther than about a
/// cell from any other liquid. It is not closed. What a clear liquid around them shows of them.
SurfaceMesh reconstruct_interface(const Particles& particles, const Options& options,
                                  const std::vector<bool>& inner, const Progress& progress = {});

}  // namespace rivulet::surface
