#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/render/optics.h>
#include <rivulet/render/ray_scene.h>

namespace rivulet::render {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kTransparentLayers = 24;

struct DeviceDeleter {
    void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct SceneDeleter {
    void operator()(RTCScene s) const { rtcReleaseScene(s); }
};
using DevicePtr = std::unique_ptr<RTCDeviceTy, DeviceDeleter>;
using ScenePtr = std::unique_ptr<RTCSceneTy, SceneDeleter>;

struct Bounds {
    Vec3f low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
    void add(const Vec3f& p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
};

/// What an Embree geometry id stands for.
struct Part {
    enum class Kind { mesh, curves, spheres } kind;
    std::size_t index;
    std::vector<std::uint32_t> curve_vertex;  // curves: first control vertex of each segment
};

template <class T>
T* new_buffer(RTCGeometry g, RTCBufferType type, unsigned slot, RTCFormat format, std::size_t count) {
    void* memory = rtcSetNewGeometryBuffer(g, type, slot, format, sizeof(T), count);
    if (!memory) throw Error("render: out of memory for ray tracing buffers");
    return static_cast<T*>(memory);
}

struct Float4 {
    float x, y, z, r;
};

template <class Write>
void fill_times(RTCGeometry g, bool moves, Write&& write) {
    rtcSetGeometryTimeStepCount(g, moves ? 2 : 1);
    for (unsigned slot = 0; slot < (moves ? 2u : 1u); ++slot) write(slot);
}

}  // namespace

struct RayScene::Data {
    const Scene* scene;
    DevicePtr device;
    ScenePtr opaque, clear;  // clear: liquid and glass, which shadow rays pass
    std::vector<Part> opaque_parts, clear_parts;
    float epsilon = 1e-6f, shutter = 0;
    bool opaque_leaves_out = false;

    Data(const Scene& s, float least_angle, float shutter_seconds) : scene(&s), shutter(shutter_seconds) {
        device.reset(rtcNewDevice(nullptr));
        if (!device) throw Error("render: the ray tracing library does not start");
        opaque.reset(rtcNewScene(device.get()));
        clear.reset(rtcNewScene(device.get()));
        for (auto* sc : {opaque.get(), clear.get()}) rtcSetSceneFlags(sc, RTC_SCENE_FLAG_ROBUST);
        for (const Material& m : s.materials) opaque_leaves_out |= m.only_backfaces;
        Bounds bounds;
        for (std::size_t i = 0; i < s.meshes.size(); ++i) add_mesh(i, bounds);
        for (std::size_t i = 0; i < s.curves.size(); ++i) add_curves(i, least_angle, bounds);
        for (std::size_t i = 0; i < s.spheres.size(); ++i) add_spheres(i, bounds);
        rtcCommitScene(opaque.get());
        rtcCommitScene(clear.get());
        if (rtcGetDeviceError(device.get()) != RTC_ERROR_NONE)
            throw Error("render: the ray tracing library refused the scene");
        if (bounds.low.x <= bounds.high.x) {
            const float reach =
                std::max(length(bounds.low - s.camera.position), length(bounds.high - s.camera.position));
            epsilon = 2e-6f * reach;
        }
    }

    bool is_clear(int material) const {
        const Look look = scene->materials[std::size_t(material)].look;
        return look == Look::liquid || look == Look::glass;
    }
    void attach(RTCGeometry g, int material, Part part) {
        rtcCommitGeometry(g);
        const bool see_through = is_clear(material);
        rtcAttachGeometry(see_through ? clear.get() : opaque.get(), g);
        rtcReleaseGeometry(g);
        (see_through ? clear_parts : opaque_parts).push_back(std::move(part));
    }
    bool moves(const std::vector<Vec3f>& velocity) const { return shutter > 0 && !velocity.empty(); }

    void add_mesh(std::size_t i, Bounds& bounds) {
        const Mesh& mesh = scene->meshes[i];
        if (mesh.triangle.empty()) return;
        RTCGeometry g = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
        auto* index = new_buffer<Vec3i>(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.triangle.size());
        std::copy(mesh.triangle.begin(), mesh.triangle.end(), index);
        fill_times(g, moves(mesh.velocity), [&](unsigned slot) {
            auto* p =
                new_buffer<Vec3f>(g, RTC_BUFFER_TYPE_VERTEX, slot, RTC_FORMAT_FLOAT3, mesh.position.size());
            for (std::size_t k = 0; k < mesh.position.size(); ++k) {
                p[k] = mesh.position[k];
                if (slot) p[k] += mesh.velocity[k] * shutter;
                bounds.add(p[k]);
            }
        });
        attach(g, mesh.material, {Part::Kind::mesh, i, {}});
    }

