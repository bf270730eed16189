#include <rivulet/render/render.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/render/camera.h>
#include <rivulet/render/optics.h>
#include <rivulet/render/path.h>
#include <rivulet/render/studio.h>
#include <rivulet/render/surface_light.h>

namespace rivulet::render {
namespace {

Mesh box_mesh(Vec3f low, Vec3f high, int material) {
    Mesh m;
    for (int i = 0; i < 8; ++i)
        m.position.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& q : quads) {
        m.triangle.push_back({q[0], q[1], q[2]});
        m.triangle.push_back({q[0], q[2], q[3]});
    }
    m.material = material;
    return m;
}

Scene sphere_in_uniform_light(const Material& material) {
    Scene s;
    s.materials = {material};
    s.spheres.push_back({{{0, 0, 0}}, {0.5f}, {}, 0});
    s.sky = Sky::uniform({0.7f, 0.7f, 0.7f});
    s.camera.position = {0, 0, 3};
    return s;
}

Options small(int samples) {
    Options o;
    o.width = 32;
    o.height = 24;
    o.samples = samples;
    o.least_samples = samples;
    o.denoise = false;
    return o;
}

/// Everything at once, small.
Scene busy_scene() {
    Scene s;
    Material hair, water, cream;
    hair.look = Look::hair;
    hair.colour = {0.4f, 0.2f, 0.1f};
    water.look = Look::liquid;
    water.colour = {0.5f, 0.8f, 0.9f};
    cream.coat = 0.5f;
    s.materials = {hair, water, cream};
    Curves c;
    c.start = {0};
    const Random random(1, 2);
    for (std::uint64_t k = 0; k < 60; ++k) {
        const Vec3d u = random.uniform3(k);
        for (int i = 0; i < 6; ++i) {
            c.position.push_back({float(u.x - 0.7), float(0.9 - 0.16 * i), float(u.z * 0.4 + 0.02 * i)});
            c.radius.push_back(0.01f);
            c.wetness.push_back(0.2f * float(i));
            c.velocity.push_back({1, 0, 0});
        }
        c.start.push_back(std::int64_t(c.position.size()));
    }
    s.curves.push_back(c);
    s.meshes.push_back(box_mesh({0.1f, 0, 0.2f}, {0.6f, 0.4f, 0.6f}, 1));
    s.spheres.push_back({{{0.6f, 0.2f, -0.2f}}, {0.2f}, {}, 2});
    const Box box{{-0.7f, 0, -0.4f}, {0.8f, 0.9f, 0.6f}, true};
    s.camera = frame_box(box, 4.0f / 3);
    light_studio(s, box, box.low.y);
    return s;
}

TEST(Render, WhiteSphereInUniformLightIsInvisible) {
    Material white;
    white.colour = {1, 1, 1};
    const Image image = render(sphere_in_uniform_light(white), small(8));
    for (const Vec3f& p : image.pixel) EXPECT_NEAR(p.y, 0.7f, 1e-4f);
}

TEST(Render, ClearSphereInUniformLightIsInvisible) {
    Material clear;
    clear.look = Look::liquid;
    clear.colour = {1, 1, 1};
    Options o = small(16);
    o.depth = 60;
    double sum = 0;
    const Image image = render(sphere_in_uniform_light(clear), o);
    for (const Vec3f& p : image.pixel) {
        EXPECT_LE(p.y, 0.7f * 1.001f);
        sum += double(p.y);
    }
    EXPECT_NEAR(sum / double(image.pixel.size()), 0.7, 0.7 * 1e-3);
}

TEST(Render, CoatedSurfaceNeverGivesMoreThanItGets) {
    Material coated;
    coated.colour = {1, 1, 1};
    coated.coat = 1;
    coated.roughness = 0.4f;
    double sum = 0;
    const Image image = render(sphere_in_uniform_light(coated), small(64));
    for (const Vec3f& p : image.pixel) sum += double(p.y);
    const double mean = sum / double(image.pixel.size());
    EXPECT_LT(mean, 0.7 * 1.002);
    EXPECT_GT(mean, 0.7 * 0.85);
}

TEST(Render, AbsorptionFollowsTheColourAtItsDepth) {
    Scene s;
    Material liquid;
    liquid.look = Look::liquid;
    liquid.refraction = 1;
    liquid.colour = {0.25f, 0.5f, 1};
    liquid.absorption_depth = 0.4f;
    s.materials = {liquid};
    s.meshes.push_back(box_mesh({-5, -5, -0.2f}, {5, 5, 0.2f}, 0));
    s.sky = Sky::uniform({1, 1, 1});
    s.camera.position = {0, 0, 50};
    s.camera.vertical_fov = 0.01f;
    const Image image = render(s, small(4));
    const Vec3f p = image.at(16, 12);
    EXPECT_NEAR(p.x, 0.25f, 1e-3f);
    EXPECT_NEAR(p.y, 0.5f, 1e-3f);
    EXPECT_NEAR(p.z, 1.0f, 1e-3f);
}

/// Integral of the fibre's scattering over all directions, by uniform directions.
double fibre_albedo(const Material& m, float offset, float sin_view) {
    Hit hit;
    hit.tangent = {1, 0, 0};
    hit.radius = 0.01f;
    hit.normal = hit.geometric_normal = {0, std::sqrt(1 - offset * offset), offset};
    const Vec3f viewer{sin_view, std::sqrt(1 - sin_view * sin_view), 0};
    const Random random(4, 4);
    double sum = 0;
    constexpr int n = 60000;
    for (std::uint64_t i = 0; i < n; ++i) {
        const Vec3d d = random.direction(i);
        sum += double(hair_scattering(m, hit, viewer, {float(d.x), float(d.y), float(d.z)}).value.y);
    }
    return sum / n * 4 * double(kPi);
}

TEST(Hair, ColourlessFibreKeepsAllLight) {
    Material m;
    m.look = Look::hair;
    m.colour = {1, 1, 1};
    m.roughness = 0.5f;
    for (const float offset : {0.0f, 0.5f, -0.8f})
        for (const float sin_view : {0.0f, 0.6f}) EXPECT_NEAR(fibre_albedo(m, offset, sin_view), 1.0, 0.03);
}

TEST(Hair, AFibreByItselfHasTheColour) {
    Material m;
    m.look = Look::hair;
    m.colour = {0.25f, 0.25f, 0.25f};
    m.roughness = 0.5f;
    // Straight through the middle: R + TT + TRT with a transmitted share of 0.25.
    const double f = double(fresnel(1, 1.55f)), tt = (1 - f) * (1 - f) * 0.25;
    m.lone_fibres = 1;
    EXPECT_NEAR(fibre_albedo(m, 0, 0), f + tt + tt * 0.25 * f, 0.01);
    // In a volume of hair one fibre hardly darkens.
    m.lone_fibres = 0;
    EXPECT_GT(fibre_albedo(m, 0, 0), 0.85);
}

TEST(Hair, WetFibreIsDarker) {
    Material m;
    m.look = Look::hair;
    m.colour = {0.5f, 0.5f, 0.5f};
    EXPECT_LT(luminance(wet_colour(m, 1)), 0.5f * luminance(wet_colour(m, 0)));
}

TEST(Hair, SampledDirectionsMatchTheirDensity) {
    Material m;
    m.look = Look::hair;
    m.colour = {0.5f, 0.3f, 0.2f};
    m.roughness = 0.4f;
    Hit hit;
    hit.tangent = {1, 0, 0};
    hit.radius = 0.01f;
    hit.normal = hit.geometric_normal = {0, 0.8f, 0.6f};
    const Vec3f viewer = normalized(Vec3f{0.3f, 0.9f, 0});
    // The mean of f(direction) over samples equals the integral of density * f over the sphere.
    const auto probe = [](const Vec3f& d) {
        return square(0.5f + 0.5f * dot(d, normalized(Vec3f{1, -1, 1})));
    };
    const Random random(9, 9);
    double sampled = 0, integrated = 0;
    constexpr int n = 60000;
    for (std::uint64_t i = 0; i < n; ++i) {
        const Vec3d a = random.uniform3(2 * i), b = random.uniform3(2 * i + 1),
                    d = random.direction(1000000 + i);
        const Bounce bounce = hair_bounce(m, hit, viewer, {float(a.x), float(a.y)}, {float(b.x), float(b.y)});
        sampled += double(probe(bounce.direction));
        const Vec3f w{float(d.x), float(d.y), float(d.z)};
        integrated += double(hair_scattering(m, hit, viewer, w).density * probe(w)) * 4 * double(kPi);
    }
    EXPECT_NEAR(sampled / integrated, 1.0, 0.02);
}

TEST(Optics, FresnelBoundsAndTotalReflection) {
    EXPECT_NEAR(fresnel(1, 1.33f), square(0.33f / 2.33f), 1e-5f);
    EXPECT_FLOAT_EQ(fresnel(0.1f, 1 / 1.33f), 1);
    for (float c = 0; c <= 1; c += 0.05f)
        for (const float index : {1.33f, 1 / 1.33f, 1.0f}) {
            EXPECT_GE(fresnel(c, index), 0);
            EXPECT_LE(fresnel(c, index), 1);
        }
    Vec3f out;
    ASSERT_TRUE(refract(normalized(Vec3f{1, 1, 0}), {0, 1, 0}, 1.5f, out));
    EXPECT_NEAR(-out.x * 1.5f, std::sqrt(0.5f), 1e-5f);
}

TEST(Render, SameBitsForAnyNumberOfThreads) {
    const Scene scene = busy_scene();
    Options o = small(12);
    o.least_samples = 4;
    o.denoise = true;
    o.shutter = 0.01f;
    const Image one = with_threads(1, [&] { return render(scene, o); });
    const Image two = with_threads(2, [&] { return render(scene, o); });
    EXPECT_EQ(one.pixel, two.pixel);
    EXPECT_EQ(to_srgb8(one), to_srgb8(two));
}

TEST(Render, AThinStrandIsSeen) {
    Scene s;
    Material dark;
    dark.colour = {0, 0, 0};
    s.materials = {dark};
    s.sky = Sky::uniform({1, 1, 1});
    s.camera.position = {0, 0, 1};
    const Options o = small(64);
    const Image empty = render(s, o);
    s.curves.push_back({{{0, -1, 0}, {0, 0, 0}, {0, 1, 0}}, {1e-5f, 1e-5f, 1e-5f}, {0, 3}, {}, {}, 0});
    const Image drawn = render(s, o);
    for (int y = 0; y < o.height; ++y) {
        double missing = 0;
        for (int x = 0; x < o.width; ++x) missing += double(empty.at(x, y).y - drawn.at(x, y).y);
        EXPECT_NEAR(missing, 2 * double(o.least_strand), 0.25) << "row " << y;
        EXPECT_NEAR(drawn.at(3, y).y, 1.0f, 1e-5f);
    }
}

TEST(Render, MotionBlurSpreadsAMovingSphere) {
    Scene s;
    Material dark;
    dark.colour = {0, 0, 0};
    s.materials = {dark};
    s.sky = Sky::uniform({1, 1, 1});
    s.camera.position = {0, 0, 3};
    s.spheres.push_back({{{-0.3f, 0, 0}}, {0.2f}, {{0.6f, 0, 0}}, 0});
    Options o = small(64);
    const Image still = render(s, o);
    o.shutter = 1;
    const Image moving = render(s, o);
    EXPECT_NEAR(still.at(20, 12).y, 1.0f, 1e-5f);
    EXPECT_LT(moving.at(20, 12).y, 0.9f);
}

TEST(Render, ShadowLiesUnderTheSphereAwayFromTheLight) {
    Scene s = sphere_in_uniform_light({});
    s.sky = Sky::uniform({0.1f, 0.1f, 0.1f});
    s.ground.shown = true;
    s.ground.height = -0.5f;
    s.ground.checker = 0;
    s.camera.position = {0, 3, 3};
    s.light = {{-0.5f, 4, -0.5f}, {1, 0, 0}, {0, 0, 1}, {20, 20, 20}};
    const Options o = small(32);
    const RayScene rays(s, 0, 0);
    EXPECT_EQ(rays.transmittance({{0, -0.49f, 0}, {0, 1, 0}, 0}, 4).x, 0);
    EXPECT_EQ(rays.transmittance({{1, -0.49f, 0}, {0, 1, 0}, 0}, 4).x, 1);
    s.light.radiance = {0, 0, 0};
    const Image dim = render(s, o);
    s.light.radiance = {20, 20, 20};
    const Image lit = render(s, o);
    EXPECT_GT(lit.at(16, 20).y, 3 * dim.at(16, 20).y);
}

TEST(Camera, HoldsTheBoxAndIgnoresStrays) {
    const Random random(2, 7);
    std::vector<Vec3f> points;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const Vec3d u = random.uniform3(i);
        points.push_back({float(u.x), float(0.3 * u.y), float(0.5 * u.z)});
    }
    points.push_back({50, 0, 0});
    points.push_back({0, std::numeric_limits<float>::quiet_NaN(), 0});
    const Box box = box_of_most(points);
    EXPECT_NEAR(box.low.x, 0, 0.03f);
    EXPECT_NEAR(box.high.x, 1, 0.03f);
    for (const float aspect : {0.5f, 4.0f / 3, 2.5f}) {
        const Camera c = frame_box(box, aspect);
        const Vec3f forward = normalized(c.target - c.position), right = normalized(cross(forward, c.up));
        const Vec3f up = cross(right, forward);
        const float tan_v = std::tan(0.5f * c.vertical_fov);
        float fullest = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3f corner{k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y,
                               k & 4 ? box.high.z : box.low.z};
            const Vec3f d = corner - c.position;
            const float depth = dot(d, forward);
            ASSERT_GT(depth, 0);
            fullest = std::max({fullest, std::abs(dot(d, up)) / (depth * tan_v),
                                std::abs(dot(d, right)) / (depth * tan_v * aspect)});
        }
        EXPECT_LT(fullest, 1);
        EXPECT_GT(fullest, 0.8f);
        EXPECT_GT(c.position.y, box.high.y);
    }
}

TEST(Render, RefusesScenesThatMakeNoSense) {
    Scene s = busy_scene();
    s.meshes[0].triangle[0].x = 99;
    EXPECT_THROW(render(s, small(1)), InputError);
    s = busy_scene();
    s.curves[0].radius[3] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(render(s, small(1)), InputError);
    s = busy_scene();
    s.camera.target = s.camera.position;
    EXPECT_THROW(render(s, small(1)), InputError);
    s = busy_scene();
    s.curves[0].material = 7;
    EXPECT_THROW(render(s, small(1)), InputError);
    Options o = small(1);
    o.width = 0;
    EXPECT_THROW(render(busy_scene(), o), InputError);
}

}  // namespace
}  // namespace rivulet::render
