#pragma once

#include <span>

#include <rivulet/geometry/solid_field.h>
#include <rivulet/grid/face_boundary.h>
#include <rivulet/grid/topology.h>
#include <rivulet/obstacle/description.h>

namespace rivulet::coupling {

/// Area fractions below this are closed, above 1 − this open (Zarifi 2017 §4.4): slivers would only spoil the
/// condition of the pressure system.
inline constexpr double kLeastOpenFraction = 0.01;

/// An open fraction with slivers rounded away.
constexpr double without_slivers(double open) {
    return open < kLeastOpenFraction ? 0.0 : open > 1 - kLeastOpenFraction ? 1.0 : open;
}

grid::WallRule wall_rule(const obstacle::Wall& wall);

class BoundaryMemory;

/// What the liquid's grid knows of solids at the end of a step.
struct SolidBoundary {
    grid::FaceBoundary faces;
    grid::Field distance;     // at cell centres [m], < 0 in solids, at most 3 cells
    grid::Field free_kernel;  // part of the kernel around each cell centre not in solids, 0..1
};

/// Face area fractions from the solids' distances at face corners (cut by straight lines; exact where flat
/// walls meet), their velocity at face centres and the wall rule of the nearest one, within 3 cells of a
/// solid. `walls`: rule of each obstacle by its index. A solid thinner than a cell may fit between corners:
/// it then stops particles but not the pressure. With a memory, blocks it knows from steps before are copied.
void find_boundary(const grid::Topology& topology, const geometry::SolidField& solids,
                   std::span<const obstacle::Wall> walls, SolidBoundary& boundary,
                   BoundaryMemory* memory = nullptr);

/// Part of each cell not in solids, 0..1, at the end of a step.
void find_open_volume(const grid::Topology& topology, const geometry::SolidField& solids, grid::Field& open);

/// Whether a cell's centre of block b is closer to a solid than `distance` [m], up to 3 cells.
bool closer_to_solids(const SolidBoundary& boundary, std::size_t b, double distance);

/// No cell centre of a block is within 3 cells of a solid.
bool far_from_solids(const grid::Topology& topology, const SolidBoundary& boundary, std::size_t b);

/// Change of the solids' distance across a cell along each axis, twice its slope [m]; zero at the edge of the
/// grid.
Vec3d distance_slope(const grid::Topology& topology, const grid::Field& distance, std::size_t b,
                     const Vec3i& at);

/// Continues the liquid's distance into solids, where particles cannot tell it, straight across the wall:
/// liquid so meets walls at right angles.
void continue_into_solids(const grid::Topology& topology, const SolidBoundary& boundary, grid::Field& phi);

}  // namespace rivulet::coupling
