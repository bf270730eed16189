#include <rivulet/output/export_usda.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <rivulet/base/units.h>
#include <rivulet/output/csv.h>

namespace rivulet::output {

namespace {

using Prim = UsdaLayout::Prim;
using Kind = Prim::Kind;
using Text = fmt::memory_buffer;

template <class... A>
void put(Text& out, fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<A>(arguments)...);
}
void put_value(Text& out, float v) {
    put(out, "{}", v);
}
void put_value(Text& out, std::int64_t v) {
    put(out, "{}", v);
}
void put_value(Text& out, const Vec3f& v) {
    put(out, "({}, {}, {})", v.x, v.y, v.z);
}

/// [f(0), f(1), ...]
template <class F>
void put_array(Text& out, std::size_t n, F&& value) {
    put(out, "[");
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) put(out, ", ");
        put_value(out, value(i));
    }
    put(out, "]");
}
template <class T>
void put_array(Text& out, const std::vector<T>& values) {
    put_array(out, values.size(), [&](std::size_t i) { return values[i]; });
}

const char* type_of(Kind kind) {
    return kind == Kind::points ? "Points" : kind == Kind::mesh ? "Mesh" : "BasisCurves";
}

/// The attributes that vary, with their types, in a fixed order.
std::vector<std::pair<std::string, std::string>> attributes_of(const Prim& p) {
    std::vector<std::pair<std::string, std::string>> list{{"point3f[]", "points"}};
    if (p.velocity) list.push_back({"vector3f[]", "velocities"});
    if (p.kind != Kind::mesh) list.push_back({"float[]", "widths"});
    if (p.id) list.push_back({"int64[]", p.kind == Kind::points ? "ids" : "primvars:id"});
    if (p.kind == Kind::mesh) {
        list.push_back({"int[]", "faceVertexCounts"});
        list.push_back({"int[]", "faceVertexIndices"});
    }
    if (p.kind == Kind::curves) list.push_back({"int[]", "curveVertexCounts"});
    if (p.film) list.push_back({"float[]", "primvars:film_area"});
    if (p.saturation) list.push_back({"float[]", "primvars:saturation"});
    list.push_back({"float3[]", "extent"});
    return list;
}

/// Whole rows of the header of a layer.
void put_header(Text& out, const ExportSpace& space, const std::string& more = {}) {
    put(out, "#usda 1.0\n(\n    defaultPrim = \"Rivulet\"\n{}", more);
    put(out, "    framesPerSecond = {}\n    metersPerUnit = {}\n    timeCodesPerSecond = {}\n",
        shortest(space.fps), shortest(1 / space.scale), shortest(space.fps));
    put(out, "    upAxis = \"{}\"\n)\n\n", space.z_up ? "Z" : "Y");
}

std::string interpolation_of(const std::string& attribute) {
    if (attribute == "primvars:id") return "uniform";
    if (attribute == "widths" || attribute.starts_with("primvars:")) return "vertex";
    return "";
}

void put_declarations(Text& out, const Prim& p) {
    for (const auto& [type, name] : attributes_of(p)) {
        const std::string interpolation = interpolation_of(name);
        put(out, "        {} {}", type, name);
        if (!interpolation.empty())
            put(out, " (\n            interpolation = \"{}\"\n        )", interpolation);
        put(out, "\n");
    }
}

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

/// Writes the value of any attribute of one prim.
class Values {
 public:
    Values(const Prim& prim, const ExportFrame& frame) {
        for (const ExportPoints& p : frame.points)
            if (prim.kind == Kind::points && usda_name(p.name) == prim.name) points_ = &p;
        for (const ExportMesh& m : frame.meshes)
            if (prim.kind == Kind::mesh && usda_name(m.name) == prim.name) mesh_ = &m;
        for (const ExportCurves& c : frame.curves)
            if (prim.kind == Kind::curves && usda_name(c.name) == prim.name) curves_ = &c;
    }
    void put_attribute(Text& out, const std::string& name) const {
        if (points_) return put_of_points(out, name);
        if (mesh_) return put_of_mesh(out, name);
        if (curves_) put_of_curves(out, name);
    }

