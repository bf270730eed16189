#include <rivulet/world/contact_penalty.h>

#include <algorithm>
#include <tuple>

#include <rivulet/contact/bridge_points.h>
#include <rivulet/contact/bridge_stretch.h>
#include <rivulet/world/bridge_rheology.h>

namespace rivulet::world {
namespace {

using contact::Contact;
using contact::ContactKind;
using contact::ContactState;
using contact::PenaltyForce;
using contact::PenaltyPair;
using contact::PenaltyRow;
using geometry::SolidField;
using strand::StrandState;

/// How far, in parts of the thickness, a spring may move in a step from where the linear answer puts it.
constexpr double kMiss = 0.01;

contact::Segment segment(const StrandState& s, std::uint32_t vertex) {
    return {s.position[vertex], s.position[vertex + 1] - s.position[vertex]};
}

auto pair_of(const Contact& c) {
    return std::tuple(std::size_t{c.edge_a}, c.kind != ContactKind::edge_edge, std::size_t{c.edge_b});
}

}  // namespace

double ContactPenalty::widest_rest_gap() const {
    double radius = 0;
    for (std::size_t e = 0; e < edges_.size(); ++e) radius = std::max(radius, edges_.radius(e));
    return rest_gap(radius);
}

const RowBridge& ContactPenalty::bridge_of(std::size_t edge, bool wall, std::size_t other) const {
    static const RowBridge none;
    const auto key = std::tuple(edge, wall, other);
    // NOTE: the order of contacts within one edge is by kind and other, so that pairs lie together.
    auto at = std::lower_bound(found_.begin(), found_.end(), edge,
                               [](const Contact& c, std::size_t e) { return c.edge_a < e; });
    for (; at != found_.end() && at->edge_a == edge; ++at)
        if (const auto i = std::size_t(at - found_.begin()); pair_of(*at) == key && found_bridges_[i].joined)
            return found_bridges_[i];
    return none;
}

void ContactPenalty::add(const Spring& frame, double touch, double radius, const RowBridge& bridge,
                         const StrandState& strands, double dt) {
    Spring spring = frame;
    spring.touch = touch, spring.joined = bridge.joined;
    PenaltyPair pair{touch, touch + rest_gap(radius), model_.contact.penalty.stiffness, 0};
    pair.join_pull = bridge.curve.at(pair.join() - touch).force;
    const double d = spring.at.distance, length = spring.at.length;
    PenaltyForce f;
    if (d < pair.join())
        f = contact::penalty_near(pair, d);
    else if (const contact::BridgePull far = bridge.curve.at(d - touch); far.force != 0)
        f.force = far.force, f.slope = far.slope;
    PenaltyRow& row = spring.row;
    row.normal = spring.at.normal;
    const auto side = [&](std::size_t k, std::uint32_t vertex, double place, double sign) {
        row.node[2 * k] = vertex, row.node[2 * k + 1] = vertex + 1;
        row.weight[2 * k] = sign * (1 - place), row.weight[2 * k + 1] = sign * place;
    };
    side(0, spring.edge, spring.at.place_a, 1);
    if (spring.kind == ContactKind::edge_edge)
        side(1, spring.other, spring.at.place_b, -1);
    else
        row.wall = dot(spring.at.velocity, row.normal);
    row.pull = dt * f.force * length;
    row.stiffness = dt * dt * contact::penalty_secant(pair, d, f) * length;
    const double opening = contact::row_velocity(row, strands.velocity);
    if (bridge.joined && opening > 0) {
        // A thick liquid resists by its secant, yield stress and all: nothing that resists may pull.
        const contact::BridgePull now = bridge.curve.at(d - touch);
        const double speed = std::max(opening, kLeastOpening);
        if (now.wetted > 0)
            row.stiffness += dt * length * bridge.dry / speed *
                             contact::stretch_force(rheology_of(model_.liquid.materials[bridge.liquid]),
                                                    now.wetted, bridge.curve.area / now.wetted, speed)
                                 .force;
    }
    if (row.pull != 0 || row.stiffness > 0 || spring.joined) springs_.push_back(spring);
}

void ContactPenalty::add_pairs(const StrandState& strands, double dt) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const Contact& c = found_[i];
        if (c.kind != ContactKind::edge_edge || (i > 0 && pair_of(found_[i - 1]) == pair_of(c))) continue;
        const double ra = edges_.radius(c.edge_a), rb = edges_.radius(c.edge_b), touch = ra + rb;
        const RowBridge& bridge = bridge_of(c.edge_a, false, c.edge_b);
        Spring spring;
        spring.kind = c.kind, spring.edge = edges_.vertex(c.edge_a), spring.other = edges_.vertex(c.edge_b);
        const contact::Segment a = segment(strands, spring.edge), b = segment(strands, spring.other);
        const double reach = std::max(rest_gap(0.5 * touch), bridge.curve.reach());
        // Seen from either edge, each half of it: the normal is across the edge that is looked at (§4.1.1,
        // ω).
        const contact::EdgePart parts[2] = {contact::part_beside(a, b, touch, reach),
                                            contact::part_beside(b, a, touch, reach)};
        const bool both = parts[0].size() > 1e-12 && parts[1].size() > 1e-12;
        for (std::size_t k = 0; k < 2; ++k) {
            if (!(parts[k].size() > 1e-12)) continue;
            const contact::Segment &from = k == 0 ? a : b, &to = k == 0 ? b : a;
            const double middle = 0.5 * (parts[k].from + parts[k].to);
            const double nearest = contact::nearest_place(to, from.at(middle));
            Place& at = spring.at;
            at.place_a = k == 0 ? middle : nearest, at.place_b = k == 0 ? nearest : middle;
            const Vec3d between = a.at(at.place_a) - b.at(at.place_b);
            at.length = (both ? 0.5 : 1) * parts[k].size() * length(from.along);
            at.distance = length(between);
            // Axes that meet have no direction in which to part.
            if (!(at.distance > 1e-6 * touch)) continue;
            at.normal = between * (1 / at.distance);
            add(spring, touch, 0.5 * touch, bridge, strands, dt);
        }
    }
}