    void add_curves(std::size_t i, float least_angle, Bounds& bounds) {
        const Curves& c = scene->curves[i];
        // Catmull-Rom splines pass through the vertices; a mirrored point at each end gives the end tangents.
        struct Control {
            std::uint32_t vertex, mirrored;  // position: 2 x[vertex] - x[mirrored], or x when equal
        };
        std::vector<std::uint32_t> first, control;
        std::vector<Control> source;
        for (std::size_t k = 0; k + 1 < c.start.size(); ++k) {
            const auto a = std::uint32_t(c.start[k]), b = std::uint32_t(c.start[k + 1]);
            if (b - a < 2) continue;
            const auto base = std::uint32_t(source.size());
            source.push_back({a, a + 1});
            for (std::uint32_t v = a; v < b; ++v) source.push_back({v, v});
            source.push_back({b - 1, b - 2});
            for (std::uint32_t v = a; v + 1 < b; ++v) {
                control.push_back(base + (v - a));
                first.push_back(v);
            }
        }
        if (first.empty()) return;
        RTCGeometry g = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE);
        auto* index = new_buffer<std::uint32_t>(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, control.size());
        std::copy(control.begin(), control.end(), index);
        const bool moving = moves(c.velocity);
        fill_times(g, moving, [&](unsigned slot) {
            const auto point = [&](std::uint32_t v) {
                return slot ? c.position[v] + c.velocity[v] * shutter : c.position[v];
            };
            auto* p = new_buffer<Float4>(g, RTC_BUFFER_TYPE_VERTEX, slot, RTC_FORMAT_FLOAT4, source.size());
            for (std::size_t k = 0; k < source.size(); ++k) {
                const auto [v, mirrored] = source[k];
                const Vec3f x = point(v) * 2.0f - point(mirrored);
                const float radius = std::max(c.radius[v], least_angle * length(x - scene->camera.position));
                p[k] = {x.x, x.y, x.z, radius};
                bounds.add(x);
            }
        });
        attach(g, c.material, {Part::Kind::curves, i, std::move(first)});
    }

    void add_spheres(std::size_t i, Bounds& bounds) {
        const Spheres& s = scene->spheres[i];
        if (s.position.empty()) return;
        RTCGeometry g = rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
        fill_times(g, moves(s.velocity), [&](unsigned slot) {
            auto* p =
                new_buffer<Float4>(g, RTC_BUFFER_TYPE_VERTEX, slot, RTC_FORMAT_FLOAT4, s.position.size());
            for (std::size_t k = 0; k < s.position.size(); ++k) {
                const Vec3f x = slot ? s.position[k] + s.velocity[k] * shutter : s.position[k];
                p[k] = {x.x, x.y, x.z, s.radius[k]};
                bounds.add(x);
            }
        });
        attach(g, s.material, {Part::Kind::spheres, i, {}});
    }

    RTCRayHit query(RTCScene where, const Ray& ray, float nearest, float farthest) const {
        RTCRayHit q;
        q.ray = {ray.origin.x,
                 ray.origin.y,
                 ray.origin.z,
                 nearest,
                 ray.direction.x,
                 ray.direction.y,
                 ray.direction.z,
                 ray.time,
                 farthest,
                 ~0u,
                 0,
                 0};
        q.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        q.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(where, &context, &q);
        return q;
    }

    bool is_occluded(const Ray& ray, float farthest) const {
        if (opaque_parts.empty()) return false;
        RTCRay q{ray.origin.x,
                 ray.origin.y,
                 ray.origin.z,
                 epsilon,
                 ray.direction.x,
                 ray.direction.y,
                 ray.direction.z,
                 ray.time,
                 farthest,
                 ~0u,
                 0,
                 0};
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcOccluded1(opaque.get(), &context, &q);
        return q.tfar < 0;
    }

    void describe_mesh(const Mesh& mesh, const RTCRayHit& q, Hit& hit) const {
        const Vec3i t = mesh.triangle[q.hit.primID];
        const float u = q.hit.u, v = q.hit.v, w = 1 - u - v;
        const auto a = std::size_t(t.x), b = std::size_t(t.y), c = std::size_t(t.z);
        if (!mesh.normal.empty()) {
            const Vec3f n = mesh.normal[a] * w + mesh.normal[b] * u + mesh.normal[c] * v;
            const float l = length(n);
            if (l > 1e-6f) hit.normal = n / l;
            if (dot(hit.normal, hit.geometric_normal) < 0) hit.normal = -hit.normal;
        }
        if (!mesh.wetness.empty())
            hit.wetness = mesh.wetness[a] * w + mesh.wetness[b] * u + mesh.wetness[c] * v;
        hit.material = mesh.material;
    }
    void describe_curve(const Part& part, const RTCRayHit& q, Hit& hit) const {
        const Curves& curves = scene->curves[part.index];
        const std::size_t v = part.curve_vertex[q.hit.primID];
        float value[4], derivative[4];
        RTCInterpolateArguments args{};
        args.geometry = rtcGetGeometry(is_clear(curves.material) ? clear.get() : opaque.get(), q.hit.geomID);
        args.primID = q.hit.primID;
        args.u = q.hit.u;
        args.bufferType = RTC_BUFFER_TYPE_VERTEX;
        args.P = value;
        args.dPdu = derivative;
        args.valueCount = 4;
        rtcInterpolate(&args);
        const Vec3f t{derivative[0], derivative[1], derivative[2]};
        const float l = length(t);
        hit.radius = value[3];
        hit.tangent = l > 0 ? t / l : Axes(hit.normal).x;
        if (!curves.wetness.empty())
            hit.wetness = mix_scalar(curves.wetness[v], curves.wetness[v + 1], q.hit.u);
        hit.material = curves.material;
    }
    static float mix_scalar(float a, float b, float t) { return a + (b - a) * t; }

