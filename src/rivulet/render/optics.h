#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/vec3.h>

namespace rivulet::render {

inline constexpr float kPi = std::numbers::pi_v<float>;

inline Vec3f multiply(const Vec3f& a, const Vec3f& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline float largest(const Vec3f& a) {
    return std::max({a.x, a.y, a.z});
}
/// Rec. 709.
inline float luminance(const Vec3f& a) {
    return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z;
}
inline Vec3f mix(const Vec3f& a, const Vec3f& b, float t) {
    return a * (1 - t) + b * t;
}
inline float smooth_step(float from, float to, float x) {
    const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}
inline float square(float x) {
    return x * x;
}
/// Square root that takes round-off below zero for zero.
inline float safe_sqrt(float x) {
    return std::sqrt(std::max(x, 0.0f));
}

/// Right-handed axes around a unit z.
struct Axes {
    Vec3f x, y, z;
    explicit Axes(const Vec3f& unit_z) : z(unit_z) {
        const Vec3f other = std::abs(z.x) < 0.6f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0};
        x = normalized(cross(other, z));
        y = cross(z, x);
    }
    Vec3f to_world(const Vec3f& v) const { return x * v.x + y * v.y + z * v.z; }
    Vec3f to_local(const Vec3f& v) const { return {dot(v, x), dot(v, y), dot(v, z)}; }
};

/// Share of unpolarised light a smooth boundary reflects. `relative_index` = index beyond / index here.
inline float fresnel(float cos_in, float relative_index) {
    const float c = std::clamp(cos_in, 0.0f, 1.0f);
    const float sin2_out = (1 - c * c) / square(relative_index);
    if (sin2_out >= 1) return 1;
    const float cos_out = std::sqrt(1 - sin2_out);
    const float s = (c - relative_index * cos_out) / (c + relative_index * cos_out);
    const float p = (relative_index * c - cos_out) / (relative_index * c + cos_out);
    return 0.5f * (s * s + p * p);
}

/// Direction behind the boundary (Snell). `to_viewer` and `normal` on the same side. False: total reflection.
inline bool refract(const Vec3f& to_viewer, const Vec3f& normal, float relative_index, Vec3f& refracted) {
    const float cos_in = dot(to_viewer, normal);
    const float sin2_out = (1 - cos_in * cos_in) / square(relative_index);
    if (sin2_out >= 1) return false;
    const float cos_out = std::sqrt(1 - sin2_out);
    refracted = normalized(normal * (cos_in / relative_index - cos_out) - to_viewer / relative_index);
    return true;
}

inline Vec3f reflect(const Vec3f& to_viewer, const Vec3f& normal) {
    return normal * (2 * dot(to_viewer, normal)) - to_viewer;
}

/// Cosine-distributed direction about +z; density cos / pi.
inline Vec3f cosine_direction(float u, float v) {
    const float r = std::sqrt(u), a = 2 * kPi * v;
    return {r * std::cos(a), r * std::sin(a), safe_sqrt(1 - u)};
}

/// Facets of a rough coat: GGX distribution with Smith shadowing, sampled by visible normals (Heitz 2018).
/// Vectors in axes with z along the normal; `a` is roughness squared.
struct Facets {
    float a;
    float density(const Vec3f& h) const {
        if (h.z <= 0) return 0;
        const float c2 = h.z * h.z, d = c2 * (a * a - 1) + 1;
        return a * a / (kPi * d * d);
    }
    float visible_share(const Vec3f& w) const {
        const float c2 = w.z * w.z, tan2 = std::max(1 - c2, 0.0f) / std::max(c2, 1e-12f);
        return 2 / (1 + std::sqrt(1 + a * a * tan2));
    }
    /// Density of the reflected direction when h is drawn by `sample`.
    float reflected_density(const Vec3f& viewer, const Vec3f& h) const {
        return visible_share(viewer) * density(h) / (4 * std::max(viewer.z, 1e-6f));
    }
    Vec3f sample(const Vec3f& viewer, float u, float v) const {
        const Vec3f stretched = normalized(Vec3f{a * viewer.x, a * viewer.y, viewer.z});
        const Vec3f horizontal =
            stretched.z < 0.9999f ? normalized(cross(Vec3f{0, 0, 1}, stretched)) : Vec3f{1, 0, 0};
        const float r = std::sqrt(u), angle = 2 * kPi * v;
        const float px = r * std::cos(angle), half = 0.5f * (1 + stretched.z);
        const Vec3f across = cross(stretched, horizontal);
        const float py = (1 - half) * safe_sqrt(1 - px * px) + half * r * std::sin(angle);
        const Vec3f n = horizontal * px + across * py + stretched * safe_sqrt(1 - px * px - py * py);
        return normalized(Vec3f{a * n.x, a * n.y, std::max(n.z, 1e-6f)});
    }
};

}  // namespace rivulet::render
