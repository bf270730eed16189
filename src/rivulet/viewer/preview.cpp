#include <rivulet/viewer/preview.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/geometry/coated_radius.h>
#include <rivulet/viewer/decimate.h>
#include <rivulet/viewer/http.h>
#include <rivulet/viewer/packet.h>
#include <rivulet/viewer/quantise.h>

namespace rivulet::viewer {
namespace {

using output::Frame;
using output::FrameGroup;
using output::FrameNumbers;
using Messages = std::vector<std::string>;

bool finite(const Vec3f& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// The liquid there is most of at each point.
FrameNumbers largest_share(const FrameGroup& group) {
    FrameNumbers material{"material", "", {}};
    material.whole = true;
    const std::size_t n = group.liquids();
    for (std::size_t v = 0; v < group.position.size(); ++v) {
        const auto row = group.share.begin() + std::ptrdiff_t(v * n);
        material.values.push_back(float(std::max_element(row, row + std::ptrdiff_t(n)) - row));
    }
    return material;
}

/// The material of each line at its points; nothing when it is one for all.
std::optional<FrameNumbers> line_materials(const FrameGroup& group) {
    FrameNumbers material{"material", "", std::vector<float>(group.position.size())};
    material.whole = true;
    bool several = false;
    for (std::size_t k = 0; k < group.lines(); ++k) {
        const auto m = float(std::min<std::size_t>(group.material_of(k), 255));
        several = several || m != float(std::min<std::size_t>(group.material_of(0), 255));
        for (auto v = std::size_t(group.start[k]); v < std::size_t(group.start[k + 1]); ++v)
            material.values[v] = m;
    }
    return several ? std::optional(std::move(material)) : std::nullopt;
}

/// What a group is coloured by: its speed and every number that the frame has per point.
std::vector<FrameNumbers> channels_of(const FrameGroup& group) {
    std::vector<FrameNumbers> channels;
    if (!group.velocity.empty()) {
        FrameNumbers& speed = channels.emplace_back(FrameNumbers{"speed", "m/s", {}});
        for (const Vec3f& v : group.velocity) speed.values.push_back(length(v));
    }
    for (const FrameNumbers& n : group.numbers)
        if (!n.fixed && !n.per_line) channels.push_back(n);
    if (!group.share.empty()) channels.push_back(largest_share(group));
    return channels;
}

std::string channel_json(PacketWriter& packet, const FrameNumbers& numbers,
                         const std::vector<std::size_t>& chosen) {
    std::vector<float> values;
    values.reserve(chosen.size());
    for (const std::size_t i : chosen) values.push_back(numbers.values[i]);
    Channel channel{numbers.name, numbers.unit, 0, 255, {}};
    if (numbers.whole)  // codes are the values
        for (const float v : values) channel.codes.push_back(static_cast<std::uint8_t>(v));
    else
        channel = quantise(numbers.name, numbers.unit, values);
    return fmt::format("{{\"name\": {}, \"unit\": {}, \"exact\": {}, \"low\": {}, \"high\": {}, \"at\": {}}}",
                       json_text(channel.name), json_text(channel.unit), numbers.whole,
                       json_number(channel.low), json_number(channel.high),
                       packet.add(std::span<const std::uint8_t>(channel.codes)));
}

/// Position, box and channels of the chosen points as JSON members.
std::string packed(PacketWriter& packet, const std::string& name, const std::string& materials,
                   const std::vector<Vec3f>& all, const std::vector<FrameNumbers>& channels,
                   const std::vector<std::size_t>& chosen) {
    std::vector<Vec3f> position;
    position.reserve(chosen.size());
    for (const std::size_t i : chosen) position.push_back(all[i]);
    const Box box = box_around(position);
    const auto codes = quantise(position, box);
    std::string json = fmt::format(
        "\"name\": {}, \"count\": {}, \"total\": {}, \"materials\": {}, \"low\": [{:.9g}, {:.9g}, {:.9g}], "
        "\"high\": [{:.9g}, "
        "{:.9g}, {:.9g}], \"position\": {}, \"channels\": [",
        json_text(name), chosen.size(), all.size(), json_text(materials), box.low.x, box.low.y, box.low.z,
        box.high.x, box.high.y, box.high.z, packet.add(std::span<const std::array<std::uint16_t, 3>>(codes)));
    bool first = true;
    for (const FrameNumbers& numbers : channels) {
        json += std::exchange(first, false) ? "" : ", ";
        json += channel_json(packet, numbers, chosen);
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

void leave_out(Messages& messages, const std::string& group, std::size_t count, const char* why) {
    if (count > 0) messages.push_back(fmt::format("{}: {} points {}", group, count, why));
}

/// Takes points that flew off out of `chosen` when they would leave no resolution for the others.
void drop_strays(const FrameGroup& group, Messages& messages, std::vector<std::size_t>& chosen) {
    if (chosen.size() <= 1000) return;
    std::vector<Vec3f> position;
    for (const std::size_t i : chosen) position.push_back(group.position[i]);
    const Box box = box_around(position), inner = box_of_most(position);
    const Vec3d all = box.high - box.low, core = inner.high - inner.low;
    if (std::max({all.x, all.y, all.z}) <= 16 * std::max({core.x, core.y, core.z})) return;
    const std::size_t before = chosen.size();
    std::erase_if(chosen, [&](std::size_t i) {
        const Vec3f& p = group.position[i];
        for (int a = 0; a < 3; ++a)
            if (double(p[a]) < inner.low[a] || double(p[a]) > inner.high[a]) return true;
        return false;
    });
    leave_out(messages, group.name, before - chosen.size(), "are too far away to be shown");
}

std::string points_json(const FrameGroup& group, Messages& messages, PacketWriter& packet, std::size_t most) {
    std::vector<std::size_t> good;
    std::vector<std::uint64_t> key;
    for (std::size_t i = 0; i < group.position.size(); ++i) {
        if (!finite(group.position[i])) continue;
        good.push_back(i);
        key.push_back(group.id.empty() ? i : static_cast<std::uint64_t>(group.id[i]));
    }
    leave_out(messages, group.name, group.position.size() - good.size(), "are not finite");
    std::vector<std::size_t> chosen;
    for (const std::size_t k : stable_subset(key, most)) chosen.push_back(good[k]);
    drop_strays(group, messages, chosen);
    const std::size_t outer = outer_first(group.position, chosen);
    return fmt::format(
        "{{\"kind\": \"points\", \"outer\": {}, {}}}", outer,
        packed(packet, group.name, group.materials, group.position, channels_of(group), chosen));
}

/// Stretch of the edges around each vertex: present length / rest length - 1.
std::vector<float> line_strain(const std::vector<Vec3f>& now, const std::vector<Vec3f>& rest,
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

/// Radius with the film around it: the film's cross-section lies outside the line's.
std::vector<float> outer_radius(std::span<const float> radius, std::span<const float> film_area) {
    std::vector<float> outer(radius.begin(), radius.end());
    if (film_area.size() != radius.size()) return outer;
    for (std::size_t i = 0; i < radius.size(); ++i)
        outer[i] = geometry::coated_radius(radius[i], film_area[i]);
    return outer;
}

std::string lines_json(const FrameGroup& group, Messages& messages, PacketWriter& packet, std::size_t most) {
    const std::vector<std::uint64_t> start(group.start.begin(), group.start.end());
    std::vector<FrameNumbers> channels = channels_of(group);
    if (!group.rest_position.empty())
        channels.push_back({"strain", "", line_strain(group.position, group.rest_position, start)});
    if (auto material = line_materials(group)) channels.push_back(*std::move(material));
    if (const auto radius = group.find("radius"); !radius.empty()) {
        std::erase_if(channels, [](const FrameNumbers& n) { return n.name == "radius"; });
        channels.push_back({"radius", "m", outer_radius(radius, group.find("film_area"))});
    }
    std::vector<std::uint64_t> key(group.lines());
    for (std::size_t s = 0; s < key.size(); ++s) key[s] = s;
    const SmallerLines lines = thin_lines(start, key, most);
    std::vector<Vec3f> position = group.position;
    std::size_t bad = 0;
    for (const std::size_t i : lines.vertex)
        if (!finite(position[i])) ++bad, position[i] = {0, 0, 0};
    leave_out(messages, group.name, bad, "are not finite and are drawn at the origin");
    return fmt::format(
        "{{\"kind\": \"lines\", {}, \"lines\": {}, \"total_lines\": {}, \"start\": {}, \"line\": {}}}",
        packed(packet, group.name, group.materials, position, channels, lines.vertex), lines.line.size(),
        key.size(), packet.add(std::span<const std::uint32_t>(lines.start)),
        packet.add(std::span<const std::uint32_t>(lines.line)));
}

std::vector<std::array<std::uint32_t, 3>> corners_of(const std::vector<Vec3i>& triangle) {
    std::vector<std::array<std::uint32_t, 3>> out;
    out.reserve(triangle.size());
    for (const Vec3i& t : triangle)
        out.push_back({std::uint32_t(t.x), std::uint32_t(t.y), std::uint32_t(t.z)});
    return out;
}

std::string mesh_members(PacketWriter& packet, const std::string& name, const std::string& materials,
                         const std::vector<Vec3f>& position, const std::vector<FrameNumbers>& channels,
                         const SmallerMesh& mesh) {
    return fmt::format("{}, \"triangles\": {}, \"triangle\": {}, \"segments\": {}, \"segment\": {}",
                       packed(packet, name, materials, position, channels, mesh.vertex), mesh.triangle.size(),
                       packet.add(std::span<const std::array<std::uint32_t, 3>>(mesh.triangle)),
                       mesh.segment.size(),
                       packet.add(std::span<const std::array<std::uint32_t, 2>>(mesh.segment)));
}

std::string mesh_json(const FrameGroup& group, Messages& messages, PacketWriter& packet, std::size_t most) {
    std::vector<std::array<std::uint32_t, 2>> segment;
    for (const auto& [a, b] : group.segment) segment.push_back({std::uint32_t(a), std::uint32_t(b)});
    auto layout = group.rest_position.empty() ? group.position : group.rest_position;
    const float nan = std::nanf("");
    std::size_t bad = 0;
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (!finite(group.position[i])) layout[i] = {nan, nan, nan}, ++bad;
    leave_out(messages, group.name, bad, "are not finite");
    const SmallerMesh mesh = cluster_vertices(layout, corners_of(group.triangle), segment, most);
    return "{\"kind\": \"mesh\", " +
           mesh_members(packet, group.name, group.materials, group.position, channels_of(group), mesh) + "}";
}

std::string group_json(const FrameGroup& group, Messages& messages, PacketWriter& packet,
                       const PreviewLimits& limits) {
    switch (group.shape) {
        case GroupShape::points:
            return points_json(group, messages, packet, limits.points);
        case GroupShape::lines:
            return lines_json(group, messages, packet, limits.line_vertices);
        case GroupShape::mesh:
            return mesh_json(group, messages, packet, limits.mesh_vertices);
    }
    return {};
}

std::string obstacle_members(PacketWriter& packet, const output::FrameObstacle& o, std::size_t most) {
    return mesh_members(packet, o.name, "", o.position, {},
                        cluster_vertices(o.position, corners_of(o.triangle), {}, most));
}

/// Where an obstacle is, or its shape if that changes.
std::string obstacle_json(PacketWriter& packet, const output::FrameObstacle& o, std::size_t most) {
    if (o.transform)
        return fmt::format("{{\"name\": {}, \"transform\": [{:.9g}]}}", json_text(o.name),
                           fmt::join(*o.transform, ", "));
    if (!o.deforms || o.triangle.empty()) return {};
    return "{\"kind\": \"mesh\", " + obstacle_members(packet, o, most) + "}";
}

std::string list_json(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

std::string make_preview(std::int64_t number, const output::FrameFiles& files, const PreviewLimits& limits) {
    Messages messages;
    const Frame frame = output::read_frame(files, messages);
    PacketWriter packet;
    std::vector<std::string> groups, obstacles;
    for (const FrameGroup& g : frame.groups) groups.push_back(group_json(g, messages, packet, limits));
    for (const output::FrameObstacle& o : frame.obstacles)
        if (std::string json = obstacle_json(packet, o, limits.mesh_vertices); !json.empty())
            obstacles.push_back(std::move(json));
    if (!frame.surface.triangle.empty())
        groups.push_back(mesh_json(frame.surface, messages, packet, limits.mesh_vertices));
    for (const std::string& name : frame.without_points)
        messages.push_back(name + " cannot be shown: it has no positions that this version knows");
    for (std::string& m : messages) m = json_text(m);
    return packet.finish(fmt::format(
        "{{\"frame\": {}, \"time\": {}, \"groups\": {}, \"obstacles\": {}, \"messages\": {}}}", number,
        json_number(frame.time), list_json(groups), list_json(obstacles), list_json(messages)));
}

std::string make_obstacle_packet(const std::filesystem::path& fixed, const PreviewLimits& limits) {
    Messages messages;
    const Frame frame = output::read_frame({{}, fixed, {}}, messages);
    PacketWriter packet;
    std::vector<std::string> meshes, tables;
    for (const output::FrameObstacle& o : frame.obstacles)
        if (!o.triangle.empty())
            meshes.push_back(fmt::format("{{{}, \"inside\": {}, \"visible\": {}, \"color\": [{}, {}, {}]}}",
                                         obstacle_members(packet, o, limits.mesh_vertices),
                                         o.inside.value_or(false), o.visible, json_number(o.colour.x),
                                         json_number(o.colour.y), json_number(o.colour.z)));
    for (const auto& [table, looks] : frame.looks) {
        std::vector<std::string> list;
        for (const output::MaterialLook& look : looks)
            list.push_back(fmt::format("{{\"name\": {}, \"color\": [{}, {}, {}]}}", json_text(look.name),
                                       json_number(look.colour.x), json_number(look.colour.y),
                                       json_number(look.colour.z)));
        tables.push_back(fmt::format("{}: {}", json_text(table), list_json(list)));
    }
    for (std::string& m : messages) m = json_text(m);
    return packet.finish(fmt::format("{{\"obstacles\": {}, \"materials\": {{{}}}, \"messages\": {}}}",
                                     list_json(meshes), fmt::join(tables, ", "), list_json(messages)));
}

}  // namespace rivulet::viewer
