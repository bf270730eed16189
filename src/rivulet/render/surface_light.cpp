#include <rivulet/render/surface_light.h>

#include <rivulet/render/optics.h>

namespace rivulet::render {
namespace {

/// The coat as it is after wetting: a film makes it smoother and stronger.
struct Coat {
    float strength;
    Facets facets;
    float index;
};

Coat coat_of(const Material& m, float wetness) {
    const float strength = std::clamp(m.coat + 0.5f * wetness * (1 - m.coat), 0.0f, 1.0f);
    const float roughness = std::clamp(m.roughness * (1 - 0.4f * wetness), 0.05f, 1.0f);
    return {strength, {roughness * roughness}, m.refraction};
}

Vec3f facing_normal(const Hit& hit, const Vec3f& to_viewer) {
    const Vec3f n = dot(hit.geometric_normal, to_viewer) < 0 ? -hit.normal : hit.normal;
    // NOTE: an interpolated normal may lean away from the viewer at a silhouette; lift it just above.
    const float c = dot(n, to_viewer);
    return c > 0.02f ? n : normalized(n + to_viewer * (0.02f - c));
}

float coat_chance(const Coat& coat, float cos_viewer) {
    if (coat.strength <= 0) return 0;
    return std::clamp(coat.strength * (0.15f + fresnel(cos_viewer, coat.index)), 0.1f, 0.75f);
}

Scattering opaque_local(const Material& m, const Hit& hit, const Vec3f& viewer, const Vec3f& light) {
    if (viewer.z <= 0 || light.z <= 0) return {};
    const Coat coat = coat_of(m, hit.wetness);
    const float chance = coat_chance(coat, viewer.z);
    const float entering = 1 - coat.strength * fresnel(light.z, coat.index);
    const float leaving = 1 - coat.strength * fresnel(viewer.z, coat.index);
    Scattering s;
    s.value = wet_colour(m, hit.wetness) * (entering * leaving * light.z / kPi);
    s.density = (1 - chance) * light.z / kPi;
    if (coat.strength > 0) {
        const Vec3f h = normalized(viewer + light);
        const float shadow = coat.facets.visible_share(viewer) * coat.facets.visible_share(light);
        const float reflected = coat.strength * fresnel(dot(viewer, h), coat.index) * coat.facets.density(h) *
                                shadow / (4 * viewer.z);
        s.value += Vec3f{reflected, reflected, reflected};
        s.density += chance * coat.facets.reflected_density(viewer, h);
    }
    return s;
}

}  // namespace

Vec3f wet_colour(const Material& m, float wetness) {
    const float w = std::clamp(wetness, 0.0f, 1.0f);
    const float keep = 1 - m.wet_darkening * w;
    const float power = 1 + 0.35f * w;
    const auto one = [&](float c) { return keep * std::pow(std::max(c, 0.0f), power); };
    return w > 0 ? Vec3f{one(m.colour.x), one(m.colour.y), one(m.colour.z)} : m.colour;
}

Scattering opaque_scattering(const Material& m, const Hit& hit, const Vec3f& to_viewer,
                             const Vec3f& to_light) {
    if (dot(hit.geometric_normal, to_viewer) * dot(hit.geometric_normal, to_light) <= 0) return {};
    const Axes axes(facing_normal(hit, to_viewer));
    return opaque_local(m, hit, axes.to_local(to_viewer), axes.to_local(to_light));
}

Bounce opaque_bounce(const Material& m, const Hit& hit, const Vec3f& to_viewer, Sample2 pick,
                     Sample2 direction) {
    const Axes axes(facing_normal(hit, to_viewer));
    const Vec3f viewer = axes.to_local(to_viewer);
    const Coat coat = coat_of(m, hit.wetness);
    Vec3f light;
    if (pick.u < coat_chance(coat, viewer.z))
        light = reflect(viewer, coat.facets.sample(viewer, direction.u, direction.v));
    else
        light = cosine_direction(direction.u, direction.v);
    Bounce b;
    b.direction = axes.to_world(light);
    if (dot(hit.geometric_normal, to_viewer) * dot(hit.geometric_normal, b.direction) <= 0) return b;
    const Scattering s = opaque_local(m, hit, viewer, light);
    if (s.density <= 0) return b;
    b.density = s.density;
    b.weight = s.value / s.density;
    b.valid = true;
    return b;
}

Bounce clear_bounce(const Material& m, const Hit& hit, const Vec3f& to_viewer, float pick) {
    const bool outside = dot(hit.geometric_normal, to_viewer) > 0;
    Vec3f n = outside ? hit.normal : -hit.normal;
    if (dot(n, to_viewer) <= 0.01f) n = outside ? hit.geometric_normal : -hit.geometric_normal;
    Bounce b;
    b.weight = {1, 1, 1};
    b.valid = true;
    if (m.look == Look::glass) {
        const bool reflects = pick < 0.5f * fresnel(dot(n, to_viewer), 1.5f);
        b.direction = reflects ? reflect(to_viewer, n) : -to_viewer;
        if (!reflects) b.weight = m.colour;
        return b;
    }
    const float index = outside ? m.refraction : 1 / m.refraction;
    const bool reflects =
        pick < fresnel(dot(n, to_viewer), index) || !refract(to_viewer, n, index, b.direction);
    if (reflects) b.direction = reflect(to_viewer, n);
    return b;
}

}  // namespace rivulet::render
