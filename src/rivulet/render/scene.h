#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::render {

/// How light meets a surface.
enum class Look {
    opaque,  // diffuse under a clear coat: bodies, obstacles, cloth, thick liquids, noodles
    hair,    // fibre with reflection, transmission and internal reflection (curves only)
    liquid,  // clear dielectric with refraction and absorption; the mesh must be closed, normals outwards
    glass,   // thin pane: faint reflection, light passes straight through
};

/// Colours are linear, not sRGB.
struct Material {
    Look look = Look::opaque;
    Vec3f colour{0.6f, 0.6f, 0.6f};  // opaque, hair: reflected share; liquid: what is left of white light
    float absorption_depth = 0.05f;  // liquid: ... after this many metres
    float coat = 0;                  // opaque: share of the clear coat, 0 matte .. 1 glossy
    float roughness = 0.3f;          // coat or hair, 0 mirror .. 1 dull
    float refraction = 1.33f;        // index of liquid or coat
    float lone_fibres = 0;           // hair: 0 a volume of hair has the colour .. 1 each fibre has it
    float wet_darkening = 0.55f;     // wetness 1 multiplies colour by about 1 - this
    bool only_backfaces = false;     // mesh sides that face the viewer are left out
    bool operator==(const Material&) const = default;
};

/// Optional arrays are empty or as long as `position`.
struct Mesh {
    std::vector<Vec3f> position;  // m
    std::vector<Vec3i> triangle;
    std::vector<Vec3f> normal;    // shading normals; empty: flat
    std::vector<Vec3f> velocity;  // m/s, for motion blur
    std::vector<float> wetness;   // 0 dry .. 1 soaked
    int material = 0;
};

/// Round curves, vertex after vertex; curve k is [start[k], start[k + 1]).
struct Curves {
    std::vector<Vec3f> position;
    std::vector<float> radius;
    std::vector<std::int64_t> start;
    std::vector<Vec3f> velocity;
    std::vector<float> wetness;
    int material = 0;
};

struct Spheres {
    std::vector<Vec3f> position;
    std::vector<float> radius;
    std::vector<Vec3f> velocity;
    int material = 0;
};

/// A horizontal floor that fades into the backdrop away from `centre`.
struct Ground {
    bool shown = false;
    float height = 0;
    Vec3f colour{0.62f, 0.62f, 0.63f};
    float checker = 0.05f;      // relative contrast of the pattern
    float checker_size = 0.1f;  // m
    Vec3f centre;
    float fade_from = 3, fade_to = 9;  // m from centre
};

/// Light from far away. Zenith and horizon blend by height; a broad soft lobe gives shape to reflections.
struct Sky {
    Vec3f zenith{0.75f, 0.85f, 1.0f}, horizon{0.95f, 0.95f, 0.95f}, below{0.55f, 0.54f, 0.53f};
    Vec3f lobe{0, 0, 0}, lobe_direction{0, 1, 0};
    float lobe_sharpness = 12;
    bool has_backdrop = false;  // what the camera sees instead of the sky
    Vec3f backdrop_top{0.80f, 0.83f, 0.88f}, backdrop_bottom{0.80f, 0.80f, 0.80f};

    static Sky uniform(Vec3f radiance) {
        Sky sky;
        sky.zenith = sky.horizon = sky.below = radiance;
        return sky;
    }
};

/// A rectangle corner + s*u + t*v that shines on the side of cross(u, v).
struct AreaLight {
    Vec3f corner, u, v;
    Vec3f radiance{0, 0, 0};
    bool shines() const { return radiance.x > 0 || radiance.y > 0 || radiance.z > 0; }
};

struct Camera {
    Vec3f position{0, 0, 1}, target, up{0, 1, 0};
    float vertical_fov = 0.6f;  // rad
};

struct Scene {
    std::vector<Material> materials;
    std::vector<Mesh> meshes;
    std::vector<Curves> curves;
    std::vector<Spheres> spheres;
    Ground ground;
    Sky sky;
    AreaLight light;
    Camera camera;
};

/// Throws InputError when arrays do not fit each other, indices point outside or numbers are not finite.
void validate(const Scene& scene);

}  // namespace rivulet::render