void ContactPenalty::add_walls(const StrandState& strands, const SolidField& solids, double dt) {
    for (std::size_t e = 0; e < edges_.size() && !solids.empty(); ++e) {
        if (edges_.is_held(e)) continue;
        const double widest = std::max(widest_rest_gap(), bridges_.active() ? bridges_.reach()[e] : 0.0);
        const double radius = edges_.radius(e);
        const contact::Segment a = segment(strands, edges_.vertex(e));
        geometry::Bounds box;
        box.include(a.at(0)), box.include(a.at(1));
        for (std::size_t k = 0; k < solids.size(); ++k) {
            const int obstacle = solids.solid(k).obstacle;
            const double band = widest + radius;
            if (edges_.grows_from(e) == obstacle ||
                solids.swept_bounds(k).squared_distance(box) > band * band)
                continue;
            const RowBridge& bridge = bridge_of(e, true, k);
            const double most = radius + std::max(rest_gap(radius), bridge.curve.reach());
            // The distance as straight between the ends (§4.1.1): the part below `most`, seen at its middle.
            const double first = solids.distance_to(k, a.at(0), 0) - most;
            const double last = solids.distance_to(k, a.at(1), 0) - most;
            if (first >= 0 && last >= 0) continue;
            contact::EdgePart part{0, 1};
            if (first > 0) part.from = first / (first - last);
            if (last > 0) part.to = first / (first - last);
            Spring spring;
            spring.kind = ContactKind::edge_wall, spring.edge = edges_.vertex(e);
            spring.other = static_cast<std::uint32_t>(obstacle);
            Place& at = spring.at;
            at.place_a = 0.5 * (part.from + part.to), at.length = part.size() * length(a.along);
            const geometry::SolidSample s = solids.sample_of(k, a.at(at.place_a), 0);
            at.distance = s.distance, at.normal = s.normal;
            at.velocity = solids.velocity_of(k, a.at(at.place_a), 0);
            add(spring, radius, radius, bridge, strands, dt);
        }
    }
}

