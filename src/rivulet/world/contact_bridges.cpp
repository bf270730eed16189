#include <rivulet/world/contact_bridges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <rivulet/contact/bridge_life.h>
#include <rivulet/film/coat.h>

namespace rivulet::world {
namespace {

using contact::BridgePoint;
using contact::Contact;
using contact::ContactKind;
using contact::ContactState;
using contact::EdgePart;
using contact::StrandEdges;
using geometry::SolidField;
using strand::StrandState;

/// Films thinner than this make no surface wet [m].
constexpr double kWet = 1e-6;

/// Places of a bridge between an edge and a wall: the part where the gap, taken as straight between the ends,
/// is below the reach.
int wall_points(const contact::Segment& edge, const SolidField& solids, std::size_t solid, double radius,
                double reach, BridgePoint (&out)[2], EdgePart& part) {
    const double first = solids.distance_to(solid, edge.at(0), 0) - radius - reach;
    const double last = solids.distance_to(solid, edge.at(1), 0) - radius - reach;
    if (first >= 0 && last >= 0) return 0;
    part = {0, 1};
    if (first > 0) part.from = first / (first - last);
    if (last > 0) part.to = first / (first - last);
    int count = 0;
    for (const double place : contact::gauss_places(part)) {
        const geometry::SolidSample s = solids.sample_of(solid, edge.at(place), 0);
        out[count] = {place, 0, 0.5 * part.size() * length(edge.along), s.distance - radius, {}};
        if (!contact::turn_across(edge.along, s.normal, out[count++])) return 0;
    }
    return count;
}

/// Whether the last step left a bridge between an edge and another, or a wall.
bool joined_before(const ContactState& last, std::uint32_t edge, std::uint32_t other, bool wall) {
    // NOTE: rows of one pair lie together, sorted by edge, kind and the other.
    const auto key =
        std::tuple(edge, std::uint8_t(wall ? ContactKind::edge_wall : ContactKind::edge_edge), other);
    std::size_t low = 0, high = last.size();
    const auto at = [&](std::size_t i) { return std::tuple(last.edge[i], last.kind[i], last.other[i]); };
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        (at(middle) < key ? low : high) = at(middle) < key ? middle + 1 : middle;
    }
    for (; low < last.size() && at(low) == key; ++low)
        if (last.bridge[low]) return true;
    return false;
}

/// Neighbours along a strand to which a part of an edge is continued: -1 before it, 1 after it, 0 the edge
/// itself.
struct Reaches {
    int count = 1, step[3] = {0, 0, 0};
};
Reaches reaches(const StrandEdges& edges, std::size_t edge, double from, double to) {
    constexpr double kEnd = 1e-9;
    Reaches out;
    if (from < kEnd && edge > 0 && edges.strand(edge - 1) == edges.strand(edge)) out.step[out.count++] = -1;
    if (to > 1 - kEnd && edge + 1 < edges.size() && edges.strand(edge + 1) == edges.strand(edge))
        out.step[out.count++] = 1;
    return out;
}

/// Whether a bridge between these parts of two edges goes on from the last step: it was there, or it adjoins
/// one that was on the neighbouring edges. So it slides along strands, from edge to edge, without dying.
bool goes_on(const ContactState& last, const StrandEdges& edges, std::size_t a, std::size_t b,
             const Reaches& on_a, const Reaches& on_b) {
    for (int i = 0; i < on_a.count; ++i)
        for (int j = 0; j < on_b.count; ++j) {
            std::size_t first = std::size_t(std::ptrdiff_t(a) + on_a.step[i]);
            std::size_t second = std::size_t(std::ptrdiff_t(b) + on_b.step[j]);
            if (first > second) std::swap(first, second);
            if (joined_before(last, edges.vertex(first), edges.vertex(second), false)) return true;
        }
    return false;
}

}  // namespace

