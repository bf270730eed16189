#include <rivulet/viewer/preview.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/viewer/decimate.h>
#include <rivulet/viewer/frame_arrays.h>
#include <rivulet/viewer/http.h>
#include <rivulet/viewer/packet.h>
#include <rivulet/viewer/quantise.h>

namespace rivulet::viewer {
namespace {

struct Scalar {
    std::string name, unit;
    std::vector<float> values;
    bool exact = false;  // small integers, e.g. material numbers: codes are the values
};

/// Positions of a group and every number that belongs to one of them.
struct Group {
    std::string name;
    std::vector<Vec3f> position;
    std::vector<Scalar> scalars;
};

bool finite(const Vec3f& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

std::vector<float> lengths(const std::vector<Vec3f>& vectors) {
    std::vector<float> out;
    out.reserve(vectors.size());
    for (const Vec3f& v : vectors) out.push_back(length(v));
    return out;
}

Group read_group(FrameArrays& arrays, const std::string& name) {
    Group group{name, arrays.vectors(name + "/position"), {}};
    const std::size_t n = group.position.size();
    const std::string prefix = name + "/";
    for (const io::ArrayInfo& info : arrays.frame().arrays()) {
        if (n == 0 || !info.name.starts_with(prefix) || info.shape.empty()) continue;
        const std::string what = info.name.substr(prefix.size());
        if (what == "position" || what == "id") continue;
        if (info.shape[0] != n) {
            arrays.say(
                fmt::format("{} is left out: it has {} entries instead of {}", info.name, info.shape[0], n));
            continue;
        }
        if (what == "velocity") {
            group.scalars.push_back({"speed", "m/s", lengths(arrays.vectors(info.name)), false});
        } else if (info.shape.size() == 1) {
            group.scalars.push_back(
                {what, arrays.unit(info.name), arrays.numbers(info.name), info.dtype == io::Dtype::uint8});
        }
    }
    std::erase_if(group.scalars, [&](const Scalar& s) { return s.values.size() != n; });
    return group;
}

/// Position, box and channels of the chosen vertices as JSON members.
std::string packed(PacketWriter& packet, const Group& group, const std::vector<std::size_t>& chosen) {
    std::vector<Vec3f> position;
    position.reserve(chosen.size());
    for (const std::size_t i : chosen) position.push_back(group.position[i]);
    const Box box = box_around(position);
    const auto codes = quantise(position, box);
    std::string json = fmt::format(
        "\"name\": {}, \"count\": {}, \"total\": {}, \"low\": [{:.9g}, {:.9g}, {:.9g}], \"high\": [{:.9g}, "
        "{:.9g}, {:.9g}], \"position\": {}, \"channels\": [",
        json_text(group.name), chosen.size(), group.position.size(), box.low.x, box.low.y, box.low.z,
        box.high.x, box.high.y, box.high.z, packet.add(std::span<const std::array<std::uint16_t, 3>>(codes)));
    bool first = true;
    for (const Scalar& scalar : group.scalars) {
        std::vector<float> values;
        values.reserve(chosen.size());
        for (const std::size_t i : chosen) values.push_back(scalar.values[i]);
        Channel channel;
        if (scalar.exact) {
            channel = {scalar.name, scalar.unit, 0, 255, {}};
            for (const float v : values) channel.codes.push_back(static_cast<std::uint8_t>(v));
        } else {
            channel = quantise(scalar.name, scalar.unit, values);
        }
        json += fmt::format(
            "{}{{\"name\": {}, \"unit\": {}, \"exact\": {}, \"low\": {}, \"high\": {}, \"at\": {}}}",
            std::exchange(first, false) ? "" : ", ", json_text(channel.name), json_text(channel.unit),
            scalar.exact, json_number(channel.low), json_number(channel.high),
            packet.add(std::span<const std::uint8_t>(channel.codes)));
    }
    return json + "]";
}

/// The box that 99.8 % of the points lie in, grown by its own size on each side: particles that flew off
/// farther would leave no resolution for the others.
Box box_of_most(const std::vector<Vec3f>& points) {
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<float> values;
        values.reserve(points.size());
        for (const Vec3f& p : points) values.push_back(p[axis]);
        const auto at = [&](double part) {
            const auto k = values.begin() + static_cast<std::ptrdiff_t>(double(values.size() - 1) * part);
            std::nth_element(values.begin(), k, values.end());
            return double(*k);
        };
        box.low[axis] = at(0.001);
        box.high[axis] = at(0.999);
    }
    const Vec3d extent = box.high - box.low;
    const double most = std::max({extent.x, extent.y, extent.z});
    const Vec3d margin{most, most, most};
    return {box.low - margin, box.high + margin};
}

void leave_out(FrameArrays& arrays, const std::string& group, std::size_t count, const char* why) {
    if (count > 0) arrays.say(fmt::format("{}: {} points {}", group, count, why));
}

std::string points_json(FrameArrays& arrays, PacketWriter& packet, const std::string& name,
                        std::size_t most) {
    const Group group = read_group(arrays, name);
    auto id = arrays.integers(name + "/id");
    if (id.size() != group.position.size()) {
        id.resize(group.position.size());
        for (std::size_t i = 0; i < id.size(); ++i) id[i] = i;
    }
    std::vector<std::size_t> good;
    std::vector<std::uint64_t> key;
    for (std::size_t i = 0; i < group.position.size(); ++i)
        if (finite(group.position[i])) good.push_back(i), key.push_back(id[i]);
    leave_out(arrays, name, group.position.size() - good.size(), "are not finite");
    std::vector<std::size_t> chosen;
    std::vector<Vec3f> position;
    for (const std::size_t k : stable_subset(key, most)) {
        chosen.push_back(good[k]);
        position.push_back(group.position[good[k]]);
    }
    if (position.size() > 1000) {
        const Box box = box_around(position), inner = box_of_most(position);
        const Vec3d all = box.high - box.low, core = inner.high - inner.low;
        if (std::max({all.x, all.y, all.z}) > 16 * std::max({core.x, core.y, core.z})) {
            const std::size_t before = chosen.size();
            std::erase_if(chosen, [&](std::size_t i) {
                const Vec3f& p = group.position[i];
                for (int a = 0; a < 3; ++a)
                    if (double(p[a]) < inner.low[a] || double(p[a]) > inner.high[a]) return true;
                return false;
            });
            leave_out(arrays, name, before - chosen.size(), "are too far away to be shown");
        }
    }
    const std::size_t outer = outer_first(group.position, chosen);
    return fmt::format("{{\"kind\": \"points\", \"outer\": {}, {}}}", outer, packed(packet, group, chosen));
}

/// Stretch of the edges around each vertex: present length / rest length - 1.
std::vector<float> strand_strain(const std::vector<Vec3f>& now, const std::vector<Vec3f>& rest,
                                 const std::vector<std::uint64_t>& start) {
    std::vector<float> strain(now.size(), 0.0f);
    for (std::size_t s = 0; s + 1 < start.size(); ++s)
        for (std::uint64_t i = start[s]; i < start[s + 1]; ++i) {
            const std::uint64_t a = i > start[s] ? i - 1 : i, b = i + 1 < start[s + 1] ? i + 1 : i;
            float present = 0, before = 0;
            for (std::uint64_t k = a; k < b; ++k) {
                present += length(now[k + 1] - now[k]);
                before += length(rest[k + 1] - rest[k]);
            }
            if (before > 0) strain[i] = present / before - 1;
        }
    return strain;
}

/// Radius with the film around it: the film's cross-section lies outside the strand's.
std::vector<float> outer_radius(std::vector<float> radius, const std::vector<float>& film_area) {
    if (film_area.size() != radius.size()) return radius;
    for (std::size_t i = 0; i < radius.size(); ++i)
        radius[i] =
            std::sqrt(radius[i] * radius[i] + std::max(film_area[i], 0.0f) / std::numbers::pi_v<float>);
    return radius;
}

std::string lines_json(FrameArrays& arrays, PacketWriter& packet, std::size_t most) {
    Group group = read_group(arrays, "strands");
    const std::size_t n = group.position.size();
    const auto start = arrays.integers("strands/start");
    if (start.size() < 2 || start.back() > n || !std::is_sorted(start.begin(), start.end())) {
        arrays.say("strands are left out: strands/start is missing or wrong");
        return {};
    }
    const auto rest = arrays.vectors("strands/rest_position");
    if (rest.size() == n)
        group.scalars.push_back({"strain", "", strand_strain(group.position, rest, start), false});
    if (const auto radius = arrays.numbers("strands/radius"); radius.size() == n)
        group.scalars.push_back(
            {"radius", "m", outer_radius(radius, arrays.numbers("strands/film_area")), false});
    std::vector<std::uint64_t> key(start.size() - 1);
    for (std::size_t s = 0; s < key.size(); ++s) key[s] = s;
    SmallerLines lines = thin_lines(start, key, most);
    std::size_t bad = 0;
    for (const std::size_t i : lines.vertex)
        if (!finite(group.position[i])) ++bad, group.position[i] = {0, 0, 0};
    leave_out(arrays, "strands", bad, "are not finite and are drawn at the origin");
    return fmt::format(
        "{{\"kind\": \"lines\", {}, \"lines\": {}, \"total_lines\": {}, \"start\": {}, \"line\": {}}}",
        packed(packet, group, lines.vertex), lines.line.size(), key.size(),
        packet.add(std::span<const std::uint32_t>(lines.start)),
        packet.add(std::span<const std::uint32_t>(lines.line)));
}

std::string mesh_members(PacketWriter& packet, const Group& group, const SmallerMesh& mesh) {
    return fmt::format("{}, \"triangles\": {}, \"triangle\": {}, \"segments\": {}, \"segment\": {}",
                       packed(packet, group, mesh.vertex), mesh.triangle.size(),
                       packet.add(std::span<const std::array<std::uint32_t, 3>>(mesh.triangle)),
                       mesh.segment.size(),
                       packet.add(std::span<const std::array<std::uint32_t, 2>>(mesh.segment)));
}

std::string mesh_json(FrameArrays& arrays, PacketWriter& packet, const std::string& name, std::size_t most) {
    const Group group = read_group(arrays, name);
    const std::size_t n = group.position.size();
    const auto triangle = arrays.tuples<3>(name + "/triangle", n);
    const auto segment = arrays.tuples<2>(name + "/segment", n);
    if (triangle.empty() && segment.empty()) {
        arrays.say(name + " has neither triangles nor segments");
        return {};
    }
    const auto rest = arrays.vectors(name + "/rest_position");
    auto layout = rest.size() == n ? rest : group.position;
    const float nan = std::nanf("");
    std::size_t bad = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (!finite(group.position[i])) layout[i] = {nan, nan, nan}, ++bad;
    leave_out(arrays, name, bad, "are not finite");
    const SmallerMesh mesh = cluster_vertices(layout, triangle, segment, most);
    return "{\"kind\": \"mesh\", " + mesh_members(packet, group, mesh) + "}";
}

/// surface/NNNNNN.npz has its arrays at the top; a damaged one is a message.
std::string surface_json(const std::filesystem::path& path, PacketWriter& packet, std::size_t most,
                         std::vector<std::string>& messages) {
    if (path.empty() || !std::filesystem::exists(path)) return {};
    try {
        FrameArrays arrays(path, {});
        Group group{"surface", arrays.vectors("position"), {}};
        const auto triangle = arrays.tuples<3>("triangle", group.position.size());
        auto speed = lengths(arrays.vectors("velocity"));
        if (speed.size() == group.position.size())
            group.scalars.push_back({"speed", "m/s", std::move(speed), false});
        messages.insert(messages.end(), arrays.messages().begin(), arrays.messages().end());
        if (triangle.empty()) return {};
        const SmallerMesh mesh = cluster_vertices(group.position, triangle, {}, most);
        return "{\"kind\": \"mesh\", " + mesh_members(packet, group, mesh) + "}";
    } catch (const Error& e) {
        messages.push_back(e.what());
        return {};
    }
}

std::string obstacle_json(FrameArrays& arrays, PacketWriter& packet, const std::string& name,
                          std::size_t most) {
    const std::string prefix = "obstacles/" + name;
    if (arrays.frame().has(prefix + "/transform")) {
        std::array<double, 16> matrix{};
        bool usable = false;
        try {
            usable = read_transform(arrays.frame(), prefix + "/transform", matrix);
        } catch (const Error& e) {
            arrays.say(e.what());
        }
        if (usable)
            return fmt::format("{{\"name\": {}, \"transform\": [{:.9g}]}}", json_text(name),
                               fmt::join(matrix, ", "));
        arrays.say(prefix + "/transform is damaged: the obstacle is shown at rest");
        return {};
    }
    const Group group{name, arrays.vectors(prefix + "/position"), {}};
    const auto triangle = arrays.tuples<3>(prefix + "/triangle", group.position.size());
    if (triangle.empty()) return {};
    return "{\"kind\": \"mesh\", " +
           mesh_members(packet, group, cluster_vertices(group.position, triangle, {}, most)) + "}";
}

std::string list_json(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

std::string make_preview(std::int64_t number, const PreviewFiles& files, const PreviewLimits& limits) {
    FrameArrays arrays(files.frame, files.fixed);
    PacketWriter packet;
    std::set<std::string> names;
    for (const io::ArrayInfo& info : arrays.frame().arrays())
        if (const std::size_t slash = info.name.find('/'); slash != std::string::npos)
            names.insert(info.name.substr(0, slash));
    std::vector<std::string> groups, obstacles, messages, others;
    const auto keep = [](std::vector<std::string>& list, std::string json) {
        if (!json.empty()) list.push_back(std::move(json));
    };
    for (const std::string& name : names) {
        if (name == "obstacles") {
            for (const std::string& obstacle : obstacle_names(&arrays.frame()))
                keep(obstacles, obstacle_json(arrays, packet, obstacle, limits.mesh_vertices));
        } else if (!arrays.frame().has(name + "/position")) {
            others.push_back(name);
        } else if (name == "strands") {
            keep(groups, lines_json(arrays, packet, limits.line_vertices));
        } else if (name == "fabric" || name == "bodies") {
            keep(groups, mesh_json(arrays, packet, name, limits.mesh_vertices));
        } else {
            keep(groups, points_json(arrays, packet, name, limits.points));
        }
    }
    for (const std::string& name : others)
        arrays.say(name + " cannot be shown: it has no positions that this version knows");
    keep(groups, surface_json(files.surface, packet, limits.mesh_vertices, messages));
    double time = 0;
    try {
        if (arrays.frame().has("time"))
            time = arrays.frame().read_scalar<double>("time", io::Conversion::widen);
    } catch (const Error& e) {
        arrays.say(e.what());
    }
    messages.insert(messages.end(), arrays.messages().begin(), arrays.messages().end());
    for (std::string& m : messages) m = json_text(m);
    return packet.finish(
        fmt::format("{{\"frame\": {}, \"time\": {}, \"groups\": {}, \"obstacles\": {}, \"messages\": {}}}",
                    number, json_number(time), list_json(groups), list_json(obstacles), list_json(messages)));
}

std::string make_obstacle_packet(const std::filesystem::path& fixed, const PreviewLimits& limits) {
    PacketWriter packet;
    std::vector<std::string> meshes, colors;
    if (!std::filesystem::exists(fixed))
        return packet.finish("{\"obstacles\": [], \"liquid_colors\": [], \"messages\": []}");
    FrameArrays arrays(fixed, {});
    const auto flag = [&](const std::string& name) {
        const auto* info = arrays.find(name);
        return info && info->dtype == io::Dtype::uint8 && info->shape.empty() &&
               arrays.frame().read_scalar<std::uint8_t>(name) != 0;
    };
    for (const std::string& name : obstacle_names(&arrays.frame())) {
        const std::string prefix = "obstacles/" + name;
        const Group group{name, arrays.vectors(prefix + "/position"), {}};
        const auto triangle = arrays.tuples<3>(prefix + "/triangle", group.position.size());
        if (triangle.empty()) continue;
        Vec3d color{0.6, 0.62, 0.65};
        if (const auto* info = arrays.find(prefix + "/color");
            info && info->dtype == io::Dtype::float64 && info->shape == io::Shape{3})
            color = arrays.frame().read_scalar<Vec3d>(prefix + "/color");
        meshes.push_back(fmt::format(
            "{{{}, \"inside\": {}, \"visible\": {}, \"color\": [{}, {}, {}]}}",
            mesh_members(packet, group, cluster_vertices(group.position, triangle, {}, limits.mesh_vertices)),
            flag(prefix + "/inside"), !arrays.find(prefix + "/visible") || flag(prefix + "/visible"),
            json_number(color.x), json_number(color.y), json_number(color.z)));
    }
    for (const Vec3f& c : arrays.vectors("materials/liquid/color"))
        colors.push_back(fmt::format("[{}, {}, {}]", json_number(c.x), json_number(c.y), json_number(c.z)));
    std::vector<std::string> messages;
    for (const std::string& m : arrays.messages()) messages.push_back(json_text(m));
    return packet.finish(fmt::format("{{\"obstacles\": {}, \"liquid_colors\": {}, \"messages\": {}}}",
                                     list_json(meshes), list_json(colors), list_json(messages)));
}

}  // namespace rivulet::viewer
