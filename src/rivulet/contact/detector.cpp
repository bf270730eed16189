#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/contact/detector.h>
#include <rivulet/contact/moving_pairs.h>
#include <rivulet/contact/repeats.h>

namespace rivulet::contact {
namespace {

using geometry::Bounds;
using geometry::SolidField;

constexpr std::size_t kGrain = 2048;     // edges per chunk
constexpr std::size_t kGroupGrain = 64;  // groups of the tree per chunk

Reach reach_of(double touch, const DetectionSettings& s) {
    return {touch, s.margin, s.tolerance * touch};
}

/// Unit vector from b to a at the moment of the approach. Axes that meet exactly have none: then across both,
/// against the motion of a as seen from b.
Vec3d normal_of(const MovingEdge& a, const MovingEdge& b, const Approach<2, 2>& found, double touch) {
    if (found.distance > 1e-9 * touch) return found.places.between * (1 / found.distance);
    const auto p = a.positions(found.time);
    const auto q = b.positions(found.time);
    const Vec3d along = normalized_or(p[1] - p[0], {1, 0, 0});
    const Vec3d across = normalized_or(cross(along, q[1] - q[0]), any_perpendicular(along));
    const Vec3d motion = a.shift[0] + a.shift[1] - b.shift[0] - b.shift[1];
    return dot(motion, across) > 0 ? -across : across;
}

Vec3d between(const std::array<Vec3d, 2>& ends, double place) {
    return ends[0] + (ends[1] - ends[0]) * place;
}

Contact wall_contact(const MovingEdge& edge, const WallTouch& touch, double radius,
                     const SolidField& solids) {
    Contact c;
    c.place_a = touch.place;
    c.time = touch.time;
    c.normal = touch.normal;
    c.velocity = touch.velocity;
    const Vec3d motion = between(edge.shift, touch.place) - touch.velocity * solids.dt();
    c.gap = touch.distance - radius - touch.time * dot(touch.normal, motion);
    return c;
}

/// Mean displacement of the vertices [m].
Vec3d drift_of(const EdgeList& edges) {
    const Vec3d sum = ordered_reduce(
        edges.start.size(), kGrain, Vec3d{},
        [&](std::size_t begin, std::size_t end) {
            Vec3d s;
            for (std::size_t i = begin; i < end; ++i) s += edges.end[i] - edges.start[i];
            return s;
        },
        [](const Vec3d& a, const Vec3d& b) { return a + b; });
    return sum * (1 / std::max(1.0, double(edges.start.size())));
}

Bounds swept_box(const MovingEdge& e, const Vec3d& drift, double by) {
    const Vec3d a = e.at[0] + (e.shift[0] - drift), b = e.at[1] + (e.shift[1] - drift);
    return Bounds{component_min(component_min(e.at[0], e.at[1]), component_min(a, b)),
                  component_max(component_max(e.at[0], e.at[1]), component_max(a, b))}
        .grown(by);
}

}  // namespace

int contacts_of_edges(const MovingEdge& a, const MovingEdge& b, double touch,
                      const DetectionSettings& settings, Contact (&out)[2]) {
    const Approach<2, 2> found = approach_of_edges(a, b, reach_of(touch, settings));
    if (!found.near) return 0;
    const Vec3d normal = normal_of(a, b, found, touch);
    const NearestPlaces nearest{found.places.weight_a[1], found.places.weight_b[1], found.places.between};
    const BearingPlaces places =
        bearing_places(segment_of(a.positions(found.time)), segment_of(b.positions(found.time)), nearest,
                       {settings.crossing, settings.depth * touch});
    for (int i = 0; i < places.count; ++i) {
        Contact& c = out[i];
        c = {};
        c.hit = found.hit;
        c.place_a = places.place_a[i], c.place_b = places.place_b[i], c.share = places.share[i];
        c.time = found.time;
        c.normal = normal;
        c.gap = dot(normal, between(a.at, c.place_a) - between(b.at, c.place_b)) - touch;
    }
    return places.count;
}

void Detector::sweep(const EdgeList& edges, const DetectionSettings& settings) {
    assert(edges.is_consistent() && settings.margin >= 0);
    // NOTE: pairs meet the same way in a frame that moves with the mean, where boxes are smaller.
    const Vec3d drift = drift_of(edges);
    boxes_.resize(edges.size());
    parallel_chunks(edges.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) {
            const double by = edges.radius[e] * (1 + 2 * settings.tolerance) +
                              std::max(0.5 * settings.margin, edges.reach_of(e));
            boxes_[e] = swept_box(edges.moving(e), drift, by);
        }
    });
    tree_.build(boxes_);
    swept_.resize(edges.size());
    parallel_chunks(edges.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t p = begin; p < end; ++p) {
            const std::uint32_t e = tree_.order()[p];
            swept_[p] = {edges.moving(e), edges.radius[e], e, edges.owner[e]};
        }
    });
}

