#include <rivulet/render/studio.h>

#include <algorithm>

namespace rivulet::render {

void light_studio(Scene& scene, const Box& box, float floor) {
    const float size = std::max(length(box.size()), 1e-3f);
    const Vec3f centre = box.centre();
    Ground& ground = scene.ground;
    ground.shown = true;
    ground.height = floor - 1e-4f * size;
    ground.centre = centre;
    ground.colour = {0.32f, 0.32f, 0.325f};
    ground.checker = 0.02f;
    ground.checker_size = 0.11f * size;
    ground.fade_from = 0.7f * size;
    ground.fade_to = 2.6f * size;

    Sky& sky = scene.sky;
    sky.zenith = {0.36f, 0.42f, 0.50f};
    sky.horizon = {0.34f, 0.35f, 0.37f};
    sky.below = {0.16f, 0.16f, 0.16f};
    sky.lobe = {3.2f, 3.05f, 2.9f};
    sky.lobe_direction = normalized(Vec3f{-0.45f, 0.42f, -0.80f});
    sky.lobe_sharpness = 16;
    sky.has_backdrop = true;
    // Darker than the lit floor everywhere: the floor fades out without a band at the horizon.
    sky.backdrop_bottom = {0.20f, 0.215f, 0.235f};
    sky.backdrop_top = {0.055f, 0.065f, 0.085f};

    // Left of the camera's three-quarter view, so that shadows fall to the right and towards the back.
    const Vec3f from = normalized(Vec3f{-0.25f, 1.0f, 0.75f});
    const Vec3f side = normalized(cross(Vec3f{0, 1, 0}, from)), up = cross(from, side);
    const float width = 0.55f * size;
    scene.light.u = up * width;
    scene.light.v = side * width;
    scene.light.corner = centre + from * (1.8f * size) - (scene.light.u + scene.light.v) * 0.5f;
    scene.light.radiance = {34.0f, 32.0f, 29.0f};
}

}  // namespace rivulet::render