void ContactBridges::begin(const film::FilmState& film, const StrandEdges& edges,
                           std::span<const double> dryness) {
    active_ = false;
    reach_.clear();
    dry_.resize(dryness.empty() ? 0 : edges.size());
    for (std::size_t e = 0; e < dry_.size(); ++e) {
        const std::size_t v = edges.vertex(e);
        dry_[e] = bridge_dryness(std::clamp(0.5 * (dryness[v] + dryness[v + 1]), 0.0, 1.0));
    }
    if (film.size() == 0 || model_.contact.cohesion == Cohesion::none) return;
    const std::size_t liquids = film.liquids(), n = edges.size();
    area_.resize(n), thickness_.resize(n), mix_.assign(n * liquids, 0);
    double widest = 0;
    for (const ContactPair& pair : model_.contact.pairs)
        for (std::size_t l = 0; l < pair.angle.size(); ++l)
            widest = std::max(widest, 0.5 * (pair.angle[l] + pair.other_angle[l]));
    reach_.resize(n);
    for (std::size_t e = 0; e < n; ++e) {
        const std::size_t v = edges.vertex(e);
        area_[e] = 0.5 * (film.area[v] + film.area[v + 1]);
        thickness_[e] = film::coat_thickness(edges.radius(e), edges.radius(e), area_[e]);
        for (std::size_t l = 0; l < liquids; ++l)
            mix_[e * liquids + l] = 0.5 * (film.area[v] * film.share[v * liquids + l] +
                                           film.area[v + 1] * film.share[(v + 1) * liquids + l]);
        active_ |= area_[e] > 0;
        // The root of a sum is at most the sum of roots. What liquid has closed over has no bridges.
        reach_[e] = dry(e) > 0 ? contact::break_gap(widest, area_[e]) : 0.0;
    }
    if (!active_) reach_.clear();
}

double ContactBridges::wetness(std::size_t edge, std::size_t other) const {
    const double under = 1 - std::min(dry(edge), dry(other));
    if (!active()) return under;
    const double film = std::max(thickness_[edge], thickness_[other]);
    return std::max(under, film / (film + kWet));
}

double ContactBridges::dry(const Pair& pair) const {
    return pair.wall ? dry(pair.a) : std::min(dry(pair.a), dry(pair.b));
}

contact::Segment ContactBridges::segment(const StrandState& s, const StrandEdges& e, std::size_t edge) const {
    const Vec3d& from = s.position[e.vertex(edge)];
    return {from, s.position[e.vertex(edge) + 1] - from};
}

const contact::BridgeTable& ContactBridges::table(double angle, double other_angle, int ratio) {
    const auto key = std::array{angle, other_angle, double(ratio)};
    if (const auto at = tables_.find(key); at != tables_.end()) return at->second;
    const contact::BridgeSolids solids =
        ratio < 0 ? contact::bridge_to_wall(1, 0, angle, other_angle)
                  : contact::bridge_between(1, std::exp2(0.5 * ratio), angle, other_angle);
    return tables_.emplace(key, contact::BridgeTable(solids)).first->second;
}

ContactBridges::Liquid ContactBridges::liquid_of(const StrandState& strands, const StrandEdges& edges,
                                                 const Pair& pair, std::size_t obstacle, bool shared) {
    const std::size_t liquids = model_.liquid.materials.size();
    const double part_a = shared ? share_of(pair.a) : 1, part_b = shared && !pair.wall ? share_of(pair.b) : 1;
    Liquid out;
    double most = 0;
    for (std::size_t l = 0; l < liquids; ++l) {
        double area = part_a * mix_[pair.a * liquids + l];
        if (!pair.wall) area += part_b * mix_[pair.b * liquids + l];
        out.area += area, out.tension += area * model_.liquid.materials[l].surface_tension;
        if (area > most) most = area, out.number = l;
    }
    if (!(out.area > 0)) return out;
    out.tension /= out.area;
    const std::size_t material = strands.material[edges.strand(pair.a)];
    const ContactPair& touch = pair.wall
                                   ? model_.contact.with_obstacle(material, obstacle)
                                   : model_.contact.between(material, strands.material[edges.strand(pair.b)]);
    double angle = touch.angle[out.number], other = touch.other_angle[out.number];
    if (pair.wall) {
        out.unit = edges.radius(pair.a);
        out.table = &table(angle, other, -1);
    } else {
        // NOTE: radii of the two differ in steps of √2; within a step their geometric mean counts.
        double small = edges.radius(pair.a), large = edges.radius(pair.b);
        if (small > large) std::swap(small, large), std::swap(angle, other);
        const int ratio = static_cast<int>(std::lround(2 * std::log2(large / small)));
        out.unit = std::sqrt(small * large * std::exp2(-0.5 * ratio));
        out.table = &table(angle, other, ratio);
    }
    out.reach = out.table->reach(out.area / (out.unit * out.unit)) * out.unit;
    return out;
}

