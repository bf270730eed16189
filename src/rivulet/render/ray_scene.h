#pragma once

#include <memory>

#include <rivulet/render/scene.h>

namespace rivulet::render {

struct Ray {
    Vec3f origin, direction;  // unit direction
    float time = 0;           // 0 .. 1 of the shutter
};

struct Hit {
    float distance = 0;
    Vec3f position;
    Vec3f geometric_normal;  // unit, outwards
    Vec3f normal;            // unit, for shading, on the side of geometric_normal
    Vec3f tangent;           // unit, along a curve; zero elsewhere
    float radius = 0;        // of the curve, m
    float wetness = 0;
    int material = 0;
    bool on_ground = false;
};

/// Triangles, curves and spheres of a scene, ready for rays. Valid as long as the scene it was made from.
class RayScene {
 public:
    /// Curves are drawn at least `least_radius_angle` (rad) wide as seen from the camera, so that a hair
    /// does not fall between pixels; `shutter` in seconds.
    RayScene(const Scene& scene, float least_radius_angle, float shutter);
    ~RayScene();
    RayScene(RayScene&&) noexcept;

    /// The nearest surface within (0, farthest).
    bool intersect(const Ray& ray, float farthest, Hit& hit) const;
    /// Share of light that arrives over this distance: 0 behind opaque things; liquid and glass let it
    /// through unbent, less what they reflect and absorb.
    Vec3f transmittance(const Ray& ray, float distance) const;
    /// Lengths below this are rounding.
    float epsilon() const;

 private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace rivulet::render
