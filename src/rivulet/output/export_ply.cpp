#include <rivulet/output/export_ply.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <rivulet/io/ply_writer.h>

namespace rivulet::output {

namespace {

template <class T>
std::span<const T> view(const std::vector<T>& values) {
    return values;
}

void add_vertices(io::PlyWriter& ply, const std::vector<Vec3f>& position,
                  const std::vector<Vec3f>& velocity) {
    ply.element("vertex", position.size());
    ply.columns({"x", "y", "z"}, view(position));
    if (velocity.size() == position.size()) ply.columns({"vx", "vy", "vz"}, view(velocity));
}

/// Attributes that may be missing.
template <class T>
void add_optional(io::PlyWriter& ply, const char* name, const std::vector<T>& values, std::size_t expected,
                  std::optional<io::Dtype> as = {}) {
    if (values.size() == expected && expected > 0) ply.column(name, view(values), as);
}

void add_liquid_names(io::PlyWriter& ply, const std::vector<ExportLiquid>& liquids) {
    for (std::size_t l = 0; l < liquids.size(); ++l)
        ply.comment(fmt::format("material {} {}", l, liquids[l].name));
}

/// As most programs read them: 8 bits, sRGB.
struct Colours {
    std::vector<std::uint8_t> red, green, blue;
    explicit Colours(const std::vector<Vec3f>& linear) {
        const auto code = [](float v) {
            const float c = std::clamp(v, 0.0f, 1.0f);
            const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
            return std::uint8_t(std::lround(255 * s));
        };
        for (const Vec3f& c : linear) {
            red.push_back(code(c.x));
            green.push_back(code(c.y));
            blue.push_back(code(c.z));
        }
    }
    void add(io::PlyWriter& ply) const {
        ply.column("red", view(red));
        ply.column("green", view(green));
        ply.column("blue", view(blue));
    }
};

}  // namespace

void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportPoints& p,
               const std::vector<ExportLiquid>& liquids) {
    io::PlyWriter ply;
    const bool several = p.liquid && liquids.size() > 1 && p.material.size() == p.position.size();
    const Colours colours(several ? vertex_colours(p, liquids) : std::vector<Vec3f>{});
    if (p.liquid) add_liquid_names(ply, liquids);
    add_vertices(ply, p.position, p.velocity);
    add_optional(ply, "radius", p.radius, p.position.size());
    add_optional(ply, "id", p.id, p.position.size(), io::Dtype::float64);
    add_optional(ply, "material", p.material, p.position.size());
    if (several) colours.add(ply);
    ply.write(files, path);
}

void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportMesh& m,
               const std::vector<ExportLiquid>& liquids) {
    io::PlyWriter ply;
    const bool several = !m.material.empty();
    const Colours colours(several ? vertex_colours(m, liquids) : std::vector<Vec3f>{});
    std::vector<std::vector<float>> weight;
    for (std::size_t l = 0; several && l < liquids.size(); ++l)
        weight.push_back(m.weights_of(l, liquids.size()));
    if (m.liquid || several) add_liquid_names(ply, liquids);
    add_vertices(ply, m.position, m.velocity);
    add_optional(ply, "saturation", m.saturation, m.position.size());
    for (std::size_t l = 0; l < weight.size(); ++l)
        add_optional(ply, ("weight_" + liquids[l].name).c_str(), weight[l], m.position.size());
    if (several) colours.add(ply);
    std::vector<std::array<std::int32_t, 3>> triangle;
    triangle.reserve(m.triangle.size());
    for (const Vec3i& t : m.triangle) triangle.push_back({t.x, t.y, t.z});
    ply.element("face", triangle.size());
    ply.list("vertex_indices", view(triangle));
    add_optional(ply, "material", m.material, m.triangle.size());
    ply.write(files, path);
}

void write_ply(io::FileSystem& files, const std::filesystem::path& path, const ExportCurves& c,
               const std::vector<ExportLiquid>&) {
    std::vector<std::int32_t> first, second, curve(c.position.size());
    std::vector<double> id(c.id.empty() ? 0 : c.position.size());
    for (std::size_t k = 0; k + 1 < c.start.size(); ++k)
        for (std::int64_t v = c.start[k]; v < c.start[k + 1]; ++v) {
            curve[std::size_t(v)] = std::int32_t(k);
            if (!id.empty()) id[std::size_t(v)] = double(c.id[k]);
            if (v + 1 == c.start[k + 1]) continue;
            first.push_back(std::int32_t(v));
            second.push_back(std::int32_t(v + 1));
        }
    io::PlyWriter ply;
    add_vertices(ply, c.position, c.velocity);
    add_optional(ply, "radius", c.radius, c.position.size());
    for (const ExportNumbers& n : c.numbers) add_optional(ply, n.name.c_str(), n.values, c.position.size());
    ply.column("curve", view(curve));
    add_optional(ply, "id", id, c.position.size());
    ply.element("edge", first.size());
    ply.column("vertex1", view(first));
    ply.column("vertex2", view(second));
    ply.write(files, path);
}

}  // namespace rivulet::output
