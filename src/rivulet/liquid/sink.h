#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <rivulet/geometry/bounds.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Removes all particles for which `gone(position)` holds; the test runs in parallel. Keeps scratch only.
class Remover {
 public:
    /// Adds what left the bulk liquid to `taken`, for the ledger; returns the number of particles.
    std::size_t remove(LiquidState& state, const std::function<bool(const Vec3d&)>& gone, LiquidTally& taken);

 private:
    std::vector<std::vector<std::uint32_t>> chunk_;
    std::vector<std::uint32_t> gone_;
};

/// Takes away the liquid inside a shape while start <= time < stop.
struct Sink {
    const geometry::Shape* shape = nullptr;
    double start = 0, stop = 1e30;  // s
};

std::size_t drain(LiquidState& state, Remover& remover, const Sink& sink, double time, LiquidTally& taken);

/// Takes away liquid outside `keep`, and what is not at a finite place at all: the kill region.
std::size_t drop_outside(LiquidState& state, Remover& remover, const geometry::Bounds& keep,
                         LiquidTally& taken);

}  // namespace rivulet::liquid