 private:
    static void put_diameters(Text& out, const std::vector<float>& radius) {
        put_array(out, radius.size(), [&](std::size_t i) { return 2 * radius[i]; });
    }
    void put_of_points(Text& out, const std::string& name) const {
        const ExportPoints& p = *points_;
        if (name == "points") return put_array(out, p.position);
        if (name == "velocities") return put_array(out, p.velocity);
        if (name == "widths") return put_diameters(out, p.radius);
        if (name == "ids") return put_array(out, p.id);
        put_extent(out, p.position, largest(p.radius));
    }
    void put_of_mesh(Text& out, const std::string& name) const {
        const ExportMesh& m = *mesh_;
        if (name == "points") return put_array(out, m.position);
        if (name == "velocities") return put_array(out, m.velocity);
        if (name == "faceVertexCounts")
            return put_array(out, m.triangle.size(), [](std::size_t) { return std::int64_t{3}; });
        if (name == "faceVertexIndices")
            return put_array(out, 3 * m.triangle.size(),
                             [&](std::size_t i) { return std::int64_t{m.triangle[i / 3][int(i % 3)]}; });
        if (name == "primvars:saturation") return put_array(out, m.saturation);
        put_extent(out, m.position, 0);
    }
    void put_of_curves(Text& out, const std::string& name) const {
        const ExportCurves& c = *curves_;
        if (name == "points") return put_array(out, c.position);
        if (name == "velocities") return put_array(out, c.velocity);
        if (name == "widths") return put_diameters(out, c.radius);
        if (name == "primvars:id") return put_array(out, c.id);
        if (name == "curveVertexCounts")
            return put_array(out, c.start.size() - 1,
                             [&](std::size_t k) { return c.start[k + 1] - c.start[k]; });
        if (name == "primvars:film_area") return put_array(out, c.film_area);
        if (name == "primvars:saturation") return put_array(out, c.saturation);
        put_extent(out, c.position, largest(c.radius));
    }
    const ExportPoints* points_ = nullptr;
    const ExportMesh* mesh_ = nullptr;
    const ExportCurves* curves_ = nullptr;
};

std::string text_of(const Text& out) {
    return {out.data(), out.size()};
}

}  // namespace

std::string usda_name(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (digit && out.empty()) out += '_';
        out += digit || letter ? c : '_';
    }
    return out.empty() ? "_" : out;
}

UsdaLayout::Prim& UsdaLayout::prim(Prim::Kind kind, const std::string& name, const Vec3f& colour) {
    const auto found =
        std::find_if(prims_.begin(), prims_.end(), [&](const Prim& p) { return p.name == usda_name(name); });
    if (found != prims_.end()) return *found;
    prims_.push_back({kind, usda_name(name), colour});
    return prims_.back();
}

void UsdaLayout::include(const ExportFrame& frame) {
    for (const ExportPoints& points : frame.points) {
        Prim& p = prim(Kind::points, points.name, points.colour);
        p.velocity |= !points.velocity.empty();
        p.id |= !points.id.empty();
    }
    for (const ExportMesh& m : frame.meshes) {
        Prim& p = prim(Kind::mesh, m.name, m.colour);
        p.velocity |= !m.velocity.empty();
        p.saturation |= !m.saturation.empty();
    }
    for (const ExportCurves& c : frame.curves) {
        Prim& p = prim(Kind::curves, c.name, c.colour);
        p.velocity |= !c.velocity.empty();
        p.film |= !c.film_area.empty();
        p.saturation |= !c.saturation.empty();
        p.id |= !c.id.empty();
    }
}

std::string UsdaLayout::csv() const {
    std::string out = "kind,name,red,green,blue,velocity,film,saturation,id\n";
    for (const Prim& p : prims_)
        out += fmt::format("{},{},{},{},{},{:d},{:d},{:d},{:d}\n", int(p.kind), p.name, p.colour.x,
                           p.colour.y, p.colour.z, p.velocity, p.film, p.saturation, p.id);
    return out;
}

