#pragma once

#include <rivulet/render/ray_scene.h>
#include <rivulet/render/sampler.h>

namespace rivulet::render {

struct PathLimits {
    int depth = 20;              // surfaces on a path; clear ones count too
    int roulette_from = 4;       // scattering surfaces before paths may end by chance
    float brightest_inside = 4;  // the same for light seen through two or more clear surfaces
    float brightest = 12;        // light that arrives over a detour is cut here, against lone bright pixels
};

/// Light along a camera ray, and what the first surface that scatters looks like (guides of the denoiser).
struct PathLight {
    Vec3f radiance, albedo, normal;
    int rays = 0;  // traced for it, shadow rays with them
};

PathLight trace_path(const Scene& scene, const RayScene& rays, Ray ray, const PathLimits& limits,
                     Sampler& sampler);

/// Light from the sky in a direction.
Vec3f sky_light(const Sky& sky, const Vec3f& direction);

}  // namespace rivulet::render
