#include <rivulet/grid/continuation.h>

#include <rivulet/base/parallel.h>

namespace rivulet::grid {

namespace {

/// The kernel brings mass 1.5 cells beyond liquid cells.
constexpr int kChangeLayers = 2;
/// From there on: particles move up to two cells, and their kernel reaches 1.5.
constexpr int kEmptyLayers = 3;

}  // namespace

void Continuation::run(const Topology& topology, const FaceField& mass, FaceFlags& known,
                       FaceField& velocity) {
    const auto for_faces = [&](auto&& body) {
        for (std::size_t a = 0; a < 3; ++a)
            parallel_chunks(velocity[a].size(), 16384, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t f = begin; f < end; ++f) body(a, f);
            });
    };
    for (std::size_t a = 0; a < 3; ++a) {
        change_[a].resize(velocity[a].size());
        changed_[a].resize(velocity[a].size());
    }
    for_faces([&](std::size_t a, std::size_t f) {
        change_[a][f] = velocity[a][f] - before_[a][f];
        changed_[a][f] = known[a][f];
    });
    extrapolation_.run(topology, kChangeLayers, change_, changed_);
    for_faces([&](std::size_t a, std::size_t f) {
        if (known[a][f] || !changed_[a][f] || !(mass[a][f] > 0)) return;
        velocity[a][f] = before_[a][f] + change_[a][f];
        known[a][f] = 1;
    });
    extrapolation_.run(topology, kEmptyLayers, velocity, known);
}

}  // namespace rivulet::grid
