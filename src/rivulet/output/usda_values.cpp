#include <rivulet/output/usda_values.h>

#include <algorithm>

namespace rivulet::output::usda {

namespace {

using Prim = UsdaLayout::Prim;
using Kind = Prim::Kind;

constexpr std::string_view kPrimvar = "primvars:";
constexpr std::string_view kWeight = "primvars:weight_";

void put_extent(Text& out, const std::vector<Vec3f>& position, float margin) {
    if (position.empty()) return put(out, "[]");
    Vec3f low = position[0], high = position[0];
    for (const Vec3f& p : position)
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], p[a]);
            high[a] = std::max(high[a], p[a]);
        }
    const Vec3f m{margin, margin, margin};
    put_array(out, std::vector<Vec3f>{low - m, high + m});
}

float largest(const std::vector<float>& values) {
    return values.empty() ? 0.0f : *std::max_element(values.begin(), values.end());
}

void put_diameters(Text& out, const std::vector<float>& radius) {
    put_array(out, radius.size(), [&](std::size_t i) { return 2 * radius[i]; });
}

void put_materials(Text& out, const std::vector<std::uint8_t>& material) {
    put_array(out, material.size(), [&](std::size_t i) { return std::int64_t{material[i]}; });
}

}  // namespace

std::vector<AttributeName> attributes_of(const Prim& p, const std::vector<ExportLiquid>& liquids) {
    std::vector<AttributeName> list{{"point3f[]", "points", ""}};
    if (p.velocity) list.push_back({"vector3f[]", "velocities", ""});
    if (p.kind != Kind::mesh) list.push_back({"float[]", "widths", "vertex"});
    if (p.id && p.kind == Kind::points) list.push_back({"int64[]", "ids", ""});
    if (p.id && p.kind != Kind::points) list.push_back({"int64[]", "primvars:id", "uniform"});
    if (p.kind == Kind::mesh) {
        list.push_back({"int[]", "faceVertexCounts", ""});
        list.push_back({"int[]", "faceVertexIndices", ""});
    }
    if (p.kind == Kind::curves) list.push_back({"int[]", "curveVertexCounts", ""});
    for (const std::string& n : p.numbers) list.push_back({"float[]", std::string(kPrimvar) + n, "vertex"});
    if (p.saturation) list.push_back({"float[]", "primvars:saturation", "vertex"});
    if (p.material) {
        list.push_back({"int[]", "primvars:material", p.kind == Kind::mesh ? "uniform" : "vertex"});
        list.push_back({"color3f[]", "primvars:displayColor", "vertex"});
        if (p.kind == Kind::mesh)
            for (const ExportLiquid& l : liquids)
                list.push_back({"float[]", std::string(kWeight) + usda_name(l.name), "vertex"});
    }
    list.push_back({"float3[]", "extent", ""});
    return list;
}

Values::Values(const Prim& prim, const ExportFrame& frame) : frame_(frame) {
    for (const ExportPoints& p : frame.points)
        if (prim.kind == Kind::points && usda_name(p.name) == prim.name) points_ = &p;
    for (const ExportMesh& m : frame.meshes)
        if (prim.kind == Kind::mesh && usda_name(m.name) == prim.name) mesh_ = &m;
    for (const ExportCurves& c : frame.curves)
        if (prim.kind == Kind::curves && usda_name(c.name) == prim.name) curves_ = &c;
}

void Values::put_attribute(Text& out, const std::string& name) const {
    if (points_) return put_of_points(out, name);
    if (mesh_) return put_of_mesh(out, name);
    if (curves_) put_of_curves(out, name);
}

bool Values::put_moved_points(Text& out, double seconds) const {
    const auto* position = points_ ? &points_->position : mesh_ ? &mesh_->position : nullptr;
    const auto* velocity = points_ ? &points_->velocity : mesh_ ? &mesh_->velocity : nullptr;
    if (curves_) position = &curves_->position, velocity = &curves_->velocity;
    if (!position || velocity->empty() || velocity->size() != position->size()) return false;
    put_array(out, position->size(),
              [&](std::size_t i) { return (*position)[i] + (*velocity)[i] * float(seconds); });
    return true;
}

void Values::put_faces(Text& out, std::size_t liquid) const {
    std::vector<std::int64_t> faces;
    for (std::size_t t = 0; mesh_ && t < mesh_->material.size(); ++t)
        if (mesh_->material[t] == liquid) faces.push_back(std::int64_t(t));
    put_array(out, faces);
}

void Values::put_of_points(Text& out, const std::string& name) const {
    const ExportPoints& p = *points_;
    if (name == "points") return put_array(out, p.position);
    if (name == "velocities") return put_array(out, p.velocity);
    if (name == "widths") return put_diameters(out, p.radius);
    if (name == "ids") return put_array(out, p.id);
    if (name == "primvars:material") return put_materials(out, p.material);
    if (name == "primvars:displayColor") return put_array(out, vertex_colours(p, frame_.liquids));
    put_extent(out, p.position, largest(p.radius));
}

void Values::put_of_mesh(Text& out, const std::string& name) const {
    const ExportMesh& m = *mesh_;
    if (name == "points") return put_array(out, m.position);
    if (name == "velocities") return put_array(out, m.velocity);
    if (name == "faceVertexCounts")
        return put_array(out, m.triangle.size(), [](std::size_t) { return std::int64_t{3}; });
    if (name == "faceVertexIndices")
        return put_array(out, 3 * m.triangle.size(),
                         [&](std::size_t i) { return std::int64_t{m.triangle[i / 3][int(i % 3)]}; });
    if (name == "primvars:saturation") return put_array(out, m.saturation);
    if (name == "primvars:material") return put_materials(out, m.material);
    if (name == "primvars:displayColor") return put_array(out, vertex_colours(m, frame_.liquids));
    for (std::size_t l = 0; l < frame_.liquids.size(); ++l)
        if (name == std::string(kWeight) + usda_name(frame_.liquids[l].name))
            return put_array(out, m.weights_of(l, frame_.liquids.size()));
    put_extent(out, m.position, 0);
}

void Values::put_of_curves(Text& out, const std::string& name) const {
    const ExportCurves& c = *curves_;
    if (name == "points") return put_array(out, c.position);
    if (name == "velocities") return put_array(out, c.velocity);
    if (name == "widths") return put_diameters(out, c.radius);
    if (name == "primvars:id") return put_array(out, c.id);
    if (name == "curveVertexCounts")
        return put_array(out, c.start.size() - 1, [&](std::size_t k) { return c.start[k + 1] - c.start[k]; });
    for (const ExportNumbers& n : c.numbers)
        if (name == std::string(kPrimvar) + n.name) return put_array(out, n.values);
    put_extent(out, c.position, largest(c.radius));
}

}  // namespace rivulet::output::usda
