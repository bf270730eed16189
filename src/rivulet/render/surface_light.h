#pragma once

#include <rivulet/render/ray_scene.h>
#include <rivulet/render/sampler.h>

namespace rivulet::render {

/// What a surface does with light between two directions: scattered = value * incoming per solid angle,
/// the cosine included; density is that of `sample` for the incoming direction.
struct Scattering {
    Vec3f value;
    float density = 0;
};

/// A direction drawn from a surface; weight = value / density. Density 0: a perfect mirror or a boundary.
struct Bounce {
    Vec3f direction, weight;
    float density = 0;
    bool valid = false;
};

/// Diffuse under a clear dielectric coat, both sides of the surface alike.
Scattering opaque_scattering(const Material& m, const Hit& hit, const Vec3f& to_viewer,
                             const Vec3f& to_light);
Bounce opaque_bounce(const Material& m, const Hit& hit, const Vec3f& to_viewer, Sample2 pick,
                     Sample2 direction);

/// Fibre of Marschner et al. 2003 in the near field, with the longitudinal lobes of d'Eon et al. 2011 and the
/// roughness and colour fits of Chiang et al. 2016.
Scattering hair_scattering(const Material& m, const Hit& hit, const Vec3f& to_viewer, const Vec3f& to_light);
Bounce hair_bounce(const Material& m, const Hit& hit, const Vec3f& to_viewer, Sample2 pick,
                   Sample2 longitudinal);

/// Reflected or refracted at a smooth boundary (liquid), or through a thin pane (glass).
Bounce clear_bounce(const Material& m, const Hit& hit, const Vec3f& to_viewer, float pick);

/// Colour after wetting: liquid in the pores darkens and saturates.
Vec3f wet_colour(const Material& m, float wetness);

}  // namespace rivulet::render
