#include <rivulet/world/contact_lines.h>

#include <algorithm>
#include <cmath>

#include <rivulet/contact/contact_point.h>
#include <rivulet/contact/strand_edges.h>

namespace rivulet::world {
namespace {

/// Beads that stand out of the strands they join.
constexpr double kBead = 1.2;

Vec3d place_on(const strand::StrandState& strands, std::uint32_t vertex, double place) {
    return (1 - place) * strands.position[vertex] + place * strands.position[vertex + 1];
}

/// Distance of a point from an obstacle now [m].
double distance_from(const geometry::SolidField& solids, std::uint32_t obstacle, const Vec3d& x) {
    double nearest = geometry::kNoSolidDistance;
    for (std::size_t i = 0; i < solids.size(); ++i)
        if (solids.solid(i).obstacle == int(obstacle))
            nearest = std::min(nearest, solids.distance_to(i, x, 0));
    return nearest;
}

void add_line(ContactLines& lines, const Vec3d& from, const Vec3d& to) {
    if (lines.start.empty()) lines.start.push_back(0);
    lines.position.push_back(from), lines.position.push_back(to);
    lines.start.push_back(std::int64_t(lines.position.size()));
}

template <class T>
void say_at_both(std::vector<T>& values, T value) {
    values.insert(values.end(), 2, value);
}

}  // namespace

ContactLines contact_lines(const Model& model, const World& world) {
    ContactLines lines;
    const contact::ContactState& contacts = world.contacts;
    const strand::StrandState& strands = world.strands;
    if (contacts.size() == 0) return lines;
    contact::StrandEdges edges;
    edges.prepare(strands, 0, {}, {});
    const geometry::SolidField solids = model.obstacles.field_over(world.clock.time, 1 / model.fps);
    const auto radius_at = [&](std::uint32_t vertex) { return edges.radius(edges.edge_at(vertex)); };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const bool strand_too = contacts.kind[i] == std::uint8_t(contact::ContactKind::edge_edge);
        const Vec3d& normal = contacts.normal[i];
        const Vec3d from = place_on(strands, contacts.edge[i], contacts.place[i]);
        double thickness = radius_at(contacts.edge[i]), thinner = thickness, apart = 0;
        Vec3d to;
        if (strand_too) {
            const double other = radius_at(contacts.other[i]);
            thickness += other, thinner = std::min(thinner, other);
            to = place_on(strands, contacts.other[i], contacts.other_place[i]);
            apart = dot(normal, from - to);
        } else {
            apart = distance_from(solids, contacts.other[i], from);
            to = from - normal * apart;
        }
        const double push = dot(normal, contacts.impulse[i]);
        add_line(lines, from, to);
        say_at_both(lines.radius, kBead * thinner);
        say_at_both(lines.gap, apart - thickness);
        say_at_both(lines.force, push / contacts.step);
        say_at_both(lines.friction, length(contacts.impulse[i] - normal * push) / contacts.step);
        say_at_both(lines.bridge, contacts.bridge[i]);
    }
    return lines;
}

}  // namespace rivulet::world