void Detector::find_edge_contacts(const EdgeList& edges, const DetectionSettings& settings) {
    const Chunks chunks(tree_.groups(), kGroupGrain);
    if (pair_parts_.size() < chunks.count) pair_parts_.resize(chunks.count);
    for (Part& part : pair_parts_) part.contacts.clear(), part.tested = 0;
    parallel_for(chunks.count, [&](std::size_t chunk) {
        Part& part = pair_parts_[chunk];
        const auto test = [&](std::size_t p, std::size_t q) {
            const bool swap = swept_[q].number < swept_[p].number;
            const Swept& a = swept_[swap ? q : p];
            const Swept& b = swept_[swap ? p : q];
            const double touch = a.radius + b.radius;
            DetectionSettings own = settings;
            own.margin = std::max(own.margin, edges.reach_of(a.number) + edges.reach_of(b.number));
            if (a.owner == b.owner && are_neighbours(edges, a.number, b.number, touch + own.margin)) return;
            ++part.tested;
            Contact found[2];
            const int count = contacts_of_edges(a.edge, b.edge, touch, own, found);
            if (count == 0 || (edges.held[a.number] && edges.held[b.number])) return;
            for (int i = 0; i < count; ++i) {
                found[i].edge_a = a.number, found[i].edge_b = b.number;
                found[i].owner_a = a.owner, found[i].owner_b = b.owner;
                part.contacts.push_back(found[i]);
            }
        };
        for (std::size_t g = chunks.begin(chunk); g < chunks.end(chunk); ++g) tree_.pairs_of(g, test);
    });
}

void Detector::assign_vertices(const EdgeList& edges) {
    roles_.assign(edges.start.size(), VertexRole{});
    for (std::size_t e = edges.size(); e-- > 0;)
        for (const std::uint32_t v : edges.vertices[e]) {
            VertexRole& role = roles_[v];
            role.edge = static_cast<std::uint32_t>(e);
            if (edges.grows_from[e] >= 0) role.grows_from = edges.grows_from[e];
            role.held |= edges.held[e] != 0;
        }
}

void Detector::walls_of_edge(const EdgeList& edges, std::size_t edge, const Wall& wall,
                             const DetectionSettings& settings, std::vector<Contact>& out) const {
    const MovingEdge moving = edges.moving(edge);
    const double radius = edges.radius[edge];
    const Reach reach = reach_of(radius, settings);
    const std::int32_t obstacle = wall.field->solid(wall.solid).obstacle;
    const auto add = [&](const WallTouch& touch, ContactKind kind, bool hit) {
        Contact c = wall_contact(moving, touch, radius, *wall.field);
        c.kind = kind, c.hit = hit;
        c.edge_a = static_cast<std::uint32_t>(edge), c.edge_b = static_cast<std::uint32_t>(wall.solid);
        c.owner_a = edges.owner[edge];
        out.push_back(c);
    };
    const WallMoment moment = approach_of_wall(wall, moving, reach);
    if (!moment.near) return;
    const WallTouches inner = touches_between_ends(wall, moving, moment, reach);
    for (int i = 0; i < inner.count; ++i)
        add(inner.at[static_cast<std::size_t>(i)], ContactKind::edge_wall, moment.hit);
    for (std::size_t k = 0; k < 2; ++k) {
        const VertexRole& role = roles_[edges.vertices[edge][k]];
        if (role.edge != edge || role.held || role.grows_from == obstacle) continue;
        const MovingEdge vertex{{moving.at[k], moving.at[k]}, {moving.shift[k], moving.shift[k]}};
        const WallMoment own = approach_of_wall(wall, vertex, reach);
        if (own.near) add(touch_at(wall, moving, double(k), own.time), ContactKind::vertex_wall, own.hit);
    }
}

void Detector::find_wall_contacts(const EdgeList& edges, const SolidField& solids,
                                  const DetectionSettings& settings) {
    for (Part& part : wall_parts_) part.contacts.clear();
    if (solids.empty()) return;
    assign_vertices(edges);
    const Chunks chunks(edges.size(), 256);
    if (wall_parts_.size() < chunks.count) wall_parts_.resize(chunks.count);
    parallel_for(chunks.count, [&](std::size_t chunk) {
        for (std::size_t e = chunks.begin(chunk); e < chunks.end(chunk); ++e) {
            if (edges.held[e]) continue;
            const Bounds box = swept_box(edges.moving(e), {}, 0);
            const double band = edges.radius[e] * (1 + 2 * settings.tolerance) + settings.margin;
            for (std::size_t k = 0; k < solids.size(); ++k) {
                if (edges.grows_from[e] == solids.solid(k).obstacle) continue;
                if (solids.swept_bounds(k).squared_distance(box) > band * band) continue;
                walls_of_edge(edges, e, {&solids, k}, settings, wall_parts_[chunk].contacts);
            }
        }
    });
}

void Detector::gather(std::vector<Contact>& out) const {
    out.clear();
    for (const std::vector<Part>* parts : {&pair_parts_, &wall_parts_})
        for (const Part& part : *parts) out.insert(out.end(), part.contacts.begin(), part.contacts.end());
    std::sort(out.begin(), out.end(), [](const Contact& a, const Contact& b) { return a.key() < b.key(); });
}

void Detector::detect(const EdgeList& edges, const SolidField& solids, const DetectionSettings& settings,
                      std::vector<Contact>& out) {
    sweep(edges, settings);
    find_edge_contacts(edges, settings);
    find_wall_contacts(edges, solids, settings);
    gather(out);
    mark_repeats(edges, out);
}

std::size_t Detector::tested_pairs() const {
    std::size_t sum = 0;
    for (const Part& part : pair_parts_) sum += part.tested;
    return sum;
}

std::size_t Detector::memory() const {
    std::size_t bytes = tree_.memory() + boxes_.capacity() * sizeof(Bounds) +
                        swept_.capacity() * sizeof(Swept) + roles_.capacity() * sizeof(VertexRole);
    for (const std::vector<Part>* parts : {&pair_parts_, &wall_parts_})
        for (const Part& part : *parts) bytes += sizeof part + part.contacts.capacity() * sizeof(Contact);
    return bytes;
}

}  // namespace rivulet::contact
