#include <rivulet/render/frame_scene.h>

#include <algorithm>
#include <cmath>

#include <rivulet/render/liquid_parts.h>
#include <rivulet/render/mesh_tools.h>
#include <rivulet/render/optics.h>
#include <rivulet/render/studio.h>
#include <rivulet/render/walls.h>

namespace rivulet::render {
namespace {

using Side = Appearance::Side;

/// Strands thicker than this are noodles or cords unless the caller says otherwise.
constexpr float kThickestHair = 0.3e-3f;
/// Wet hair darkens less than cloth: it has no pores to fill.
constexpr float kWetHair = 0.25f;
/// From about this many strands behind one another on, their light is that of a volume of hair.
constexpr double kManyLayers = 6;
/// An obstacle larger than this many times what moves does not widen the view.
constexpr float kLargeObstacle = 2.2f;

int add_material(Scene& scene, const Material& m) {
    const auto same = std::find(scene.materials.begin(), scene.materials.end(), m);
    if (same != scene.materials.end()) return int(same - scene.materials.begin());
    scene.materials.push_back(m);
    return int(scene.materials.size()) - 1;
}

Material coated(const Vec3f& colour, float coat, float roughness, float index = 1.45f) {
    Material m;
    m.colour = colour;
    m.coat = coat;
    m.roughness = roughness;
    m.refraction = index;
    return m;
}

template <class T>
T at_or_default(const std::vector<T>& values, std::size_t index) {
    return index < values.size() ? values[index] : T{};
}

Material liquid_material(const Appearance::Liquid& l, float size) {
    if (l.opacity >= 0.5f) return coated(l.colour, 0.85f, 0.28f);
    Material m;
    m.look = Look::liquid;
    m.colour = {std::clamp(l.colour.x, 0.02f, 1.0f), std::clamp(l.colour.y, 0.02f, 1.0f),
                std::clamp(l.colour.z, 0.02f, 1.0f)};
    // A small body of clear liquid keeps a hint of its colour in a picture.
    m.absorption_depth = std::min(1 / std::max(l.absorption, 1e-3f), 1.2f * size);
    return m;
}

void add_particles(Scene& scene, const FrameArrays::Liquid& l, const Appearance& appearance) {
    std::map<std::uint8_t, Spheres> groups;
    for (std::size_t i = 0; i < l.position.size(); ++i) {
        Spheres& s = groups[l.material.empty() ? std::uint8_t{0} : l.material[i]];
        s.position.push_back(l.position[i]);
        s.radius.push_back(l.radius[i]);
        if (!l.velocity.empty()) s.velocity.push_back(l.velocity[i]);
    }
    for (auto& [index, spheres] : groups) {
        const auto look = at_or_default(appearance.liquids, index);
        spheres.material = add_material(scene, coated(look.colour, 0.8f, 0.25f, 1.4f));
        scene.spheres.push_back(std::move(spheres));
    }
}

/// Film thickness over strand radius, as a wetness that saturates for thick films.
float wetness_of_film(float film_area, float radius) {
    const float thickness = std::sqrt(radius * radius + film_area / kPi) - radius;
    return 1 - std::exp(-thickness / (0.2f * radius));
}

bool finite_range(const std::vector<Vec3f>& p, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
        if (!std::isfinite(p[i].x + p[i].y + p[i].z)) return false;
    return true;
}

Material strand_material(const Appearance& appearance, std::size_t index, float radius, float lone) {
    Appearance::Strand look = at_or_default(appearance.strands, index);
    const bool thick = radius > kThickestHair;
    if (index >= appearance.strands.size() && thick) look.colour = {0.80f, 0.66f, 0.40f};
    if (!look.hair || thick) return coated(look.colour, 0.45f, 0.4f);
    Material m;
    m.look = Look::hair;
    m.colour = look.colour;
    m.roughness = 0.26f;
    m.lone_fibres = lone;
    m.wet_darkening = kWetHair;
    return m;
}

/// 1 for strands one sees between, towards 0 where they lie many deep.
float loneliness(const FrameArrays::Strands& g, float size) {
    // A strand is drawn about a pixel of a common picture wide at least.
    const float least = size / 1500;
    double covered = 0;
    for (std::size_t k = 0; k + 1 < g.start.size(); ++k)
        for (auto v = std::size_t(g.start[k]); v + 1 < std::size_t(g.start[k + 1]); ++v)
            covered += double(2 * std::max(g.radius[v], least) * length(g.position[v + 1] - g.position[v]));
    const Vec3f box = box_of_most(g.position, 0.002f).size();
    const double seen = double(box.x * box.y + box.y * box.z + box.z * box.x) / 3;
    const double layers = seen > 0 ? covered / seen : 0;
    return std::isfinite(layers) ? float(kManyLayers / (kManyLayers + layers)) : 1.0f;
}

void add_strands(Scene& scene, const FrameArrays::Strands& g, const Appearance& appearance,
                 bool film_is_drawn, float size) {
    std::map<int, Curves> groups;
    const float lone = loneliness(g, size);
    for (std::size_t k = 0; k + 1 < g.start.size(); ++k) {
        const auto from = std::size_t(g.start[k]), to = std::size_t(g.start[k + 1]);
        if (to - from < 2 || !finite_range(g.position, from, to)) continue;
        const auto index =
            g.material.empty() ? std::size_t{0} : std::size_t(std::max<std::int64_t>(g.material[k], 0));
        const int material = add_material(scene, strand_material(appearance, index, g.radius[from], lone));
        Curves& c = groups[material];
        if (c.start.empty()) c.start.push_back(0);
        for (std::size_t v = from; v < to; ++v) {
            const float film = g.film_area.empty() ? 0.0f : g.film_area[v];
            const float wet_radius = std::sqrt(g.radius[v] * g.radius[v] + film / kPi);
            c.position.push_back(g.position[v]);
            c.radius.push_back(film_is_drawn ? g.radius[v] : std::min(wet_radius, 2 * g.radius[v]));
            c.wetness.push_back(wetness_of_film(film, g.radius[v]));
            if (!g.velocity.empty()) c.velocity.push_back(g.velocity[v]);
        }
        c.start.push_back(std::int64_t(c.position.size()));
        c.material = material;
    }
    for (auto& [material, curves] : groups) scene.curves.push_back(std::move(curves));
}

void add_fabric(Scene& scene, const FrameArrays::Fabric& f, const Appearance& appearance) {
    Material cloth = coated(appearance.cloth_colour, 0, 0.6f);
    cloth.wet_darkening = 0.6f;
    const int material = add_material(scene, cloth);
    if (!f.triangle.empty()) {
        Mesh mesh{f.position, f.triangle,   smooth_normals(f.position, f.triangle),
                  f.velocity, f.saturation, material};
        scene.meshes.push_back(std::move(mesh));
    }
    if (f.segment.empty()) return;
    // Segments that follow one another become one curve.
    Curves c;
    c.material = material;
    const auto append = [&](int vertex) {
        const auto v = std::size_t(vertex);
        c.position.push_back(f.position[v]);
        c.radius.push_back(appearance.yarn_radius);
        c.wetness.push_back(f.saturation.empty() ? 0.0f : f.saturation[v]);
        if (!f.velocity.empty()) c.velocity.push_back(f.velocity[v]);
    };
    int last = -1;
    for (const auto& [from, to] : f.segment) {
        if (from != last) {
            c.start.push_back(std::int64_t(c.position.size()));
            append(from);
        }
        append(to);
        last = to;
    }
    c.start.push_back(std::int64_t(c.position.size()));
    scene.curves.push_back(std::move(c));
}

Box exact_box(const std::vector<Vec3f>& points) {
    return box_of_most(points, 0);
}

float span(const Box& box) {
    return box.valid ? length(box.size()) : 0;
}

bool holds(const Box& outer, const Vec3f& p) {
    for (int a = 0; a < 3; ++a)
        if (p[a] < outer.low[a] || p[a] > outer.high[a]) return false;
    return true;
}

Box moving_box(const FrameArrays& a) {
    Box box;
    box.include(box_of_most(a.liquid.position));
    if (!box.valid) box.include(box_of_most(a.surface.position));
    box.include(box_of_most(a.strands.position, 0.002f));
    box.include(exact_box(a.fabric.position));
    box.include(exact_box(a.bodies.position));
    return box;
}

Appearance::Obstacle obstacle_look(const Appearance& appearance, const FrameArrays::Obstacle& o) {
    const auto found = appearance.obstacles.find(o.name);
    return found != appearance.obstacles.end() ? found->second : Appearance::Obstacle{};
}

/// A container holds the middle and most of the box of what moves.
bool is_container(const FrameArrays::Obstacle& o, const Appearance::Obstacle& look, const Box& moving) {
    if (look.side != Side::unknown) return look.side == Side::inside;
    if (!moving.valid) return false;
    const Box box = exact_box(o.position);
    const float slack = 0.1f * span(moving);
    const Vec3f margin{slack, slack, slack};
    const Box loose{box.low - margin, box.high + margin, true};
    const Vec3f inner_low = mix(moving.low, moving.centre(), 0.4f);
    const Vec3f inner_high = mix(moving.high, moving.centre(), 0.4f);
    return span(box) > 0.8f * span(moving) && holds(loose, inner_low) && holds(loose, inner_high);
}

/// The radius in the middle, m.
float typical_radius(std::vector<float> radius) {
    if (radius.empty()) return 0;
    const auto middle = radius.begin() + std::ptrdiff_t(radius.size() / 2);
    std::nth_element(radius.begin(), middle, radius.end());
    return *middle;
}

void add_surface(Scene& scene, const FrameArrays& a, const Appearance& appearance, const Box& moving,
                 float size) {
    Mesh mesh{a.surface.position, a.surface.triangle, {}, a.surface.velocity, {}, 0};
    mesh.normal = smooth_normals(mesh.position, mesh.triangle);
    for (const auto& o : a.obstacles)
        if (is_container(o, obstacle_look(appearance, o), moving))
            press_against(flat_walls(o.position, o.triangle), 2.4f * typical_radius(a.liquid.radius),
                          2e-4f * size, 1e-3f * size, mesh);
    for (auto& [liquid, part] : split_by_liquid(std::move(mesh), a.liquid)) {
        part.material = add_material(scene, liquid_material(at_or_default(appearance.liquids, liquid), size));
        scene.meshes.push_back(std::move(part));
    }
}

/// Back walls as faint panes, edges as thin rods: one sees into it and still sees it.
void add_container(Scene& scene, const FrameArrays::Obstacle& o, float size) {
    Material pane;
    pane.look = Look::glass;
    pane.colour = {0.93f, 0.95f, 0.96f};
    pane.only_backfaces = true;
    scene.meshes.push_back(
        {o.position, outward(o.position, o.triangle), {}, {}, {}, add_material(scene, pane)});
    Curves rods = crease_edges(o.position, o.triangle, 0.0016f * size);
    rods.material = add_material(scene, coated({0.10f, 0.11f, 0.12f}, 0.6f, 0.3f));
    if (rods.start.size() > 1) scene.curves.push_back(std::move(rods));
}

void add_obstacle(Scene& scene, const FrameArrays::Obstacle& o, const Appearance::Obstacle& look,
                  const Box& moving, float size) {
    if (!look.visible) return;
    if (is_container(o, look, moving)) {
        add_container(scene, o, size);
        return;
    }
    Mesh mesh{o.position, o.triangle, {}, {}, {}, 0};
    unshare_creases(mesh);
    mesh.material = add_material(scene, coated(look.colour, 0.25f, 0.45f));
    scene.meshes.push_back(std::move(mesh));
}

}  // namespace

Box box_of_frame(const FrameArrays& arrays) {
    const Box moving = moving_box(arrays);
    Box box = moving;
    for (const auto& o : arrays.obstacles) {
        const Box b = exact_box(o.position);
        if (!moving.valid || span(b) < kLargeObstacle * span(moving)) box.include(b);
    }
    return box;
}

float floor_of_frame(const FrameArrays& arrays, const Appearance& appearance) {
    const Box box = box_of_frame(arrays);
    float floor = box.low.y;
    for (const auto& o : arrays.obstacles) {
        const Box b = exact_box(o.position);
        if (b.valid && obstacle_look(appearance, o).visible) floor = std::min(floor, b.low.y);
    }
    return std::max(floor, box.low.y - span(box));
}

Scene scene_of_frame(const FrameArrays& arrays, const Appearance& appearance, float aspect) {
    Scene scene;
    const Box moving = moving_box(arrays), box = box_of_frame(arrays);
    const float size = std::max(span(box), 1e-3f);
    const bool has_surface = !arrays.surface.triangle.empty();
    if (has_surface)
        add_surface(scene, arrays, appearance, moving, size);
    else if (!arrays.liquid.position.empty())
        add_particles(scene, arrays.liquid, appearance);
    add_strands(scene, arrays.strands, appearance, has_surface, size);
    if (!arrays.fabric.position.empty()) add_fabric(scene, arrays.fabric, appearance);
    if (!arrays.bodies.position.empty()) {
        Mesh mesh{arrays.bodies.position, arrays.bodies.triangle, {}, arrays.bodies.velocity, {}, 0};
        unshare_creases(mesh);
        mesh.material = add_material(scene, coated(appearance.body_colour, 0.6f, 0.35f, 1.5f));
        scene.meshes.push_back(std::move(mesh));
    }
    for (const auto& o : arrays.obstacles) add_obstacle(scene, o, obstacle_look(appearance, o), moving, size);
    scene.camera = frame_box(box, aspect);
    light_studio(scene, box, floor_of_frame(arrays, appearance));
    return scene;
}

}  // namespace rivulet::render