    void describe(const std::vector<Part>& parts, const Ray& ray, const RTCRayHit& q, Hit& hit) const {
        const Part& part = parts[q.hit.geomID];
        hit = Hit{};
        hit.distance = q.ray.tfar;
        hit.position = ray.origin + ray.direction * hit.distance;
        const Vec3f n{q.hit.Ng_x, q.hit.Ng_y, q.hit.Ng_z};
        const float l = length(n);
        hit.geometric_normal = l > 0 ? n / l : -ray.direction;
        hit.normal = hit.geometric_normal;
        switch (part.kind) {
            case Part::Kind::mesh:
                describe_mesh(scene->meshes[part.index], q, hit);
                break;
            case Part::Kind::curves:
                describe_curve(part, q, hit);
                break;
            case Part::Kind::spheres:
                hit.material = scene->spheres[part.index].material;
                break;
        }
    }

    bool left_out(const Hit& hit, const Ray& ray) const {
        return scene->materials[std::size_t(hit.material)].only_backfaces &&
               dot(hit.geometric_normal, ray.direction) < 0;
    }

    /// Nearest hit in one of the two scenes, stepping over surfaces that are left out.
    bool nearest(RTCScene where, const std::vector<Part>& parts, const Ray& ray, float from, float farthest,
                 Hit& hit) const {
        if (parts.empty()) return false;
        for (int layer = 0; layer < kTransparentLayers; ++layer) {
            const RTCRayHit q = query(where, ray, from, farthest);
            if (q.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
            describe(parts, ray, q, hit);
            if (!left_out(hit, ray)) return true;
            from = hit.distance + epsilon;
        }
        return false;
    }

    bool hits_ground(const Ray& ray, float farthest, float& distance) const {
        const Ground& ground = scene->ground;
        if (!ground.shown || ray.direction.y > -1e-6f) return false;
        distance = (ground.height - ray.origin.y) / ray.direction.y;
        return distance > epsilon && distance < farthest;
    }
};

RayScene::RayScene(const Scene& scene, float least_radius_angle, float shutter)
    : data_(std::make_unique<Data>(scene, least_radius_angle, shutter)) {}
RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;

float RayScene::epsilon() const {
    return data_->epsilon;
}

bool RayScene::intersect(const Ray& ray, float farthest, Hit& hit) const {
    const Data& d = *data_;
    bool found = false;
    Hit candidate;
    if (d.nearest(d.opaque.get(), d.opaque_parts, ray, d.epsilon, farthest, candidate)) {
        hit = candidate;
        farthest = hit.distance;
        found = true;
    }
    if (d.nearest(d.clear.get(), d.clear_parts, ray, d.epsilon, farthest, candidate)) {
        hit = candidate;
        farthest = hit.distance;
        found = true;
    }
    float distance = 0;
    if (d.hits_ground(ray, farthest, distance)) {
        hit = Hit{};
        hit.distance = distance;
        hit.position = ray.origin + ray.direction * distance;
        hit.geometric_normal = hit.normal = {0, 1, 0};
        hit.on_ground = true;
        found = true;
    }
    return found;
}

Vec3f RayScene::transmittance(const Ray& ray, float distance) const {
    const Data& d = *data_;
    const float farthest = distance * (1 - 1e-4f);
    float ground_distance = 0;
    if (d.hits_ground(ray, farthest, ground_distance)) return {0, 0, 0};
    Hit hit;
    if (!d.opaque_leaves_out) {
        if (d.is_occluded(ray, farthest)) return {0, 0, 0};
    } else if (d.nearest(d.opaque.get(), d.opaque_parts, ray, d.epsilon, farthest, hit)) {
        return {0, 0, 0};
    }
    Vec3f share{1, 1, 1};
    float from = d.epsilon, last = 0;
    for (int layer = 0; layer < kTransparentLayers; ++layer) {
        if (!d.nearest(d.clear.get(), d.clear_parts, ray, from, farthest, hit)) return share;
        const Material& m = d.scene->materials[std::size_t(hit.material)];
        const float cosine = std::abs(dot(hit.normal, ray.direction));
        share *= m.look == Look::glass ? 1 - 0.5f * fresnel(cosine, 1.5f) : 1 - fresnel(cosine, m.refraction);
        const bool leaves = dot(hit.geometric_normal, ray.direction) > 0;
        if (leaves && m.look == Look::liquid) {
            const float path = (hit.distance - last) / m.absorption_depth;
            share = multiply(
                share, {std::pow(m.colour.x, path), std::pow(m.colour.y, path), std::pow(m.colour.z, path)});
        }
        last = hit.distance;
        from = hit.distance + d.epsilon;
    }
    return {0, 0, 0};
}

}  // namespace rivulet::render
