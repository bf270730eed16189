#include <rivulet/render/frame_arrays.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/io/archive_reader.h>

namespace rivulet::render {
namespace {

using io::ArchiveReader;
using io::Dtype;

/// Reads arrays from two archives (frame first, then static) and keeps what went wrong.
class Source {
 public:
    Source(const ArchiveReader* frame, const ArchiveReader* statics, std::vector<std::string>& messages)
        : frame_(frame), statics_(statics), messages_(messages) {}

    bool has(const std::string& name) const { return archive(name) != nullptr; }
    const ArchiveReader* archive(const std::string& name) const {
        if (frame_ && frame_->has(name)) return frame_;
        return statics_ && statics_->has(name) ? statics_ : nullptr;
    }

    /// Any floating-point array as float.
    std::vector<Vec3f> vectors(const std::string& name) const {
        return attempt<Vec3f>(name, [&](const ArchiveReader& a, Dtype type) {
            if (type != Dtype::float64) return a.read<Vec3f>(name);
            std::vector<Vec3f> out;
            for (const Vec3d& v : a.read<Vec3d>(name)) out.push_back({float(v.x), float(v.y), float(v.z)});
            return out;
        });
    }
    std::vector<float> numbers(const std::string& name) const {
        return attempt<float>(name, [&](const ArchiveReader& a, Dtype type) {
            if (type != Dtype::float64) return a.read<float>(name);
            const auto wide = a.read<double>(name);
            return std::vector<float>(wide.begin(), wide.end());
        });
    }
    std::vector<std::int64_t> integers(const std::string& name) const {
        return attempt<std::int64_t>(name, [&](const ArchiveReader& a, Dtype type) {
            if (type == Dtype::uint64) {
                const auto wide = a.read<std::uint64_t>(name);
                return std::vector<std::int64_t>(wide.begin(), wide.end());
            }
            return a.read<std::int64_t>(name, io::Conversion::widen);
        });
    }
    std::vector<std::uint8_t> bytes(const std::string& name) const {
        return attempt<std::uint8_t>(
            name, [&](const ArchiveReader& a, Dtype) { return a.read<std::uint8_t>(name); });
    }
    template <std::size_t N>
    std::vector<std::array<int, N>> tuples(const std::string& name, std::size_t vertices) const {
        return attempt<std::array<int, N>>(name, [&](const ArchiveReader& a, Dtype) {
            std::vector<std::array<int, N>> out;
            for (const auto& wide : a.read<std::array<std::int64_t, N>>(name, io::Conversion::widen)) {
                std::array<int, N> narrow;
                for (std::size_t k = 0; k < N; ++k) {
                    if (wide[k] < 0 || std::uint64_t(wide[k]) >= vertices)
                        throw Error("points at a vertex that does not exist");
                    narrow[k] = int(wide[k]);
                }
                out.push_back(narrow);
            }
            return out;
        });
    }
    std::vector<Vec3i> triangles(const std::string& name, std::size_t vertices) const {
        std::vector<Vec3i> out;
        for (const auto& t : tuples<3>(name, vertices)) out.push_back({t[0], t[1], t[2]});
        return out;
    }
    /// Empties an array whose length is not the expected one.
    template <class T>
    void fit(std::vector<T>& values, std::size_t count, const std::string& name) const {
        if (values.empty() || values.size() == count) return;
        say(name, "has " + std::to_string(values.size()) + " entries instead of " + std::to_string(count));
        values.clear();
    }
    void say(const std::string& name, const std::string& what) const {
        messages_.push_back(name + ": " + what);
    }

