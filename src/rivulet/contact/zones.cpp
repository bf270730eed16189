#include <rivulet/contact/zones.h>

#include <algorithm>
#include <map>

#include <rivulet/base/mat3.h>
#include <rivulet/strand/mass.h>

namespace rivulet::contact {

using strand::EndKind;

void Zones::unite(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t p = root(a), q = root(b);
    // NOTE: the lowest vertex stands for its zone, whatever the order of joining.
    parent_[std::max(p, q)] = std::min(p, q);
    in_zone_[a] = in_zone_[b] = 1;
}

void Zones::join(const Contact& c) {
    const std::uint32_t a = edges_.vertex(c.edge_a);
    unite(a, a + 1);
    if (c.kind == ContactKind::edge_edge) {
        const std::uint32_t b = edges_.vertex(c.edge_b);
        unite(b, b + 1), unite(a, b);
    } else {
        walls_.push_back({a, c.velocity});
    }
}

std::size_t Zones::count() const {
    std::size_t n = 0;
    for (std::uint32_t v = 0; v < parent_.size(); ++v) n += in_zone_[v] && root(v) == v;
    return n;
}

bool Zones::held(std::size_t k, std::size_t v) const {
    const auto at = [](const strand::EndTargets& target, std::size_t strand, std::size_t from_end) {
        const auto kind = EndKind(target.kind[strand]);
        return (kind != EndKind::free && from_end == 0) || (kind == EndKind::clamp && from_end == 1);
    };
    return at(strands_.root_target, k, v - strands_.begin(k)) ||
           at(strands_.tip_target, k, strands_.end(k) - 1 - v);
}

void Zones::move_as_one(std::span<const std::uint32_t> zone, std::span<const Vec3d> before,
                        std::span<Vec3d> velocity) const {
    double mass = 0;
    Vec3d centre, momentum, fixed;
    int fixes = 0;
    std::vector<double> masses;
    for (const std::uint32_t v : zone) {
        const std::size_t k = edges_.strand(edges_.edge_at(v));
        const double m =
            strand::vertex_mass(strands_, materials_, k, v) + (carried_.empty() ? 0.0 : carried_[v]);
        masses.push_back(m);
        mass += m, centre += strands_.position[v] * m, momentum += before[v] * m;
        if (held(k, v)) fixed += before[v], ++fixes;
    }
    for (const Fixed& w : walls_)
        if (root(w.vertex) == root(zone[0])) fixed += w.velocity, ++fixes;
    if (fixes > 0) {
        for (const std::uint32_t v : zone)
            if (!held(edges_.strand(edges_.edge_at(v)), v)) velocity[v] = fixed * (1.0 / fixes);
        return;
    }
    centre = centre * (1 / mass);
    Mat3d inertia;
    Vec3d spin;
    for (std::size_t i = 0; i < zone.size(); ++i) {
        const Vec3d arm = strands_.position[zone[i]] - centre;
        spin += cross(arm, before[zone[i]] * masses[i]);
        inertia = inertia + (Mat3d::identity() * squared_length(arm) - outer(arm, arm)) * masses[i];
    }
    // NOTE: vertices on one line have no inertia about it, and no spin either.
    inertia = inertia + Mat3d::identity() * (1e-9 * (inertia(0, 0) + inertia(1, 1) + inertia(2, 2)));
    const Vec3d rate = inverse(inertia) * spin;
    for (const std::uint32_t v : zone)
        velocity[v] = momentum * (1 / mass) + cross(rate, strands_.position[v] - centre);
}

void Zones::stop(std::span<const Vec3d> before, std::span<Vec3d> velocity) const {
    std::copy(before.begin(), before.end(), velocity.begin());
    std::map<std::uint32_t, std::vector<std::uint32_t>> zones;
    for (std::uint32_t v = 0; v < parent_.size(); ++v)
        if (in_zone_[v]) zones[root(v)].push_back(v);
    for (const auto& [first, zone] : zones) move_as_one(zone, before, velocity);
}

}  // namespace rivulet::contact
