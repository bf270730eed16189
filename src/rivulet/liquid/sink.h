#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <rivulet/geometry/bounds.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// What left the bulk liquid, for the ledger.
struct Taken {
    std::size_t particles = 0;
    double volume = 0;  // m^3
};

/// Removes all particles for which `gone(position)` holds; the test runs in parallel. Keeps scratch only.
class Remover {
 public:
    Taken remove(LiquidState& state, const std::function<bool(const Vec3d&)>& gone);

 private:
    std::vector<std::vector<std::uint32_t>> chunk_;
    std::vector<std::uint32_t> gone_;
};

/// Takes away the liquid inside a shape while start <= time < stop.
struct Sink {
    const geometry::Shape* shape = nullptr;
    double start = 0, stop = 1e30;  // s
};

Taken drain(LiquidState& state, Remover& remover, const Sink& sink, double time);

/// Takes away liquid outside `keep`, and what is not at a finite place at all: the kill region.
Taken drop_outside(LiquidState& state, Remover& remover, const geometry::Bounds& keep);

}  // namespace rivulet::liquid
