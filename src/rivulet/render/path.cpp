#include <rivulet/render/path.h>

#include <limits>

#include <rivulet/render/optics.h>
#include <rivulet/render/surface_light.h>

namespace rivulet::render {

Vec3f sky_light(const Sky& sky, const Vec3f& direction) {
    const float up = direction.y;
    Vec3f light = up >= 0 ? mix(sky.horizon, sky.zenith, std::sqrt(up))
                          : mix(sky.horizon, sky.below, smooth_step(0, 0.25f, -up));
    if (largest(sky.lobe) > 0)
        light += sky.lobe * std::exp(sky.lobe_sharpness * (dot(direction, sky.lobe_direction) - 1));
    return light;
}

namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

Vec3f backdrop(const Sky& sky, const Vec3f& direction) {
    if (!sky.has_backdrop) return sky_light(sky, direction);
    return mix(sky.backdrop_bottom, sky.backdrop_top, smooth_step(-0.25f, 0.7f, direction.y));
}

Vec3f power(const Vec3f& colour, float exponent) {
    const auto one = [&](float c) { return std::pow(std::clamp(c, 1e-4f, 1.0f), exponent); };
    return {one(colour.x), one(colour.y), one(colour.z)};
}

Material ground_material(const Ground& g, const Vec3f& at) {
    Material m;
    m.colour = g.colour;
    m.coat = 0;
    if (g.checker > 0 && g.checker_size > 0) {
        const auto cell = [&](float x) { return static_cast<int>(std::floor(x / g.checker_size)); };
        const bool dark = ((cell(at.x - g.centre.x) + cell(at.z - g.centre.z)) & 1) != 0;
        m.colour *= dark ? 1 - g.checker : 1 + g.checker;
    }
    return m;
}

Scattering scattering(const Material& m, const Hit& hit, const Vec3f& to_viewer, const Vec3f& to_light) {
    return m.look == Look::hair && hit.radius > 0 ? hair_scattering(m, hit, to_viewer, to_light)
                                                  : opaque_scattering(m, hit, to_viewer, to_light);
}

/// One path from the camera, surface by surface.
class Path {
 public:
    Path(const Scene& scene, const RayScene& rays, const PathLimits& limits, Sampler& sampler)
        : scene_(scene), rays_(rays), limits_(limits), sampler_(sampler) {
        const AreaLight& light = scene.light;
        const Vec3f n = cross(light.u, light.v);
        light_area_ = length(n);
        light_normal_ = light_area_ > 0 ? n / light_area_ : Vec3f{0, -1, 0};
    }

    PathLight trace(Ray ray) {
        for (int depth = 0; depth < limits_.depth; ++depth) {
            Hit hit;
            const bool found = rays_.intersect(ray, kFar, hit);
            ++result_.rays;
            add_area_light(ray, found ? hit.distance : kFar);
            if (!found) {
                absorb(0);
                add_far_light(ray);
                break;
            }
            absorb(hit.distance);
            const bool goes_on = hit.on_ground ? meet_ground(ray, hit) : meet_surface(ray, hit);
            if (!goes_on) break;
        }
        return result_;
    }

 private:
    const Scene& scene_;
    const RayScene& rays_;
    const PathLimits& limits_;
    Sampler& sampler_;
    float light_area_;
    Vec3f light_normal_;

    PathLight result_;
    Vec3f share_{1, 1, 1};  // of light at the path's end that reaches the camera
    float density_ = 0;     // of the last direction; 0 after a clear surface
    int scattered_ = 0;     // surfaces so far that are not clear
    int liquid_ = -1;       // material the path is inside of
    int clear_seen_ = 0;    // liquid boundaries and reflections in glass so far
    bool guided_ = false;

    bool straight_from_camera() const { return scattered_ == 0; }

    void add(const Vec3f& light) {
        Vec3f l = multiply(share_, light);
        // A first reflection shows lights as they are; sparks from deeper inside are noise.
        if (scattered_ > 0 || clear_seen_ > 1) {
            const float most = largest(l);
            const float cut = scattered_ > 0 ? limits_.brightest : limits_.brightest_inside;
            if (most > cut) l *= cut / most;
        }
        result_.radiance += l;
    }

    void guide(const Vec3f& albedo, const Vec3f& normal) {
        if (guided_) return;
        guided_ = true;
        result_.albedo = multiply(share_, albedo);
        result_.normal = normal;
    }

    void absorb(float distance) {
        if (liquid_ < 0) return;
        const Material& m = scene_.materials[std::size_t(liquid_)];
        share_ = multiply(share_, power(m.colour, distance / m.absorption_depth));
    }

    void add_far_light(const Ray& ray) {
        const Vec3f light = straight_from_camera() ? backdrop(scene_.sky, ray.direction)
                                                   : sky_light(scene_.sky, ray.direction);
        guide({1, 1, 1}, -ray.direction);
        add(light);
    }

