#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/geometry/bounds.h>
#include <rivulet/grid/occupancy.h>
#include <rivulet/liquid/state.h>

namespace rivulet::liquid {

/// Two particles touch in a step when, moving as they do, they come within so many cells of each other along
/// every axis at once. (The kernels of particles farther apart than that share hardly any face.)
inline constexpr double kTouch = 2;
/// A piece has at most so many particles, and at most the volume of so many cells, to fly by itself.
inline constexpr std::uint32_t kMostFlying = 32;
inline constexpr double kMostFlyingVolume = 1.01;

/// Pieces of liquid that nothing touches within a step. Liquid is in one piece where particles touch, each
/// with the next. A small piece without anything near feels no pressure that matters: its particles move as
/// free bodies, each with its own velocity and affine matrix, and need no grid:
///
///     u ← u + Δt g,    x ← x + Δt u,    C as it was.
///
/// Momentum and angular momentum about the centre of mass stay to round-off, as do volumes; a piece that
/// moves rigidly on the grid moves the same way there. What is in one piece does not depend on the order of
/// particles. Liquid in a block of 4³ cells with more than kMostFlying particles never flies.
class FreeFlight {
 public:
    /// Whether something that is not liquid may come within kTouch cells of the box over the step. Asked in
    /// parallel.
    using Near = std::function<bool(const geometry::Bounds& box)>;

    /// `fastest`: bound on all speeds at the start of the step [m/s]. `flies`: by material, whether nothing
    /// holds its drops together.
    void find(const LiquidState& now, double cell, const Vec3i& period, const StepView& view, double fastest,
              std::span<const std::uint8_t> flies, const Near& near);

    /// Particles of `now` that fly, increasing.
    std::span<const std::uint32_t> found() const { return found_; }

 private:
    enum class Fate : std::uint8_t { open, held, flies };
    struct Frame;  // of one search

    void judge(const Frame& frame, std::uint32_t at);
    void follow(const Frame& frame, std::uint32_t at);

    grid::Occupancy occupancy_;
    grid::Occupancy::Lists lists_;  // of blocks that are not crowded; places in it number the candidates
    std::vector<Fate> fate_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::uint32_t> piece_;
    std::vector<std::uint32_t> found_;
};

/// Moves the particles from `first` on, which fly.
void fly(LiquidState& state, std::size_t first, const StepView& view);

}  // namespace rivulet::liquid
