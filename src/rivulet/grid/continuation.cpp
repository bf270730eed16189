#include <rivulet/grid/continuation.h>

#include <rivulet/base/parallel.h>

namespace rivulet::grid {

namespace {

/// The kernel brings mass 1.5 cells beyond liquid cells.
constexpr int kChangeLayers = 2;
/// From there on: particles move up to two cells, and their kernel reaches 1.5.
constexpr int kEmptyLayers = 3;
/// Beyond faces with mass: paths of up to two cells are looked at half-way, one layer out; one to spare.
constexpr int kLayersBeyondMass = 2;

}  // namespace

void Continuation::run(const Topology& topology, const FaceField& mass, const FaceField& before,
                       FaceFlags& known, FaceField& velocity) {
    const std::size_t faces = topology.cells();
    change_.resize(faces);
    changed_.resize(faces);
    for (std::size_t a = 0; a < 3; ++a) {
        parallel_chunks(faces, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f) {
                change_[f] = velocity[a][f] - before[a][f];
                changed_[f] = known[a][f];
            }
        });
        extrapolation_.run(topology, kChangeLayers, change_, changed_);
        parallel_chunks(faces, 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t f = begin; f < end; ++f) {
                if (known[a][f] || !changed_[f] || !(mass[a][f] > 0)) continue;
                velocity[a][f] = before[a][f] + change_[f];
                known[a][f] = 1;
            }
        });
    }
    extrapolation_.run(topology, kEmptyLayers, velocity, known);
}

void Continuation::run_beyond_mass(const Topology& topology, FaceFlags& known, FaceField& velocity) {
    extrapolation_.run(topology, kLayersBeyondMass, velocity, known);
}

}  // namespace rivulet::grid
