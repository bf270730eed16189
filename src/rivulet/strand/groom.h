#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include <rivulet/base/vec2.h>
#include <rivulet/base/vec3.h>
#include <rivulet/strand/curves.h>

namespace rivulet::strand {

struct Roots;

/// The shape strands are given from their roots on. Lengths in m, angles in rad.
struct GroomStyle {
    double length = 0.1;       // along the strand
    double length_spread = 0;  // lengths are uniform in length * (1 ± spread)
    double segment = 5e-3;     // length of a segment, about
    double radius_root = 45e-6, radius_tip = 30e-6;

    double lean = 0;                // angle between strand and surface normal
    Vec3d lean_direction{1, 0, 0};  // strands lean towards this
    double lean_spread = 0;         // random tilt on top, standard deviation

    double fall_length = 0;  // > 0: the strand turns into fall_direction over about this length
    Vec3d fall_direction{0, -1, 0};

    double curl_radius = 0, curl_pitch = 0;  // helix about the strand's line; radius 0: none
    bool curl_in_phase = false;              // all helices start alike; else at random angles

    std::size_t clump_count = 0;  // tufts; 0: none
    double clump_strength = 0.8;  // 0: no pull .. 1: tips meet
    double clump_shape = 1;       // pull grows as (distance from root / length)^shape

    double noise_amplitude = 0, noise_length = 0.02;  // smooth wandering off the line, per noise_length
    std::uint64_t seed = 0;
};

/// Signed distance and outward normal of what strands must stay out of while they are grown.
struct Clearance {
    double distance = 0;
    Vec3d normal{0, 1, 0};
};
using ClearanceAt = std::function<Clearance(const Vec3d&)>;

/// Parallel strands on a grid: count.x by count.y roots, spacing apart along `across` and `along`.
struct RowsGroom {
    Vec3d origin{};  // of the first root
    int columns = 1, rows = 1;
    Vec3d column_step{0.01, 0, 0}, row_step{0, 0, 0.01};  // m
    Vec3d direction{0, -1, 0};
};

/// Bristles on a round (size.x = diameter) or flat ferrule.
struct BrushGroom {
    std::size_t count = 100;
    bool round = true;
    Vec3d center{};
    Vec3d direction{0, -1, 0};  // bristles leave this way
    Vec3d side{1, 0, 0};        // flat: direction of its first side
    Vec2d size{0.02, 0.02};     // m; round: diameter first
    double splay = 0;           // outward tilt at the rim
};

/// Bristles around a cylinder's side.
struct RollerGroom {
    std::size_t count = 1000;
    Vec3d from{}, to{0.1, 0, 0};
    double radius = 0.02;
};

/// Strands out of a sphere.
struct BallGroom {
    std::size_t count = 1000;
    Vec3d center{};
    double radius = 0.02;
};

/// Grows strands from the roots. `clearance`, if given, keeps their lines outside of it.
Curves grow(const Roots& roots, const GroomStyle& style, const ClearanceAt& clearance = {});

}  // namespace rivulet::strand
