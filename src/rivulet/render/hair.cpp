#include <array>

#include <rivulet/render/optics.h>
#include <rivulet/render/surface_light.h>

namespace rivulet::render {
namespace {

constexpr int kLobes = 4;  // R, TT, TRT, everything after
constexpr float kHairIndex = 1.55f;
constexpr float kScaleTilt = 0.035f;  // rad, cuticle scales point to the tip

/// log I0, modified Bessel function: series below 12, asymptotic above.
float log_bessel_i0(float x) {
    if (x > 12) return x + 0.5f * (std::log(1 / (2 * kPi * x)) + 1 / (8 * x));
    float term = 1, sum = 1;
    for (int k = 1; k < 20; ++k) {
        term *= square(x / (2 * float(k)));
        sum += term;
    }
    return std::log(sum);
}

/// Longitudinal scattering, d'Eon 2011 eq. 7; integrates to 1 over sin θ_i cos-weighted directions.
float longitudinal(float sin_i, float cos_i, float sin_o, float cos_o, float variance) {
    const float a = cos_i * cos_o / variance, b = sin_i * sin_o / variance;
    if (variance <= 0.1f)
        return std::exp(log_bessel_i0(a) - b - 1 / variance + 0.6931f + std::log(1 / (2 * variance)));
    return std::exp(-b + log_bessel_i0(a)) / (2 * variance * std::sinh(1 / variance));
}

float logistic_integral(float x, float s) {
    return 1 / (1 + std::exp(-x / s));
}
/// Logistic density cut to [-π, π].
float trimmed_logistic(float x, float s) {
    const float e = std::exp(-std::abs(x) / s);
    return e / (s * square(1 + e)) / (logistic_integral(kPi, s) - logistic_integral(-kPi, s));
}
float sample_trimmed_logistic(float u, float s) {
    const float from = logistic_integral(-kPi, s), share = logistic_integral(kPi, s) - from;
    const float x = -s * std::log(1 / (u * share + from) - 1);
    return std::clamp(x, -kPi, kPi);
}
float wrap_angle(float x) {
    return x - 2 * kPi * std::round(x / (2 * kPi));
}

/// Everything that depends on the viewer's side only.
struct Fibre {
    Vec3f tangent, across, side;  // across: towards the viewer in the normal plane
    float sin_o, cos_o, gamma_o, gamma_t;
    std::array<float, kLobes> variance, chance;
    std::array<Vec3f, kLobes> attenuation;
    float logistic_scale;

    Fibre(const Material& m, const Hit& hit, const Vec3f& to_viewer) : tangent(hit.tangent) {
        sin_o = std::clamp(dot(to_viewer, tangent), -0.9999f, 0.9999f);
        cos_o = safe_sqrt(1 - sin_o * sin_o);
        across = normalized(to_viewer - tangent * sin_o);
        side = cross(tangent, across);
        const float h = std::clamp(dot(hit.normal, side), -0.999f, 0.999f);
        gamma_o = std::asin(h);
        set_roughness(m, hit.wetness);
        set_attenuation(m, hit.wetness, h);
    }

    void set_roughness(const Material& m, float wetness) {
        // A film fills the scales: the highlight narrows.
        const float beta = std::clamp(m.roughness * (1 - 0.45f * wetness), 0.08f, 0.9f);
        const float v = square(0.726f * beta + 0.812f * beta * beta + 3.7f * std::pow(beta, 20.0f));
        variance = {v, 0.25f * v, 4 * v, 4 * v};
        const float n = std::clamp(m.roughness, 0.15f, 0.9f);
        logistic_scale = 0.626657f * (0.265f * n + 1.194f * n * n + 5.372f * std::pow(n, 22.0f));
    }

    void set_attenuation(const Material& m, float wetness, float h) {
        const float sin_t = sin_o / kHairIndex, cos_t = safe_sqrt(1 - sin_t * sin_t);
        const float bent_index = safe_sqrt(square(kHairIndex) - sin_o * sin_o) / std::max(cos_o, 1e-4f);
        const float sin_gamma_t = std::clamp(h / bent_index, -1.0f, 1.0f);
        gamma_t = std::asin(sin_gamma_t);
        const float path = 2 * std::cos(gamma_t) / cos_t;
        const Vec3f c = wet_colour(m, wetness);
        const auto left = [&](float colour) { return std::exp(-absorption(colour, m.lone_fibres) * path); };
        const Vec3f t{left(c.x), left(c.y), left(c.z)};
        const float f = fresnel(cos_o * std::cos(gamma_o), kHairIndex);
        attenuation[0] = Vec3f{f, f, f};
        attenuation[1] = t * square(1 - f);
        attenuation[2] = multiply(attenuation[1], t) * f;
        const auto rest = [&](float a, float tr) { return a * tr * f / std::max(1 - tr * f, 1e-4f); };
        attenuation[3] = {rest(attenuation[2].x, t.x), rest(attenuation[2].y, t.y),
                          rest(attenuation[2].z, t.z)};
        float total = 0;
        for (int p = 0; p < kLobes; ++p)
            total += chance[std::size_t(p)] = luminance(attenuation[std::size_t(p)]);
        for (float& q : chance) q /= std::max(total, 1e-8f);
    }

