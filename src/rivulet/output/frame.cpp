#include <rivulet/output/frame.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/output/frame_source.h>

namespace rivulet::output {

namespace {

constexpr float kMostMaterials = 65536;

/// What frames mean that were written before groups said their shape.
struct UntoldGroup {
    const char* name;
    FieldDescriptions::Group info;
};
const UntoldGroup kUntold[] = {{"liquid", {GroupShape::points, "liquid"}},
                               {"strands", {GroupShape::lines, "strand"}},
                               {"fabric", {GroupShape::mesh, "fabric"}},
                               {"bodies", {GroupShape::mesh, "body"}}};

FieldDescriptions::Group info_of(const FrameSource& s, const std::string& name) {
    if (const auto told = s.group(name)) return *told;
    for (const UntoldGroup& g : kUntold)
        if (g.name == name) return g.info;
    return {};
}

/// Arrays that have a member of their own in FrameGroup, or say how points hang together.
bool is_structure(std::string_view what) {
    static const std::set<std::string_view> names{"position", "velocity", "rest_position", "id",
                                                  "start",    "triangle", "segment",       "tetrahedron"};
    return names.contains(what);
}

bool read_lines(const FrameSource& s, FrameGroup& g) {
    g.start = s.integers(g.name + "/start");
    const bool good = g.start.size() >= 2 && g.start.front() >= 0 &&
                      std::is_sorted(g.start.begin(), g.start.end()) &&
                      std::uint64_t(g.start.back()) <= g.position.size();
    if (!good) s.leave_out(g.name, g.name + "/start is missing or wrong");
    return good;
}

bool read_mesh(const FrameSource& s, FrameGroup& g) {
    g.triangle = s.triangles(g.name + "/triangle", g.position.size());
    g.segment = s.tuples<2>(g.name + "/segment", g.position.size());
    const bool good = !g.triangle.empty() || !g.segment.empty();
    if (!good) s.leave_out(g.name, "it has neither triangles nor segments");
    return good;
}

/// How many entries an array must have: one per point, one per line, or nothing is known of it.
std::optional<std::size_t> expected_length(const FrameGroup& g, const std::string& centring) {
    const std::size_t points = g.position.size();
    if (centring == to_text(Centring::strand)) return g.lines();
    for (const Centring c : {Centring::particle, Centring::vertex, Centring::edge})
        if (centring == to_text(c)) return points;
    return std::nullopt;
}

void read_numbers(const FrameSource& s, const io::ArrayInfo& info, bool fixed, FrameGroup& g) {
    const std::string what = info.name.substr(g.name.size() + 1), centring = s.centring(info.name);
    if (info.shape.empty() || is_structure(what)) return;
    if (what == "film_share" || what == "share") {
        g.share = s.rows(info.name, g.position.size());
        return;
    }
    const std::uint64_t length = info.shape[0];
    const std::size_t points = g.position.size();
    const auto told = expected_length(g, centring);
    const bool of_points = length == points, of_lines = g.lines() > 0 && length == g.lines();
    if (told ? length != *told : centring.empty() && !fixed && !of_points && !of_lines)
        return s.leave_out_for_length(info.name, length, told.value_or(points));
    if (info.shape.size() != 1 || (!told && !of_points && !of_lines)) return;
    FrameNumbers numbers{what, s.unit(info.name), s.numbers(info.name)};
    numbers.per_line = told ? centring == to_text(Centring::strand) : !of_points;
    numbers.of_edges = centring == to_text(Centring::edge);
    numbers.fixed = fixed;
    numbers.whole = info.dtype == io::Dtype::uint8;
    if (numbers.values.size() == length) g.numbers.push_back(std::move(numbers));
}

/// Nothing when the group cannot be shown; why is said.
std::optional<FrameGroup> read_group(const FrameSource& s, const std::string& name) {
    const FieldDescriptions::Group info = info_of(s, name);
    FrameGroup g;
    g.name = name;
    g.shape = info.shape;
    g.materials = info.materials;
    g.position = s.vectors(name + "/position");
    if (g.position.empty()) return std::nullopt;
    if (g.shape == GroupShape::lines && !read_lines(s, g)) return std::nullopt;
    if (g.shape == GroupShape::mesh && !read_mesh(s, g)) return std::nullopt;
    const std::size_t points = g.position.size();
    g.velocity = s.vectors(name + "/velocity");
    g.rest_position = s.vectors(name + "/rest_position");
    g.id = s.integers(name + "/id");
    s.fit(g.velocity, points, name + "/velocity");
    s.fit(g.rest_position, points, name + "/rest_position");
    s.fit(g.id, g.shape == GroupShape::lines ? g.lines() : points, name + "/id");
    for (const io::ArchiveReader* archive : {s.frame(), s.fixed()}) {
        if (!archive) continue;
        const bool fixed = archive != s.frame();
        for (const io::ArrayInfo& array : archive->arrays())
            if (array.name.starts_with(name + "/") && !(fixed && s.frame()->has(array.name)))
                read_numbers(s, array, fixed, g);
    }
    return g;
}

/// A surface whose arrays begin with a prefix.
void read_liquid_mesh(const FrameSource& s, const std::string& prefix, FrameGroup& g) {
    g.position = s.vectors(prefix + "position");
    g.velocity = s.vectors(prefix + "velocity");
    g.triangle = s.triangles(prefix + "triangle", g.position.size());
    s.fit(g.velocity, g.position.size(), prefix + "velocity");
    for (const std::int64_t m : s.integers(prefix + "material"))
        g.triangle_material.push_back(std::uint8_t(std::clamp<std::int64_t>(m, 0, 255)));
    s.fit(g.triangle_material, g.triangle.size(), prefix + "material");
    g.share = s.rows(prefix + "material_weight", g.position.size());
}

void read_surface(const std::filesystem::path& path, std::vector<std::string>& messages, Frame& frame) {
    std::error_code unreadable;
    if (path.empty() || !std::filesystem::exists(path, unreadable)) return;
    try {
        const FrameSource s(path, {}, messages);
        read_liquid_mesh(s, "", frame.surface);
        read_liquid_mesh(s, "interface/", frame.interface);
    } catch (const Error& e) {
        messages.push_back(e.what());
    }
}

void add_obstacle_names(const io::ArchiveReader* archive, std::set<std::string>& names) {
    if (!archive) return;
    constexpr std::string_view prefix = "obstacles/";
    for (const io::ArrayInfo& a : archive->arrays()) {
        const std::size_t slash = a.name.rfind('/');
        if (a.name.starts_with(prefix) && slash > prefix.size())
            names.insert(a.name.substr(prefix.size(), slash - prefix.size()));
    }
}

FrameObstacle read_obstacle(const FrameSource& s, const std::string& name) {
    const std::string prefix = "obstacles/" + name + "/";
    FrameObstacle o;
    o.name = name;
    o.deforms = s.frame() && s.frame()->has(prefix + "position");
    o.position = s.vectors(prefix + "position");
    o.triangle = s.triangles(prefix + "triangle", o.position.size());
    if (s.has(prefix + "transform")) {
        o.transform = s.matrix(prefix + "transform");
        if (!o.transform) s.say("obstacle " + name + " is shown at rest");
    }
    if (s.has(prefix + "transform_rate")) o.rate = s.matrix(prefix + "transform_rate");
    o.vertex_velocity = s.vectors(prefix + "velocity");
    s.fit(o.vertex_velocity, o.position.size(), prefix + "velocity");
    o.colour = s.vector(prefix + "color").value_or(o.colour);
    o.visible = s.flag(prefix + "visible").value_or(true);
    o.inside = s.flag(prefix + "inside");
    return o;
}

std::map<std::string, std::vector<MaterialLook>> read_looks(const FrameSource& s) {
    std::map<std::string, std::vector<MaterialLook>> looks;
    if (!s.fixed()) return looks;
    constexpr std::string_view prefix = "materials/", suffix = "/color";
    for (const io::ArrayInfo& a : s.fixed()->arrays()) {
        if (!a.name.starts_with(prefix) || !a.name.ends_with(suffix)) continue;
        const std::string folder = a.name.substr(0, a.name.size() - suffix.size());
        const auto colour = s.vectors(a.name);
        auto absorption = s.numbers(folder + "/absorption"), opacity = s.numbers(folder + "/opacity");
        s.fit(absorption, colour.size(), folder + "/absorption");
        s.fit(opacity, colour.size(), folder + "/opacity");
        const auto names = s.lines(folder + ".txt");
        auto& table = looks[folder.substr(prefix.size())];
        for (std::size_t i = 0; i < colour.size(); ++i) {
            MaterialLook& look = table.emplace_back();
            if (i < names.size()) look.name = names[i];
            look.colour = colour[i];
            if (!absorption.empty()) look.absorption = absorption[i];
            if (!opacity.empty()) look.opacity = opacity[i];
        }
    }
    return looks;
}

void read_groups(const FrameSource& s, Frame& frame) {
    std::set<std::string> names;
    for (const io::ArrayInfo& info : s.frame()->arrays())
        if (const std::size_t slash = info.name.find('/'); slash != std::string::npos)
            names.insert(info.name.substr(0, slash));
    names.erase("obstacles");
    frame.group_names.assign(names.begin(), names.end());
    for (const std::string& name : names) {
        if (!s.frame()->has(name + "/position"))
            frame.without_points.push_back(name);
        else if (auto group = read_group(s, name))
            frame.groups.push_back(std::move(*group));
    }
}

}  // namespace

namespace {
FrameGroup no_liquid_mesh(const char* name) {
    FrameGroup g;
    g.name = name;
    g.shape = GroupShape::mesh;
    g.materials = "liquid";
    return g;
}
}  // namespace

FrameGroup no_surface() {
    return no_liquid_mesh("surface");
}

FrameGroup no_interface() {
    return no_liquid_mesh("interface");
}

std::span<const float> FrameGroup::find(std::string_view number_name) const {
    for (const FrameNumbers& n : numbers)
        if (n.name == number_name && !n.per_line) return n.values;
    return {};
}

std::size_t FrameGroup::material_of(std::size_t entry) const {
    for (const FrameNumbers& n : numbers)
        if (n.name == "material" && n.per_line == (shape == GroupShape::lines) && entry < n.values.size())
            return n.values[entry] > 0 && n.values[entry] < kMostMaterials ? std::size_t(n.values[entry]) : 0;
    return 0;
}

namespace {
std::vector<Vec3f> times(const std::array<double, 16>& m, std::vector<Vec3f> points) {
    for (Vec3f& p : points) {
        const auto row = [&](std::size_t r) {
            return float(m[4 * r] * double(p.x) + m[4 * r + 1] * double(p.y) + m[4 * r + 2] * double(p.z) +
                         m[4 * r + 3]);
        };
        p = {row(0), row(1), row(2)};
    }
    return points;
}
}  // namespace

std::vector<Vec3f> FrameObstacle::placed() const {
    return transform ? times(*transform, position) : position;
}

std::vector<Vec3f> FrameObstacle::velocity() const {
    if (deforms) return vertex_velocity;
    return rate ? times(*rate, position) : std::vector<Vec3f>{};
}

bool Frame::has_look(const std::string& materials, std::size_t index) const {
    const auto table = looks.find(materials);
    return table != looks.end() && index < table->second.size();
}

MaterialLook Frame::look(const std::string& materials, std::size_t index) const {
    if (has_look(materials, index)) return looks.at(materials)[index];
    static const std::map<std::string, Vec3f> usual{{"liquid", {0.35f, 0.6f, 0.9f}},
                                                    {"strand", {0.24f, 0.13f, 0.07f}},
                                                    {"fabric", {0.62f, 0.20f, 0.17f}},
                                                    {"body", {0.85f, 0.42f, 0.12f}}};
    MaterialLook look;
    if (const auto found = usual.find(materials); found != usual.end()) look.colour = found->second;
    return look;
}

std::size_t Frame::liquids() const {
    const auto table = looks.find("liquid");
    std::size_t count = std::max<std::size_t>(table != looks.end() ? table->second.size() : 0, 1);
    for (const FrameGroup& g : groups)
        for (std::size_t i = 0; is_bulk(g) && i < g.position.size(); ++i)
            count = std::max(count, g.material_of(i) + 1);
    return std::min<std::size_t>(count, 256);
}

bool Frame::is_wet() const {
    return std::any_of(groups.begin(), groups.end(),
                       [](const FrameGroup& g) { return is_bulk(g) || has_film(g); });
}

bool is_bulk(const FrameGroup& group) {
    return group.shape == GroupShape::points && group.materials == "liquid";
}

bool has_film(const FrameGroup& group) {
    return group.shape == GroupShape::lines && !group.find("film_area").empty();
}

Chains chains_of(const std::vector<std::array<int, 2>>& segment) {
    Chains chains;
    int last = -1;
    for (const auto& [from, to] : segment) {
        if (from != last) {
            chains.start.push_back(std::int64_t(chains.point.size()));
            chains.point.push_back(std::size_t(from));
        }
        chains.point.push_back(std::size_t(to));
        last = to;
    }
    chains.start.push_back(std::int64_t(chains.point.size()));
    return chains;
}

Frame read_frame(const FrameFiles& files, std::vector<std::string>& messages) {
    const FrameSource s(files.frame, files.fixed, messages);
    Frame frame;
    if (s.frame()) read_groups(s, frame);
    read_surface(files.surface, messages, frame);
    std::set<std::string> obstacles;
    add_obstacle_names(s.frame(), obstacles);
    add_obstacle_names(s.fixed(), obstacles);
    for (const std::string& name : obstacles) frame.obstacles.push_back(read_obstacle(s, name));
    frame.looks = read_looks(s);
    frame.time = s.number("time").value_or(0);
    const double cell = s.number("grid/cell").value_or(0);
    if (cell > 0 && std::isfinite(cell)) frame.cell = cell;
    return frame;
}

}  // namespace rivulet::output