 private:
    template <class T, class Read>
    std::vector<T> attempt(const std::string& name, Read&& read) const {
        const ArchiveReader* a = archive(name);
        if (!a) return {};
        try {
            return read(*a, a->find(name)->dtype);
        } catch (const Error& e) {
            say(name, std::string("left out: ") + e.what());
            return {};
        }
    }
    const ArchiveReader *frame_, *statics_;
    std::vector<std::string>& messages_;
};

bool finite(const Vec3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool all_finite(const std::vector<Vec3f>& v) {
    return std::all_of(v.begin(), v.end(), finite);
}

void read_liquid(const Source& s, FrameArrays::Liquid& l) {
    l.position = s.vectors("liquid/position");
    const std::size_t n = l.position.size();
    l.velocity = s.vectors("liquid/velocity");
    l.radius = s.numbers("liquid/radius");
    l.material = s.bytes("liquid/material");
    s.fit(l.velocity, n, "liquid/velocity");
    s.fit(l.radius, n, "liquid/radius");
    l.id = s.integers("liquid/id");
    s.fit(l.material, n, "liquid/material");
    s.fit(l.id, n, "liquid/id");
    if (l.radius.empty()) {
        auto volume = s.numbers("liquid/volume");
        s.fit(volume, n, "liquid/volume");
        for (const float v : volume) l.radius.push_back(std::cbrt(0.2387324f * std::max(v, 0.0f)));
    }
    if (n > 0 && l.radius.empty()) {
        s.say("liquid", "left out: neither radius nor volume of the particles");
        l = {};
        return;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!finite(l.position[i]) || !(l.radius[i] > 0) || !std::isfinite(l.radius[i])) continue;
        l.position[kept] = l.position[i];
        l.radius[kept] = l.radius[i];
        if (!l.velocity.empty()) l.velocity[kept] = l.velocity[i];
        if (!l.material.empty()) l.material[kept] = l.material[i];
        if (!l.id.empty()) l.id[kept] = l.id[i];
        ++kept;
    }
    if (kept < n) s.say("liquid", std::to_string(n - kept) + " particles are not finite and left out");
    l.position.resize(kept);
    l.radius.resize(kept);
    if (!l.velocity.empty()) l.velocity.resize(kept);
    if (!l.material.empty()) l.material.resize(kept);
    if (!l.id.empty()) l.id.resize(kept);
    if (!all_finite(l.velocity)) l.velocity.clear();
}

bool increasing(const std::vector<std::int64_t>& start, std::size_t vertices) {
    if (start.size() < 2 || start.front() < 0 || std::uint64_t(start.back()) > vertices) return false;
    return std::is_sorted(start.begin(), start.end());
}

void read_strands(const Source& s, FrameArrays::Strands& g) {
    constexpr float kHairRadius = 40e-6f;
    g.position = s.vectors("strands/position");
    if (g.position.empty()) return;
    const std::size_t n = g.position.size();
    g.velocity = s.vectors("strands/velocity");
    g.radius = s.numbers("strands/radius");
    g.film_area = s.numbers("strands/film_area");
    g.start = s.integers("strands/start");
    g.material = s.integers("strands/material");
    g.id = s.integers("strands/id");
    s.fit(g.velocity, n, "strands/velocity");
    s.fit(g.radius, n, "strands/radius");
    s.fit(g.film_area, n, "strands/film_area");
    if (!increasing(g.start, n)) {
        s.say("strands", "left out: strands/start is missing or wrong");
        g = {};
        return;
    }
    s.fit(g.material, g.start.size() - 1, "strands/material");
    s.fit(g.id, g.start.size() - 1, "strands/id");
    if (g.radius.empty()) g.radius.assign(n, kHairRadius);
    for (float& r : g.radius)
        if (!(r > 0) || !std::isfinite(r)) r = kHairRadius;
    for (float& a : g.film_area)
        if (!(a > 0) || !std::isfinite(a)) a = 0;
    if (!all_finite(g.velocity)) g.velocity.clear();
}

void read_fabric(const Source& s, FrameArrays::Fabric& f) {
    f.position = s.vectors("fabric/position");
    if (f.position.empty()) return;
    const std::size_t n = f.position.size();
    if (!all_finite(f.position)) {
        s.say("fabric", "left out: a position is not finite");
        f = {};
        return;
    }
    f.velocity = s.vectors("fabric/velocity");
    f.saturation = s.numbers("fabric/saturation");
    f.triangle = s.triangles("fabric/triangle", n);
    f.segment = s.tuples<2>("fabric/segment", n);
    s.fit(f.velocity, n, "fabric/velocity");
    s.fit(f.saturation, n, "fabric/saturation");
    if (!all_finite(f.velocity)) f.velocity.clear();
    for (float& w : f.saturation) w = w > 0 ? std::min(w, 1.0f) : 0.0f;
    if (f.triangle.empty() && f.segment.empty()) s.say("fabric", "has neither triangles nor segments");
}

void read_bodies(const Source& s, FrameArrays::Bodies& b) {
    b.position = s.vectors("bodies/position");
    if (b.position.empty()) return;
    b.velocity = s.vectors("bodies/velocity");
    b.triangle = s.triangles("bodies/triangle", b.position.size());
    s.fit(b.velocity, b.position.size(), "bodies/velocity");
    if (!all_finite(b.velocity)) b.velocity.clear();
    if (!all_finite(b.position) || b.triangle.empty()) {
        s.say("bodies", "left out: no triangles, or a position is not finite");
        b = {};
    }
}

void read_surface(const Source& s, FrameArrays::Surface& f) {
    f.position = s.vectors("position");
    f.velocity = s.vectors("velocity");
    f.triangle = s.triangles("triangle", f.position.size());
    s.fit(f.velocity, f.position.size(), "surface velocity");
    if (!all_finite(f.velocity)) f.velocity.clear();
    if (!all_finite(f.position)) {
        s.say("surface", "left out: a position is not finite");
        f = {};
    }
}

/// Row-major 4×4, points as columns.
bool read_transform(const ArchiveReader& frame, const std::string& name, std::array<double, 16>& m) {
    const io::ArrayInfo* info = frame.find(name);
    if (!info || info->shape != io::Shape{4, 4}) return false;
    const auto raw = frame.read_raw(name);
    if (info->dtype == Dtype::float64 && raw.size() == sizeof m) {
        std::memcpy(m.data(), raw.data(), sizeof m);
    } else if (std::array<float, 16> narrow{}; info->dtype == Dtype::float32 && raw.size() == sizeof narrow) {
        std::memcpy(narrow.data(), raw.data(), sizeof narrow);
        std::copy(narrow.begin(), narrow.end(), m.begin());
    } else {
        return false;
    }
    return std::all_of(m.begin(), m.end(), [](double v) { return std::isfinite(v); });
}

Vec3f transformed(const std::array<double, 16>& m, const Vec3f& p) {
    const auto row = [&](std::size_t r) {
        return float(m[4 * r] * double(p.x) + m[4 * r + 1] * double(p.y) + m[4 * r + 2] * double(p.z) +
                     m[4 * r + 3]);
    };
    return {row(0), row(1), row(2)};
}

std::set<std::string> obstacle_names(const ArchiveReader* archive) {
    std::set<std::string> names;
    if (!archive) return names;
    for (const io::ArrayInfo& a : archive->arrays()) {
        constexpr std::string_view prefix = "obstacles/";
        const std::size_t slash = a.name.rfind('/');
        if (a.name.starts_with(prefix) && slash > prefix.size())
            names.insert(a.name.substr(prefix.size(), slash - prefix.size()));
    }
    return names;
}

void read_obstacle(const Source& s, const ArchiveReader& frame, const std::string& name,
                   std::vector<FrameArrays::Obstacle>& out) {
    const std::string prefix = "obstacles/" + name;
    FrameArrays::Obstacle o;
    o.name = name;
    o.position = s.vectors(prefix + "/position");
    o.triangle = s.triangles(prefix + "/triangle", o.position.size());
    std::array<double, 16> m{};
    if (frame.has(prefix + "/transform")) {
        bool usable = false;
        try {
            usable = read_transform(frame, prefix + "/transform", m);
        } catch (const Error& e) {
            s.say(prefix, e.what());
        }
        if (usable)
            for (Vec3f& p : o.position) p = transformed(m, p);
        else
            s.say(prefix, "transform is damaged; shown at rest");
    }
    if (o.triangle.empty() || !all_finite(o.position)) {
        s.say(prefix, "left out: no triangles, or a position is not finite");
        return;
    }
    out.push_back(std::move(o));
}

std::unique_ptr<ArchiveReader> try_open(const std::filesystem::path& path,
                                        std::vector<std::string>& messages) {
    if (path.empty()) return nullptr;
    try {
        return std::make_unique<ArchiveReader>(path);
    } catch (const Error& e) {
        messages.push_back(e.what());
        return nullptr;
    }
}

}  // namespace

FrameArrays read_frame(const FrameFiles& files, std::vector<std::string>& messages) {
    const ArchiveReader frame(files.frame);
    const auto statics = try_open(files.statics, messages);
    const auto surface = try_open(files.surface, messages);
    FrameArrays arrays;
    const Source source(&frame, statics.get(), messages);
    if (surface) read_surface(Source(surface.get(), nullptr, messages), arrays.surface);
    read_liquid(source, arrays.liquid);
    read_strands(source, arrays.strands);
    read_fabric(source, arrays.fabric);
    read_bodies(source, arrays.bodies);
    std::set<std::string> names = obstacle_names(statics.get());
    names.merge(obstacle_names(&frame));
    for (const std::string& name : names) read_obstacle(source, frame, name, arrays.obstacles);
    try {
        if (frame.has("time")) arrays.time = frame.read_scalar<double>("time", io::Conversion::widen);
    } catch (const Error& e) {
        messages.push_back(e.what());
    }
    return arrays;
}

}  // namespace rivulet::render