void ContactBridges::find_edge_pairs(const StrandState& strands, const StrandEdges& edges,
                                     const ContactState& last, const std::vector<Contact>& found) {
    BridgePoint points[2];
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Contact& c = found[i];
        if (c.kind != ContactKind::edge_edge ||
            (i > 0 && found[i - 1].kind == c.kind && found[i - 1].edge_a == c.edge_a &&
             found[i - 1].edge_b == c.edge_b))
            continue;
        const Pair pair{c.edge_a, c.edge_b};
        if (!(area_[pair.a] + area_[pair.b] > 0) || !(dry(pair) > 0)) continue;
        const Liquid whole = liquid_of(strands, edges, pair, 0, false);
        const contact::Segment a = segment(strands, edges, pair.a), b = segment(strands, edges, pair.b);
        const double touch = edges.radius(pair.a) + edges.radius(pair.b);
        if (contact::bridge_points(a, b, touch, whole.reach, points) == 0) continue;
        const EdgePart part = contact::part_beside(a, b, touch, whole.reach);
        const double ends[2] = {contact::nearest_place(b, a.at(part.from)),
                                contact::nearest_place(b, a.at(part.to))};
        const double nearest = length(contact::nearest_places(a, b).between) - touch;
        const bool lived =
            goes_on(last, edges, pair.a, pair.b, reaches(edges, pair.a, part.from, part.to),
                    reaches(edges, pair.b, std::min(ends[0], ends[1]), std::max(ends[0], ends[1])));
        if (!contact::bridge_lives(lived, nearest, thickness_[pair.a], thickness_[pair.b], whole.reach))
            continue;
        const double beside = points[0].length + points[1].length;
        load_[pair.a] += beside / length(a.along);
        load_[pair.b] += std::min(1.0, beside / length(b.along));
        pairs_.push_back(pair);
    }
}

void ContactBridges::find_wall_pairs(const StrandState& strands, const StrandEdges& edges,
                                     const SolidField& solids, const ContactState& last) {
    BridgePoint points[2];
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (!(area_[e] > 0) || edges.is_held(e) || !(dry(e) > 0)) continue;
        const contact::Segment a = segment(strands, edges, e);
        geometry::Bounds box;
        box.include(a.at(0)), box.include(a.at(1));
        for (std::size_t k = 0; k < solids.size(); ++k) {
            const int obstacle = solids.solid(k).obstacle;
            const double band = reach_[e] + edges.radius(e);
            if (edges.grows_from(e) == obstacle || solids.swept_bounds(k).squared_distance(box) > band * band)
                continue;
            const Pair pair{e, k, true};
            const Liquid whole = liquid_of(strands, edges, pair, std::size_t(obstacle), false);
            EdgePart part;
            const int count = wall_points(a, solids, k, edges.radius(e), whole.reach, points, part);
            if (count == 0) continue;
            const double nearest = std::min(points[0].gap, points[1].gap);
            const Reaches along = reaches(edges, e, part.from, part.to);
            bool lived = false;
            for (int i = 0; i < along.count && !lived; ++i)
                lived = joined_before(last, edges.vertex(std::size_t(std::ptrdiff_t(e) + along.step[i])),
                                      static_cast<std::uint32_t>(obstacle), true);
            if (!contact::bridge_lives(lived, nearest, thickness_[e], 0, whole.reach)) continue;
            load_[e] += part.size();
            pairs_.push_back(pair);
        }
    }
}

