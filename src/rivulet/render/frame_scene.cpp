#include <rivulet/render/frame_scene.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include <rivulet/geometry/coated_radius.h>
#include <rivulet/render/liquid_parts.h>
#include <rivulet/render/mesh_tools.h>
#include <rivulet/render/optics.h>
#include <rivulet/render/studio.h>
#include <rivulet/render/walls.h>

namespace rivulet::render {
namespace {

using output::Frame;
using output::FrameGroup;
using output::FrameObstacle;
using output::MaterialLook;

/// Strands thicker than this are noodles or cords unless the caller says otherwise.
constexpr float kThickestHair = 0.3e-3f;
constexpr Vec3f kNoodleColour{0.80f, 0.66f, 0.40f};
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

Material liquid_material(const MaterialLook& l, float size) {
    if (l.is_opaque()) return coated(l.colour, 0.85f, 0.28f);
    Material m;
    m.look = Look::liquid;
    m.colour = {std::clamp(l.colour.x, 0.02f, 1.0f), std::clamp(l.colour.y, 0.02f, 1.0f),
                std::clamp(l.colour.z, 0.02f, 1.0f)};
    // A small body of clear liquid keeps a hint of its colour in a picture.
    m.absorption_depth = std::min(1 / std::max(l.absorption, 1e-3f), 1.2f * size);
    return m;
}

void add_points(Scene& scene, const Frame& frame, const FrameGroup& g) {
    std::map<std::size_t, Spheres> by_material;
    const auto radius = g.find("radius");
    assert(radius.size() == g.position.size() && "keep_usable gives every point a radius");
    for (std::size_t i = 0; i < g.position.size(); ++i) {
        Spheres& s = by_material[g.material_of(i)];
        s.position.push_back(g.position[i]);
        s.radius.push_back(radius[i]);
        if (!g.velocity.empty()) s.velocity.push_back(g.velocity[i]);
    }
    for (auto& [index, spheres] : by_material) {
        const Vec3f colour = frame.look(g.materials, index).colour;
        spheres.material = add_material(scene, coated(colour, 0.8f, 0.25f, 1.4f));
        scene.spheres.push_back(std::move(spheres));
    }
}

/// Film thickness over strand radius, as a wetness that saturates for thick films.
float wetness_of_film(float film_area, float radius) {
    const float thickness = geometry::coated_radius(radius, film_area) - radius;
    return 1 - std::exp(-thickness / (0.2f * radius));
}

bool finite_range(const std::vector<Vec3f>& p, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
        if (!std::isfinite(p[i].x + p[i].y + p[i].z)) return false;
    return true;
}

Material line_material(const Frame& frame, const FrameGroup& g, std::size_t index, float radius, float lone) {
    Vec3f colour = frame.look(g.materials, index).colour;
    const bool thick = radius > kThickestHair;
    if (!frame.has_look(g.materials, index) && thick) colour = kNoodleColour;
    if (thick) return coated(colour, 0.45f, 0.4f);
    Material m;
    m.look = Look::hair;
    m.colour = colour;
    m.roughness = 0.26f;
    m.lone_fibres = lone;
    m.wet_darkening = kWetHair;
    return m;
}

/// 1 for strands one sees between, towards 0 where they lie many deep.
float loneliness(const FrameGroup& g, float size) {
    // A strand is drawn about a pixel of a common picture wide at least.
    const float least = size / 1500;
    const auto radius = g.find("radius");
    double covered = 0;
    for (std::size_t k = 0; k < g.lines(); ++k)
        for (auto v = std::size_t(g.start[k]); v + 1 < std::size_t(g.start[k + 1]); ++v)
            covered += double(2 * std::max(radius[v], least) * length(g.position[v + 1] - g.position[v]));
    const Vec3f box = box_of_most(g.position, 0.002f).size();
    const double seen = double(box.x * box.y + box.y * box.z + box.z * box.x) / 3;
    const double layers = seen > 0 ? covered / seen : 0;
    return std::isfinite(layers) ? float(kManyLayers / (kManyLayers + layers)) : 1.0f;
}

void add_lines(Scene& scene, const Frame& frame, const FrameGroup& g, bool film_is_drawn, float size) {
    std::map<int, Curves> by_material;
    const float lone = loneliness(g, size);
    const auto radius = g.find("radius"), film_area = g.find("film_area");
    assert(radius.size() == g.position.size() && "keep_usable gives every point a radius");
    for (std::size_t k = 0; k < g.lines(); ++k) {
        const auto from = std::size_t(g.start[k]), to = std::size_t(g.start[k + 1]);
        if (to - from < 2 || !finite_range(g.position, from, to)) continue;
        const int material =
            add_material(scene, line_material(frame, g, g.material_of(k), radius[from], lone));
        Curves& c = by_material[material];
        if (c.start.empty()) c.start.push_back(0);
        for (std::size_t v = from; v < to; ++v) {
            const float film = film_area.empty() ? 0.0f : film_area[v];
            const float wet_radius = geometry::coated_radius(radius[v], film);
            c.position.push_back(g.position[v]);
            c.radius.push_back(film_is_drawn ? radius[v] : std::min(wet_radius, 2 * radius[v]));
            c.wetness.push_back(wetness_of_film(film, radius[v]));
            if (!g.velocity.empty()) c.velocity.push_back(g.velocity[v]);
        }
        c.start.push_back(std::int64_t(c.position.size()));
        c.material = material;
    }
    for (auto& [material, curves] : by_material) scene.curves.push_back(std::move(curves));
}

Curves yarn_of(const FrameGroup& g, int material) {
    const output::Chains chains = output::chains_of(g.segment);
    const auto saturation = g.find("saturation");
    Curves c;
    c.start = chains.start;
    c.material = material;
    for (const std::size_t v : chains.point) {
        c.position.push_back(g.position[v]);
        c.radius.push_back(output::kYarnRadius);
        c.wetness.push_back(saturation.empty() ? 0.0f : saturation[v]);
        if (!g.velocity.empty()) c.velocity.push_back(g.velocity[v]);
    }
    return c;
}

/// What soaks liquid up is soft and dull as cloth, everything else a smooth solid with its edges.
void add_mesh(Scene& scene, const Frame& frame, const FrameGroup& g) {
    const auto saturation = g.find("saturation");
    const bool soaks = !saturation.empty() || !g.segment.empty();
    const Vec3f colour = frame.look(g.materials, g.material_of(0)).colour;
    Material look = soaks ? coated(colour, 0, 0.6f) : coated(colour, 0.6f, 0.35f, 1.5f);
    if (soaks) look.wet_darkening = 0.6f;
    const int material = add_material(scene, look);
    if (!g.triangle.empty()) {
        Mesh mesh{g.position, g.triangle, {}, g.velocity, {saturation.begin(), saturation.end()}, material};
        if (soaks)
            mesh.normal = smooth_normals(mesh.position, mesh.triangle);
        else
            unshare_creases(mesh);
        scene.meshes.push_back(std::move(mesh));
    }
    if (!g.segment.empty()) scene.curves.push_back(yarn_of(g, material));
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

Box moving_box(const Frame& frame) {
    Box box;
    for (const FrameGroup& g : frame.groups)
        if (output::is_bulk(g)) box.include(box_of_most(g.position));
    if (!box.valid) box.include(box_of_most(frame.surface.position));
    for (const FrameGroup& g : frame.groups) {
        if (g.shape == GroupShape::points) box.include(box_of_most(g.position));
        if (g.shape == GroupShape::lines) box.include(box_of_most(g.position, 0.002f));
        if (g.shape == GroupShape::mesh) box.include(exact_box(g.position));
    }
    return box;
}

/// A container holds the middle and most of the box of what moves.
bool is_container(const FrameObstacle& o, const std::vector<Vec3f>& placed, const Box& moving) {
    if (o.inside) return *o.inside;
    if (!moving.valid) return false;
    const Box box = exact_box(placed);
    const float slack = 0.1f * span(moving);
    const Vec3f margin{slack, slack, slack};
    const Box loose{box.low - margin, box.high + margin, true};
    const Vec3f inner_low = mix(moving.low, moving.centre(), 0.4f);
    const Vec3f inner_high = mix(moving.high, moving.centre(), 0.4f);
    return span(box) > 0.8f * span(moving) && holds(loose, inner_low) && holds(loose, inner_high);
}

/// The radius in the middle of all particles of liquid, m.
float typical_radius(const Frame& frame) {
    std::vector<float> radius;
    for (const FrameGroup& g : frame.groups)
        if (const auto r = g.find("radius"); output::is_bulk(g))
            radius.insert(radius.end(), r.begin(), r.end());
    if (radius.empty()) return 0;
    const auto middle = radius.begin() + std::ptrdiff_t(radius.size() / 2);
    std::nth_element(radius.begin(), middle, radius.end());
    return *middle;
}

void add_liquid_mesh(Scene& scene, const Frame& frame, Mesh mesh, const FrameGroup& surface, float size) {
    for (auto& [liquid, part] : split_by_liquid(std::move(mesh), surface, commonest_liquid(frame))) {
        part.material = add_material(scene, liquid_material(frame.look("liquid", liquid), size));
        scene.meshes.push_back(std::move(part));
    }
}

Mesh smooth_mesh(const FrameGroup& g) {
    Mesh mesh{g.position, g.triangle, {}, g.velocity, {}, 0};
    mesh.normal = smooth_normals(mesh.position, mesh.triangle);
    return mesh;
}

/// NOTE: inside a clear liquid the outer surface of an opaque one is seen from within, where no light comes:
/// what one must see there is the interface.
void add_surface(Scene& scene, const Frame& frame, const Box& moving, float size) {
    Mesh mesh = smooth_mesh(frame.surface);
    const float radius = typical_radius(frame);
    for (const FrameObstacle& o : frame.obstacles)
        if (const auto placed = o.placed(); is_container(o, placed, moving))
            press_against(flat_walls(placed, o.triangle), 2.4f * radius, 2e-4f * size, 1e-3f * size, mesh);
    add_liquid_mesh(scene, frame, std::move(mesh), frame.surface, size);
    if (!frame.interface.triangle.empty())
        add_liquid_mesh(scene, frame, smooth_mesh(frame.interface), frame.interface, size);
}

/// Back walls as faint panes, edges as thin rods: one sees into it and still sees it.
void add_container(Scene& scene, const std::vector<Vec3f>& position, const std::vector<Vec3i>& triangle,
                   float size) {
    Material pane;
    pane.look = Look::glass;
    pane.colour = {0.93f, 0.95f, 0.96f};
    pane.only_backfaces = true;
    scene.meshes.push_back({position, outward(position, triangle), {}, {}, {}, add_material(scene, pane)});
    Curves rods = crease_edges(position, triangle, 0.0016f * size);
    rods.material = add_material(scene, coated({0.10f, 0.11f, 0.12f}, 0.6f, 0.3f));
    if (rods.start.size() > 1) scene.curves.push_back(std::move(rods));
}

void add_obstacle(Scene& scene, const FrameObstacle& o, const Box& moving, float size) {
    if (!o.visible) return;
    const std::vector<Vec3f> placed = o.placed();
    if (is_container(o, placed, moving)) return add_container(scene, placed, o.triangle, size);
    Mesh mesh{placed, o.triangle, {}, o.velocity(), {}, 0};
    unshare_creases(mesh);
    mesh.material = add_material(scene, coated(o.colour, 0.25f, 0.45f));
    scene.meshes.push_back(std::move(mesh));
}

}  // namespace

Box box_of_frame(const Frame& frame) {
    const Box moving = moving_box(frame);
    Box box = moving;
    for (const FrameObstacle& o : frame.obstacles) {
        const Box b = exact_box(o.placed());
        if (!moving.valid || span(b) < kLargeObstacle * span(moving)) box.include(b);
    }
    return box;
}

float floor_of_frame(const Frame& frame) {
    const Box box = box_of_frame(frame);
    float floor = box.low.y;
    for (const FrameObstacle& o : frame.obstacles) {
        const Box b = exact_box(o.placed());
        if (b.valid && o.visible) floor = std::min(floor, b.low.y);
    }
    return std::max(floor, box.low.y - span(box));
}

Scene scene_of_frame(const Frame& frame, float aspect) {
    Scene scene;
    const Box moving = moving_box(frame), box = box_of_frame(frame);
    const float size = std::max(span(box), 1e-3f);
    const bool has_surface = !frame.surface.triangle.empty();
    if (has_surface) add_surface(scene, frame, moving, size);
    for (const FrameGroup& g : frame.groups)
        if (g.shape == GroupShape::points && !(has_surface && output::is_bulk(g)))
            add_points(scene, frame, g);
    for (const FrameGroup& g : frame.groups)
        if (g.shape == GroupShape::lines) add_lines(scene, frame, g, has_surface, size);
    for (const FrameGroup& g : frame.groups)
        if (g.shape == GroupShape::mesh) add_mesh(scene, frame, g);
    for (const FrameObstacle& o : frame.obstacles) add_obstacle(scene, o, moving, size);
    scene.camera = frame_box(box, aspect);
    light_studio(scene, box, floor_of_frame(frame));
    return scene;
}

}  // namespace rivulet::render