    /// Absorption per fibre radius. In a volume of hair light passes many fibres: that which reflects this
    /// colour by Chiang 2016 eq. 9 (azimuthal roughness 0.3). A fibre seen by itself would be nearly clear
    /// then: it takes the colour over its own diameter.
    static float absorption(float colour, float lone) {
        constexpr float fit = 5.969f - 0.215f * 0.3f + 2.532f * 0.09f - 10.73f * 0.027f + 5.574f * 0.0081f;
        const float depth = -std::log(std::clamp(colour, 0.001f, 0.9999f));
        return square(depth / fit) * (1 - lone) + 0.5f * depth * lone;
    }

    /// Viewer's longitudinal angle as lobe p sees it over the tilted scales.
    void tilted(int p, float& s, float& c) const {
        const float tilt = p == 0 ? 2 * kScaleTilt : p == 1 ? -kScaleTilt : p == 2 ? -4 * kScaleTilt : 0.0f;
        const float ct = std::cos(tilt), st = std::sin(tilt);
        s = sin_o * ct - cos_o * st;
        c = std::abs(cos_o * ct + sin_o * st);
    }
    /// Azimuth at which a ray leaves after p passes through the fibre.
    float exit_azimuth(int p) const { return 2 * gamma_o - 2 * float(p) * gamma_t + float(p) * kPi; }

    Scattering evaluate(const Vec3f& to_light) const {
        const float sin_i = std::clamp(dot(to_light, tangent), -1.0f, 1.0f);
        const float cos_i = safe_sqrt(1 - sin_i * sin_i);
        const float azimuth = std::atan2(dot(to_light, side), dot(to_light, across));
        Scattering s;
        for (int p = 0; p < kLobes; ++p) {
            const auto k = std::size_t(p);
            float so, co;
            tilted(p, so, co);
            const float around = p + 1 < kLobes
                                     ? trimmed_logistic(wrap_angle(azimuth - exit_azimuth(p)), logistic_scale)
                                     : 1 / (2 * kPi);
            const float density = longitudinal(sin_i, cos_i, so, co, variance[k]) * around;
            s.value += attenuation[k] * density;
            s.density += chance[k] * density;
        }
        return s;
    }
};

}  // namespace

Scattering hair_scattering(const Material& m, const Hit& hit, const Vec3f& to_viewer, const Vec3f& to_light) {
    return Fibre(m, hit, to_viewer).evaluate(to_light);
}

Bounce hair_bounce(const Material& m, const Hit& hit, const Vec3f& to_viewer, Sample2 pick, Sample2 along) {
    const Fibre fibre(m, hit, to_viewer);
    int p = 0;
    float u = pick.u;
    while (p + 1 < kLobes && u >= fibre.chance[std::size_t(p)]) u -= fibre.chance[std::size_t(p++)];
    const float v = fibre.variance[std::size_t(p)];
    float so, co;
    fibre.tilted(p, so, co);
    // d'Eon et al. 2013, eq. 6 and 7.
    const float cosine = 1 + v * std::log(std::max(along.u, 1e-5f) + (1 - along.u) * std::exp(-2 / v));
    const float sine = safe_sqrt(1 - cosine * cosine);
    const float sin_i = std::clamp(-cosine * so + sine * std::cos(2 * kPi * along.v) * co, -1.0f, 1.0f);
    const float cos_i = safe_sqrt(1 - sin_i * sin_i);
    const float azimuth = p + 1 < kLobes
                              ? fibre.exit_azimuth(p) + sample_trimmed_logistic(pick.v, fibre.logistic_scale)
                              : 2 * kPi * pick.v;
    Bounce b;
    b.direction = normalized(fibre.tangent * sin_i + fibre.across * (cos_i * std::cos(azimuth)) +
                             fibre.side * (cos_i * std::sin(azimuth)));
    const Scattering s = fibre.evaluate(b.direction);
    if (!(s.density > 1e-8f)) return b;
    b.density = s.density;
    b.weight = s.value / s.density;
    b.valid = true;
    return b;
}

}  // namespace rivulet::render
