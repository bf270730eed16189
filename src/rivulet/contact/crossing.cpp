#include <rivulet/contact/crossing.h>

#include <algorithm>

#include <rivulet/contact/moving_pairs.h>

namespace rivulet::contact {
namespace {

/// What edges that begin nearer than they should are asked to keep of the distance they begin with: less
/// than all, or the contact of the start would be found again, and more than what the check lets pass.
constexpr double kAsked = 0.95;

/// The contacts of two edges that come too near; 0: they do not. What begins nearer than the sum of radii
/// slides about under the contact of the start, whose normal and places stay: it may come nearer by a tenth,
/// and is asked along the normal it has then.
int too_near(const MovingEdge& a, const MovingEdge& b, double touch, const DetectionSettings& settings,
             Contact (&out)[2]) {
    const double start = length(nearest_of_edges(a.positions(0), b.positions(0)).between);
    if (start >= touch) return contacts_of_edges(a, b, touch, settings, out);
    if (start < 1e-6 * touch) return 0;  // their axes meet: there is no side to keep
    const double level = CrossingCheck::kBetweenEdges * start;
    if (!approach_of_edges(a, b, {level, 0, settings.tolerance * level}).hit) return 0;
    return contacts_of_edges(a, b, kAsked * start, settings, out);
}

/// Whether an edge that begins too near to a wall, or in it, goes deeper at the place found.
bool goes_deeper(const Contact& c, const MovingEdge& edge, const geometry::SolidField& solids,
                 double radius) {
    const auto at = [&](double s) {
        const auto ends = edge.positions(s);
        return solids.distance_to(c.edge_b, ends[0] + (ends[1] - ends[0]) * c.place_a, s);
    };
    const double from = at(0), to = at(1);
    return to < std::min(CrossingCheck::kToWalls * radius, from > 0 ? 0.5 * from : from - 0.01 * radius);
}

}  // namespace

void CrossingCheck::find(const strand::StrandState& strands, StrandEdges& edges,
                         const geometry::SolidField& solids, const DetectionSettings& settings,
                         std::vector<Contact>& out) {
    DetectionSettings bare = settings;
    bare.margin = 0;
    const EdgeList nearer = edges.list(strands, kBetweenEdges);
    detector_.sweep(nearer, bare);
    detector_.find_edge_contacts(nearer, bare);
    detector_.find_wall_contacts(edges.list(strands, kToWalls), solids, bare);
    detector_.gather(found_);
    const EdgeList whole = edges.list(strands);
    out.clear();
    for (std::size_t i = 0; i < found_.size(); ++i) {
        Contact c = found_[i];
        if (!c.hit) continue;
        const MovingEdge a = whole.moving(c.edge_a);
        if (c.kind != ContactKind::edge_edge) {
            if (c.time == 0 && !goes_deeper(c, a, solids, edges.radius(c.edge_a))) continue;
            c.gap -= (1 - kToWalls) * edges.radius(c.edge_a);
            out.push_back(c);
            continue;
        }
        if (i > 0 && found_[i - 1].edge_a == c.edge_a && found_[i - 1].edge_b == c.edge_b) continue;
        const MovingEdge b = whole.moving(c.edge_b);
        const double touch = edges.radius(c.edge_a) + edges.radius(c.edge_b);
        Contact both[2];
        const int count = too_near(a, b, touch, bare, both);
        for (int k = 0; k < count; ++k) {
            both[k].edge_a = c.edge_a, both[k].edge_b = c.edge_b;
            both[k].owner_a = c.owner_a, both[k].owner_b = c.owner_b;
            out.push_back(both[k]);
        }
    }
}

}  // namespace rivulet::contact
