#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <rivulet/grid/field.h>
#include <rivulet/grid/topology.h>

namespace rivulet::grid {

/// 1 where a face's velocity is known, 0 elsewhere.
using FaceFlags = std::array<AlignedVector<std::uint8_t>, 3>;

/// Faces whose velocity the pressure solve settles: those of liquid cells (phi < 0 on either side).
void faces_of_liquid(const Topology& topology, const Field& phi, FaceFlags& known);

/// Carries known face velocities outward into air and solids, layer by layer: an unknown face next to known
/// ones (26 around it) takes their mean, weights 4 across a cell face, 2 across an edge, 1 across a corner.
/// Faces no layer reaches keep their value: what spray brought there itself. On return `known` holds 1 +
/// layer for faces filled (1: known before).
class Extrapolation {
 public:
    void run(const Topology& topology, int layers, FaceField& velocity, FaceFlags& known);
    /// The same for one component.
    void run(const Topology& topology, int layers, Field& velocity, AlignedVector<std::uint8_t>& known);

 private:
    std::vector<std::uint8_t> has_;    // whether a block has known and unknown faces
    std::vector<std::uint8_t> grows_;  // has unknown ones, and known ones around
    Field next_;
    AlignedVector<std::uint8_t> next_known_;
};

}  // namespace rivulet::grid
