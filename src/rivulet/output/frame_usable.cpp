#include <algorithm>
#include <cmath>
#include <string>

#include <rivulet/output/frame.h>

namespace rivulet::output {

namespace {

constexpr float kHairRadius = 40e-6f;  // m

bool finite(const Vec3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool all_finite(const std::vector<Vec3f>& v) {
    return std::all_of(v.begin(), v.end(), finite);
}

std::vector<float>* numbers_of(FrameGroup& g, std::string_view name) {
    for (FrameNumbers& n : g.numbers)
        if (n.name == name && !n.per_line) return &n.values;
    return nullptr;
}

/// Keeps the entries of `kept` alone, in order.
template <class T>
void keep(std::vector<T>& values, const std::vector<std::size_t>& kept) {
    if (values.empty()) return;
    for (std::size_t k = 0; k < kept.size(); ++k) values[k] = values[kept[k]];
    values.resize(kept.size());
}

/// False when they have no size at all.
bool give_radius(FrameGroup& g) {
    if (numbers_of(g, "radius")) return true;
    const auto volume = g.find("volume");
    if (volume.empty()) return false;
    FrameNumbers radius{"radius", "m", {}};
    for (const float v : volume) radius.values.push_back(std::cbrt(0.2387324f * std::max(v, 0.0f)));
    g.numbers.push_back(std::move(radius));
    return true;
}

bool keep_points(FrameGroup& g, Frame& frame, std::vector<std::string>& messages) {
    if (!give_radius(g)) {
        auto& said = is_bulk(g) ? messages : frame.left_out;
        said.push_back(g.name + " is left out: neither radius nor volume of the points is there");
        return false;
    }
    const auto radius = g.find("radius");
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < g.position.size(); ++i)
        if (finite(g.position[i]) && radius[i] > 0 && std::isfinite(radius[i])) kept.push_back(i);
    if (kept.size() < g.position.size()) {
        messages.push_back(g.name + ": " + std::to_string(g.position.size() - kept.size()) +
                           " points are not finite and left out");
        keep(g.position, kept);
        keep(g.velocity, kept);
        keep(g.rest_position, kept);
        keep(g.id, kept);
        g.share.clear();  // only lines and meshes have shares
        for (FrameNumbers& n : g.numbers) keep(n.values, kept);
    }
    return true;
}

void keep_lines(FrameGroup& g) {
    if (!numbers_of(g, "radius"))
        g.numbers.push_back({"radius", "m", std::vector<float>(g.position.size(), kHairRadius)});
    for (float& r : *numbers_of(g, "radius"))
        if (!(r > 0) || !std::isfinite(r)) r = kHairRadius;
    if (auto* film = numbers_of(g, "film_area"))
        for (float& a : *film)
            if (!(a > 0) || !std::isfinite(a)) a = 0;
}

bool keep_mesh(FrameGroup& g, std::vector<std::string>& messages) {
    if (!all_finite(g.position)) {
        messages.push_back(g.name + " is left out: a position is not finite");
        return false;
    }
    if (auto* saturation = numbers_of(g, "saturation"))
        for (float& w : *saturation) w = w > 0 ? std::min(w, 1.0f) : 0.0f;
    return true;
}

/// False when nothing of the group can be shown.
bool keep_group(FrameGroup& g, Frame& frame, std::vector<std::string>& messages) {
    bool good = true;
    switch (g.shape) {
        case GroupShape::points:
            good = keep_points(g, frame, messages);
            break;
        case GroupShape::lines:
            keep_lines(g);
            break;
        case GroupShape::mesh:
            good = keep_mesh(g, messages);
            break;
    }
    if (!all_finite(g.velocity)) g.velocity.clear();
    if (!std::all_of(g.share.begin(), g.share.end(), [](float v) { return std::isfinite(v); }))
        g.share.clear();
    return good;
}

}  // namespace

void keep_usable(Frame& frame, std::vector<std::string>& messages) {
    std::vector<FrameGroup> groups;
    for (FrameGroup& g : frame.groups)
        if (keep_group(g, frame, messages)) groups.push_back(std::move(g));
    frame.groups = std::move(groups);
    if (!keep_group(frame.surface, frame, messages)) frame.surface = no_surface();
    if (!keep_group(frame.interface, frame, messages)) frame.interface = no_interface();
    for (FrameObstacle& o : frame.obstacles)
        if (!all_finite(o.vertex_velocity)) o.vertex_velocity.clear();
    std::erase_if(frame.obstacles, [&](const FrameObstacle& o) {
        const bool bad = o.triangle.empty() || !all_finite(o.placed());
        if (bad) messages.push_back("obstacles/" + o.name + " is left out: no triangles, or not finite");
        return bad;
    });
}

}  // namespace rivulet::output