void ContactBridges::add_rows(const StrandState& strands, const StrandEdges& edges, const SolidField& solids,
                              const Pair& pair) {
    const std::size_t obstacle = pair.wall ? std::size_t(solids.solid(pair.b).obstacle) : 0;
    Liquid liquid = liquid_of(strands, edges, pair, obstacle, true);
    const double left = dry(pair);
    liquid.tension *= left;
    const contact::Segment a = segment(strands, edges, pair.a);
    BridgePoint points[2];
    EdgePart part;
    const int count =
        pair.wall ? wall_points(a, solids, pair.b, edges.radius(pair.a), liquid.reach, points, part)
                  : contact::bridge_points(a, segment(strands, edges, pair.b),
                                           edges.radius(pair.a) + edges.radius(pair.b), liquid.reach, points);
    for (int p = 0; p < count; ++p) {
        Contact c;
        c.kind = pair.wall ? ContactKind::edge_wall : ContactKind::edge_edge;
        c.edge_a = static_cast<std::uint32_t>(pair.a), c.edge_b = static_cast<std::uint32_t>(pair.b);
        c.owner_a = edges.strand(pair.a);
        c.owner_b = pair.wall ? Contact::kNobody : edges.strand(pair.b);
        c.place_a = points[p].place_a, c.place_b = points[p].place_b, c.share = 0.5;
        c.gap = points[p].gap, c.normal = points[p].normal;
        if (pair.wall) c.velocity = solids.velocity_of(pair.b, a.at(c.place_a), 0);
        const double u = liquid.unit, gap = std::max(c.gap, 0.0);
        const contact::BridgePull pull =
            contact::faded(liquid.table->at(gap / u, liquid.area / (u * u), liquid.tension), gap / u);
        RowBridge row;
        row.joined = true;
        const double tilt = points[p].tilt;
        row.force = pull.force * points[p].length * tilt;
        row.slope = pull.slope / u * points[p].length * tilt * tilt;
        row.wetted = left * pull.wetted * u * points[p].length;
        row.thickness = pull.wetted > 0 ? liquid.area / (pull.wetted * u) : 0;
        row.liquid = liquid.number;
        row.dry = left;
        row.curve = {liquid.table, liquid.unit, liquid.area, liquid.tension};
        rows_.push_back({c, row});
    }
}

void ContactBridges::join(const StrandState& strands, const StrandEdges& edges, const SolidField& solids,
                          const ContactState& last, std::vector<Contact>& found,
                          std::vector<RowBridge>& rows) {
    if (!active()) return rows.assign(found.size(), RowBridge{});
    pairs_.clear(), rows_.clear();
    load_.assign(edges.size(), 0);
    find_edge_pairs(strands, edges, last, found);
    if (!solids.empty()) find_wall_pairs(strands, edges, solids, last);
    for (const Contact& c : found) rows_.push_back({c, {}});
    for (const Pair& pair : pairs_) add_rows(strands, edges, solids, pair);
    std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.first.key(), a.second.joined) < std::tuple(b.first.key(), b.second.joined);
    });
    found.clear(), rows.clear();
    for (const auto& [c, row] : rows_) found.push_back(c), rows.push_back(row);
}

std::size_t ContactBridges::memory() const {
    std::size_t all = pairs_.capacity() * sizeof(Pair) + rows_.capacity() * sizeof(rows_[0]);
    for (const auto* v : {&area_, &thickness_, &reach_, &mix_, &load_, &dry_})
        all += v->capacity() * sizeof(double);
    return all;
}

}  // namespace rivulet::world