    /// Light of the rectangle where the path runs into it by itself; weighed against `sample_area_light`.
    void add_area_light(const Ray& ray, float nearest) {
        if (!scene_.light.shines()) return;
        const float facing = -dot(ray.direction, light_normal_);
        if (facing <= 1e-4f) return;
        const Vec3f offset = scene_.light.corner - ray.origin;
        const float distance = -dot(offset, light_normal_) / facing;
        if (distance <= rays_.epsilon() || distance >= nearest) return;
        const Vec3f at = ray.direction * distance - offset;
        const float s = dot(at, scene_.light.u) / squared_length(scene_.light.u);
        const float t = dot(at, scene_.light.v) / squared_length(scene_.light.v);
        if (s < 0 || s > 1 || t < 0 || t > 1) return;
        if (straight_from_camera()) {
            if (clear_seen_ > 0) add(scene_.light.radiance);
            return;
        }
        // Behind liquid the light was counted by the shadow ray already.
        if (density_ <= 0) return;
        const float light_density = distance * distance / (facing * light_area_);
        add(scene_.light.radiance * (density_ / (density_ + light_density)));
    }

    void sample_area_light(const Ray& ray, const Hit& hit, const Material& m) {
        const Sample2 u = sampler_.next();
        if (!scene_.light.shines()) return;
        const Vec3f point = scene_.light.corner + scene_.light.u * u.u + scene_.light.v * u.v;
        const Vec3f offset = point - hit.position;
        const float distance = length(offset);
        if (distance <= rays_.epsilon()) return;
        const Vec3f to_light = offset / distance;
        const float facing = -dot(to_light, light_normal_);
        if (facing <= 1e-4f) return;
        const Scattering s = scattering(m, hit, -ray.direction, to_light);
        if (largest(s.value) <= 0) return;
        const Ray shadow{leave(hit, to_light), to_light, ray.time};
        const Vec3f reaches = rays_.transmittance(shadow, distance);
        ++result_.rays;
        if (largest(reaches) <= 0) return;
        const float light_density = distance * distance / (facing * light_area_);
        const float weight = 1 / (light_density + s.density);
        ++scattered_;
        add(multiply(multiply(s.value, scene_.light.radiance), reaches) * weight);
        --scattered_;
    }

    /// A starting point off the surface, on the side the direction goes to; fibres are passed through whole.
    Vec3f leave(const Hit& hit, const Vec3f& direction) const {
        const bool inwards = dot(direction, hit.geometric_normal) < 0;
        if (hit.radius > 0 && inwards) {
            const Vec3f across = direction - hit.tangent * dot(direction, hit.tangent);
            const float slope = std::max(length(across), 0.2f);
            const float chord = 2 * hit.radius * -dot(direction, hit.geometric_normal) / (slope * slope);
            return hit.position + direction * (chord * 1.02f);
        }
        return hit.position + hit.geometric_normal * (inwards ? -rays_.epsilon() : rays_.epsilon());
    }

    bool meet_ground(Ray& ray, const Hit& hit) {
        const Ground& ground = scene_.ground;
        const Vec3f flat{hit.position.x - ground.centre.x, 0, hit.position.z - ground.centre.z};
        const float faded = smooth_step(ground.fade_from, ground.fade_to, length(flat));
        const Material m = ground_material(ground, hit.position);
        guide(mix(m.colour, {1, 1, 1}, faded), hit.normal);
        if (faded > 0) {
            const Vec3f far = straight_from_camera() ? backdrop(scene_.sky, ray.direction)
                                                     : sky_light(scene_.sky, ray.direction);
            const Vec3f before = share_;
            share_ *= faded;
            add(far);
            if (faded >= 1) return false;
            share_ = before * (1 - faded);
        }
        return scatter(ray, hit, m);
    }

    bool meet_surface(Ray& ray, const Hit& hit) {
        const Material& m = scene_.materials[std::size_t(hit.material)];
        if (m.look == Look::opaque || m.look == Look::hair) {
            const Vec3f n = dot(hit.normal, ray.direction) > 0 ? -hit.normal : hit.normal;
            guide(wet_colour(m, hit.wetness), n);
            return scatter(ray, hit, m);
        }
        const Bounce b = clear_bounce(m, hit, -ray.direction, sampler_.next().u);
        if (!b.valid) return false;
        const bool passes =
            dot(b.direction, hit.geometric_normal) * dot(ray.direction, hit.geometric_normal) > 0;
        if (passes && m.look == Look::liquid)
            liquid_ = dot(b.direction, hit.geometric_normal) < 0 ? hit.material : -1;
        if (!passes || m.look == Look::liquid) ++clear_seen_;
        density_ = 0;
        return go_on(ray, hit, b);
    }

    bool scatter(Ray& ray, const Hit& hit, const Material& m) {
        sample_area_light(ray, hit, m);
        const Sample2 pick = sampler_.next(), direction = sampler_.next();
        const bool fibre = m.look == Look::hair && hit.radius > 0;
        const Bounce b = fibre ? hair_bounce(m, hit, -ray.direction, pick, direction)
                               : opaque_bounce(m, hit, -ray.direction, pick, direction);
        if (!b.valid) return false;
        density_ = b.density;
        ++scattered_;
        return go_on(ray, hit, b);
    }

    bool go_on(Ray& ray, const Hit& hit, const Bounce& b) {
        share_ = multiply(share_, b.weight);
        if (scattered_ >= limits_.roulette_from) {
            const float survives = std::min(largest(share_), 0.95f);
            if (!(sampler_.next().u < survives)) return false;
            share_ *= 1 / survives;
        }
        ray.origin = leave(hit, b.direction);
        ray.direction = b.direction;
        return largest(share_) > 1e-5f;
    }
};

}  // namespace

PathLight trace_path(const Scene& scene, const RayScene& rays, Ray ray, const PathLimits& limits,
                     Sampler& sampler) {
    return Path(scene, rays, limits, sampler).trace(ray);
}

}  // namespace rivulet::render