void ContactPenalty::detect(const StrandState& strands, const SolidField& solids, const film::FilmState& film,
                            std::span<const double> dryness, const ContactState& last, const StepView& view) {
    still_.assign(strands.vertex_count(), Vec3d{});
    edges_.move(strands, still_, view.dt);
    bridges_.begin(film, edges_, dryness);
    contact::DetectionSettings settings;
    settings.margin = widest_rest_gap();
    contact::EdgeList list = edges_.list(strands);
    list.reach = bridges_.reach();
    detector_.detect(list, solids, settings, found_);
    bridges_.join(strands, edges_, solids, last, found_, found_bridges_);
    springs_.clear();
    add_pairs(strands, view.dt);
    add_walls(strands, solids, view.dt);
    std::sort(springs_.begin(), springs_.end(),
              [](const Spring& a, const Spring& b) { return a.key() < b.key(); });
    rows_.clear();
    for (const Spring& s : springs_) rows_.push_back(s.row);
}

bool ContactPenalty::find_impulses(const StrandState& strands, StrandStep& solve, StrandImpulses& given,
                                   StepCounts& counts) {
    const std::size_t n = strands.vertex_count();
    strand::Motion& motion = solve.motion();
    answer_.assign(n, Vec3d{}), answer_turning_.assign(n, 0), free_velocity_.resize(n);
    contact::PenaltySolver::Guess guess;
    if (given.empty()) {
        given.impulse.assign(n, Vec3d{}), given.angular_impulse.assign(n, 0);
    } else {
        solve.mobility().apply(given.impulse, given.angular_impulse, answer_, answer_turning_);
        guess = {given.impulse, answer_, given.angular_impulse, answer_turning_};
    }
    for (std::size_t v = 0; v < n; ++v) free_velocity_[v] = motion.velocity[v] - answer_[v];
    const contact::PenaltyReport report = solver_.solve(
        rows_, contact::StrandAnswers(strands, solve.mobility(), answers_), free_velocity_, guess, {});
    counts.contact_iterations += report.iterations;
    counts.contact_residual = std::max(counts.contact_residual, report.residual);
    const auto impulse = solver_.node_impulse();
    changed_.assign(strands.strand_count(), 0);
    bool any = false;
    for (std::size_t s = 0; s < strands.strand_count(); ++s) {
        for (std::size_t v = strands.begin(s); v < strands.end(s) && !changed_[s]; ++v)
            changed_[s] = impulse[v] != given.impulse[v] || given.angular_impulse[v] != 0;
        if (!changed_[s]) continue;
        any = true;
        for (std::size_t v = strands.begin(s); v < strands.end(s); ++v) {
            motion.velocity[v] = free_velocity_[v] + solver_.added_velocity()[v];
            motion.twist_velocity[v] += solver_.added_turning()[v] - answer_turning_[v];
        }
    }
    given.impulse.assign(impulse.begin(), impulse.end());
    given.angular_impulse.assign(n, 0);
    return any;
}

bool ContactPenalty::answered_as_linearised(double dt, const strand::Motion& motion) const {
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const double is = contact::row_velocity(rows_[i], motion.velocity);
        if (std::abs(is - solver_.velocity()[i]) * dt > kMiss * springs_[i].touch) return false;
    }
    return true;
}

void ContactPenalty::resolve(const StrandState& strands, const StepView& view, StrandStep& solve,
                             StrandImpulses& given, StepCounts& counts) {
    if (springs_.empty() && given.empty()) return;
    for (int round = 1; round <= model_.contact.rounds; ++round) {
        counts.contact_rounds = round;
        if (!find_impulses(strands, solve, given, counts)) break;
        solve.solve_again(strands, view, given, changed_, counts);
        if (answered_as_linearised(view.dt, solve.motion())) break;
    }
    counts.contacts = static_cast<std::int64_t>(springs_.size());
}

void ContactPenalty::settle(const StepView& view, ContactState& left) const {
    left = {};
    left.step = view.dt;
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const Spring& s = springs_[i];
        left.edge.push_back(s.edge), left.other.push_back(s.other);
        left.kind.push_back(std::uint8_t(s.kind));
        left.place.push_back(s.at.place_a), left.other_place.push_back(s.at.place_b);
        left.normal.push_back(s.at.normal);
        left.impulse.push_back(s.at.normal * solver_.impulse()[i]);
        left.bridge.push_back(s.joined);
    }
}

}  // namespace rivulet::world