UsdaLayout UsdaLayout::parse_csv(std::string_view text) {
    UsdaLayout layout;
    for (const auto& row : output::parse_csv(text).rows) {
        const auto number = [&](std::size_t i) { return std::strtof(row[i].c_str(), nullptr); };
        if (row.size() != 9 || row[0].size() != 1 || row[0][0] < '0' || row[0][0] > '2') continue;
        if (usda_name(row[1]) != row[1]) continue;
        layout.prims_.push_back({Kind(row[0][0] - '0'), row[1], Vec3f{number(2), number(3), number(4)},
                                 row[5] == "1", row[6] == "1", row[7] == "1", row[8] == "1"});
    }
    return layout;
}

std::string usda_clip(const ExportFrame& frame, const ExportSpace& space) {
    Text out;
    UsdaLayout layout;
    layout.include(frame);
    const std::string time = shortest(space.time_code(frame.frame));
    put_header(out, space, fmt::format("    endTimeCode = {}\n    startTimeCode = {}\n", time, time));
    put(out, "over \"Rivulet\"\n{{\n");
    for (const Prim& p : layout.prims()) {
        const Values values(p, frame);
        put(out, "    over \"{}\"\n    {{\n", p.name);
        for (const auto& [type, name] : attributes_of(p)) {
            put(out, "        {} {}.timeSamples = {{\n            {}: ", type, name, time);
            values.put_attribute(out, name);
            put(out, ",\n        }}\n");
        }
        put(out, "    }}\n");
    }
    put(out, "}}\n");
    return text_of(out);
}

std::string usda_manifest(const UsdaLayout& layout, const ExportSpace& space) {
    Text out;
    put_header(out, space);
    put(out, "over \"Rivulet\"\n{{\n");
    for (const Prim& p : layout.prims()) {
        put(out, "    over \"{}\"\n    {{\n", p.name);
        put_declarations(out, p);
        put(out, "    }}\n");
    }
    put(out, "}}\n");
    return text_of(out);
}

std::string usda_top_layer(const UsdaLayout& layout, const ExportSpace& space, const std::string& manifest,
                           const std::vector<std::int64_t>& frames,
                           const std::vector<std::string>& clip_files) {
    Text out;
    const auto code = [&](std::size_t i) { return shortest(space.time_code(frames[i])); };
    put_header(out, space,
               frames.empty() ? ""
                              : fmt::format("    endTimeCode = {}\n    startTimeCode = {}\n",
                                            code(frames.size() - 1), code(0)));
    put(out, "def Xform \"Rivulet\" (\n    clips = {{\n        dictionary default = {{\n");
    put(out, "            double2[] active = [");
    for (std::size_t i = 0; i < frames.size(); ++i) put(out, "{}({}, {})", i > 0 ? ", " : "", code(i), i);
    put(out, "]\n            asset[] assetPaths = [");
    for (std::size_t i = 0; i < frames.size(); ++i) put(out, "{}@{}@", i > 0 ? ", " : "", clip_files[i]);
    put(out, "]\n            asset manifestAssetPath = @{}@\n", manifest);
    put(out, "            string primPath = \"/Rivulet\"\n            double2[] times = [");
    for (std::size_t i = 0; i < frames.size(); ++i)
        put(out, "{}({}, {})", i > 0 ? ", " : "", code(i), code(i));
    put(out, "]\n        }}\n    }}\n)\n{{\n");
    for (const Prim& p : layout.prims()) {
        put(out, "    def {} \"{}\"\n    {{\n", type_of(p.kind), p.name);
        put(out, "        color3f[] primvars:displayColor = [({}, {}, {})]\n", p.colour.x, p.colour.y,
            p.colour.z);
        if (p.kind == Kind::mesh)
            put(out,
                "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = {}\n",
                p.saturation ? "true" : "false");
        if (p.kind == Kind::curves)
            put(out,
                "        uniform token type = \"linear\"\n        uniform token wrap = \"nonperiodic\"\n");
        put_declarations(out, p);
        put(out, "    }}\n");
    }
    put(out, "}}\n");
    return text_of(out);
}

}  // namespace rivulet::output
