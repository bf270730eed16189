#include <rivulet/world/contact_step.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include <rivulet/base/entity.h>
#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/contact/bridge_stretch.h>
#include <rivulet/contact/coulomb.h>
#include <rivulet/contact/impulses.h>
#include <rivulet/contact/strand_answers.h>
#include <rivulet/contact/strand_cones.h>
#include <rivulet/contact/zones.h>
#include <rivulet/strand/mass.h>
#include <rivulet/world/bridge_rheology.h>

namespace rivulet::world {
namespace {

using contact::Contact;
using contact::ContactKind;
using contact::ContactState;
using geometry::SolidField;
using strand::StrandState;

/// Pairs that come nearer than this part of the mean radius are contacts, too: what touched in the last step
/// is found again although the prediction holds it there.
constexpr double kNearby = 0.2;
/// How far, in parts of the thickness, a contact may move in a step from where the linear answer puts it.
constexpr double kMiss = 0.01;
/// How far, in parts of the mean radius, any contact may go from where its law would have it in a step. Far
/// less is asked of all together (`contact.tolerance`); asked of each, it would be the lightest tip among
/// thousands that decides: wet bundles took a thousand turns at 0.0025, at 0.02 a quarter of that.
constexpr double kMissLaw = 0.02;
/// Overlaps deeper than this part of the thickness are taken away, at most this part in a step.
constexpr double kOverlap = 0.02, kOverlapPerStep = 0.05;
/// A shift that moves something by more than this part of its radius is not carried out: what cannot yield is
/// otherwise paid for by whole strands, in stretching.
constexpr double kMostShift = 0.5;
/// What it may miss at most when the rounds are over, in parts of the thickness or of the change of its
/// velocity in the step. Beyond that impulses meant to hold something push it about: the step is too long.
constexpr double kMissAtMost = 0.25, kMissOfChange = 0.1;
constexpr int kMostZoneRounds = 8;
/// By how much of its thickness two obstacles may squeeze a strand, and the cosine between their normals at
/// which it cannot get out of their way.
constexpr double kSqueezed = 0.05, kOpposed = -0.99;

std::tuple<std::uint32_t, std::uint8_t, std::uint32_t> pair_of(const ContactState& s, std::size_t i) {
    return {s.edge[i], s.kind[i], s.other[i]};
}

}  // namespace

std::vector<std::int32_t> obstacles_of(const strand::EndBindings& ends,
                                       std::span<const EndCarrier> carriers) {
    std::vector<std::int32_t> all;
    for (const std::int32_t c : ends.carrier) all.push_back(c < 0 ? -1 : carriers[std::size_t(c)].obstacle);
    return all;
}

const StrandImpulses& ContactStep::begin(const ContactState& last, const StrandState& strands, double dt) {
    given_.impulse.clear(), given_.angular_impulse.clear();
    contacts_.clear(), cones_.clear(), impulse_.clear(), promised_.clear(), joined_.clear();
    shift_.velocity.clear(), shift_.twist_velocity.clear();
    if (!active(strands)) return given_;
    if (root_obstacle_.empty()) {
        const StrandModel& model = model_.strands;
        root_obstacle_ = obstacles_of(model.roots, model.carriers);
        tip_obstacle_ = obstacles_of(model.tips, model.tip_carriers);
    }
    edges_.prepare(strands, model_.contact.margin, root_obstacle_, tip_obstacle_);
    if (last.size() == 0 || !(last.step > 0)) return given_;
    given_.impulse.assign(strands.vertex_count(), Vec3d{});
    given_.angular_impulse.assign(strands.vertex_count(), 0);
    const double longer = dt / last.step;
    for (std::size_t i = 0; i < last.size(); ++i) {
        const Vec3d j = last.impulse[i] * longer;
        const auto give = [&](std::uint32_t v, double place, double sign) {
            const Vec3d tangent = normalized(strands.position[v + 1] - strands.position[v]);
            given_.impulse[v] += j * (sign * (1 - place)), given_.impulse[v + 1] += j * (sign * place);
            given_.angular_impulse[v] -=
                edges_.radius(edges_.edge_at(v)) * dot(cross(tangent, last.normal[i]), j);
        };
        give(last.edge[i], last.place[i], 1);
        if (last.kind[i] == std::uint8_t(ContactKind::edge_edge))
            give(last.other[i], last.other_place[i], -1);
    }
    return given_;
}

contact::DetectionSettings ContactStep::detection() const {
    contact::DetectionSettings settings;
    settings.margin = kNearby * edges_.mean_radius();
    return settings;
}

double ContactStep::touch_of(const Contact& c) const {
    const double a = edges_.radius(c.edge_a);
    return c.kind == ContactKind::edge_edge ? a + edges_.radius(c.edge_b) : a;
}

void ContactStep::add(const Contact& c, const RowBridge& bridge, const StrandState& strands, double dt) {
    contact::Cone cone = contact::cone_of(c, strands, edges_, dt);
    // What overlaps at the start may not come nearer; it is not thrown apart.
    if (c.time == 0 && c.gap < 0) cone.clearance = 0;
    const std::size_t material = strands.material[edges_.strand(c.edge_a)];
    const bool wall = c.kind != ContactKind::edge_edge;
    const ContactPair& pair =
        wall ? model_.contact.with_obstacle(material, std::size_t(obstacle_of(c)))
             : model_.contact.between(material, strands.material[edges_.strand(c.edge_b)]);
    const double wet = bridges_.wetness(c.edge_a, wall ? c.edge_a : c.edge_b);
    cone.friction = pair.friction_dry + wet * (pair.friction_wet - pair.friction_dry);
    contacts_.push_back(c);
    cones_.push_back(cone);
    impulse_.push_back({});
    joined_.push_back(bridge.joined);
}

void ContactStep::pull(const RowBridge& bridge, double opening, double dt) {
    contact::Cone& cone = cones_.back();
    const liquid::LiquidMaterial& liquid = model_.liquid.materials[bridge.liquid];
    const contact::BridgeRheology flow = rheology_of(liquid);
    // What is near is kept apart by the contacts that detection has found. The row of a bridge pulls, and
    // holds: yield stress resists opening up to its strength and lets close, the rest of the liquid's own
    // resistance goes by its secant.
    cone.clearance = 0;
    cone.pull = dt * bridge.force;
    cone.stiffness = dt * dt * std::max(bridge.slope, 0.0);
    cone.most = 0;
    if (bridge.thickness > 0) {
        const double speed = std::max(opening, kLeastOpening), yields = 2 * bridge.wetted * flow.yield_stress;
        const double all = contact::stretch_force(flow, bridge.wetted, bridge.thickness, speed).force;
        cone.most = dt * yields;
        cone.drag = dt * (all - yields) / speed;
    }
    // The rule of hysteresis: the bridge, too, holds what opens and lets close.
    if (model_.contact.cohesion == Cohesion::hysteresis && bridge.force > 0) {
        cone.most += cone.pull, cone.pull = 0;
        cone.drag += cone.stiffness, cone.stiffness = 0;
    }
    cone.pull += cone.most;
}

bool ContactStep::is_far(const Contact& c, const StrandState& strands, const strand::Motion& predicted,
                         double dt) const {
    const double near = kNearby * edges_.mean_radius();
    if (c.hit || c.gap <= near) return false;
    const contact::Cone cone = contact::cone_of(c, strands, edges_, dt);
    const Vec3d v = contact::contact_velocity(cone, predicted.velocity, predicted.twist_velocity);
    return c.gap + dt * v.x > near;
}

void ContactStep::detect(const StrandState& strands, const strand::Motion& predicted,
                         const SolidField& solids, const film::FilmState& film,
                         std::span<const double> dryness, const ContactState& last, const StepView& view) {
    if (!active(strands)) return;
    if (by_penalty()) return penalty_.detect(strands, solids, film, dryness, last, view);
    edges_.move(strands, predicted.velocity, view.dt);
    solids_ = &solids;
    bridges_.begin(film, edges_, dryness);
    contact::EdgeList list = edges_.list(strands);
    list.reach = bridges_.reach();
    detector_.detect(list, solids, detection(), found_);
    bridges_.join(strands, edges_, solids, last, found_, found_rows_);
    for (std::size_t i = 0; i < found_.size(); ++i) {
        if (!found_rows_[i].joined && found_[i].repeats) continue;
        // Some were found only because bridges reach far.
        if (!found_rows_[i].joined && bridges_.active() && is_far(found_[i], strands, predicted, view.dt))
            continue;
        add(found_[i], found_rows_[i], strands, view.dt);
        if (!found_rows_[i].joined) continue;
        // NOTE: the speed the strands have, not the predicted one, which may swing from step to step.
        const double opening =
            contact::contact_velocity(cones_.back(), strands.velocity, strands.twist_velocity).x;
        pull(found_rows_[i], opening, view.dt);
    }
    take_warm_impulses(last, view.dt);
}

void ContactStep::take_warm_impulses(const ContactState& last, double dt) {
    if (last.size() == 0 || !(last.step > 0)) return;
    const double longer = dt / last.step;
    std::vector<std::size_t>& order = order_;
    order.resize(last.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::tuple<std::uint32_t, std::uint8_t, std::uint32_t> before{};
    std::size_t seen[2] = {0, 0};  // rows of the pair: without and with a bridge
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& c = contacts_[i];
        const auto key = std::tuple(edges_.vertex(c.edge_a), std::uint8_t(c.kind), other_of(c));
        if (i > 0 && key != before) seen[0] = seen[1] = 0;
        before = key;
        std::size_t ahead = seen[joined_[i]]++;
        const auto at =
            std::lower_bound(order.begin(), order.end(), key,
                             [&](std::size_t k, const auto& wanted) { return pair_of(last, k) < wanted; });
        std::size_t k = std::size_t(at - order.begin());
        while (k < last.size() && pair_of(last, k) == key && (last.bridge[k] != joined_[i] || ahead-- > 0))
            ++k;
        if (k >= last.size() || pair_of(last, k) != key) continue;
        const Vec3d j = last.impulse[k] * longer;
        impulse_[i] = contact::project_on_cone({dot(cones_[i].axes[0], j) + cones_[i].pull,
                                                dot(cones_[i].axes[1], j), dot(cones_[i].axes[2], j)},
                                               cones_[i].friction);
    }
}

void ContactStep::ask(strand::Mobility& mobility, std::span<const std::uint8_t> renewed) {
    for (std::size_t s = 0; s < renewed.size(); ++s)
        if (renewed[s]) asked_[s] = 0;
    asking_.assign(asked_.size(), 0);
    for (const contact::Cone& c : cones_)
        for (const std::uint32_t strand : c.owner)
            if (strand != contact::Cone::kNone && !asked_[strand]) asking_[strand] = asked_[strand] = 1;
    mobility.invert_band(asking_);
}

bool ContactStep::find_impulses(const StrandState& strands, double dt, StrandStep& solve,
                                StepCounts& counts) {
    const std::size_t n = strands.vertex_count();
    strand::Motion& motion = solve.motion();
    free_velocity_.assign(n, Vec3d{});
    free_turning_.assign(n, 0);
    if (given_.empty()) {
        given_.impulse.assign(n, Vec3d{});
        given_.angular_impulse.assign(n, 0);
    } else {
        solve.mobility().apply(given_.impulse, given_.angular_impulse, free_velocity_, free_turning_);
    }
    for (std::size_t v = 0; v < n; ++v) {
        free_velocity_[v] = motion.velocity[v] - free_velocity_[v];
        free_turning_[v] = motion.twist_velocity[v] - free_turning_[v];
    }
    const contact::ConeReport report = solver_.solve(
        cones_, contact::StrandAnswers(strands, solve.mobility(), answers_), free_velocity_, free_turning_,
        {.tolerance = model_.contact.tolerance, .miss = kMissLaw * edges_.mean_radius() / dt}, impulse_);
    counts.contact_iterations += report.iterations;
    counts.contact_residual = std::max(counts.contact_residual, report.residual);
    promised_.resize(cones_.size());
    for (std::size_t i = 0; i < cones_.size(); ++i)
        promised_[i] = contact::contact_velocity(cones_[i], solver_.node_velocity(), solver_.node_turning());
    const auto impulse = solver_.node_impulse();
    const auto angular = solver_.node_angular_impulse();
    changed_.assign(strands.strand_count(), 0);
    bool any = false;
    for (std::size_t s = 0; s < strands.strand_count(); ++s) {
        for (std::size_t v = strands.begin(s); v < strands.end(s) && !changed_[s]; ++v)
            changed_[s] = impulse[v] != given_.impulse[v] || angular[v] != given_.angular_impulse[v];
        if (!changed_[s]) continue;
        any = true;
        for (std::size_t v = strands.begin(s); v < strands.end(s); ++v) {
            motion.velocity[v] = solver_.node_velocity()[v];
            motion.twist_velocity[v] = solver_.node_turning()[v];
        }
    }
    given_.impulse.assign(impulse.begin(), impulse.end());
    given_.angular_impulse.assign(angular.begin(), angular.end());
    return any;
}

bool ContactStep::answered_as_linearised(const StepView& view, const strand::Motion& motion) const {
    for (std::size_t i = 0; i < cones_.size(); ++i) {
        const Vec3d is = contact::contact_velocity(cones_[i], motion.velocity, motion.twist_velocity);
        if (impulse_[i] == Vec3d{} && cones_[i].pull == 0) continue;
        if (length(is - promised_[i]) * view.dt > kMiss * touch_of(contacts_[i])) return false;
    }
    return true;
}

void ContactStep::refuse_wild_answers(const StrandState& strands, const StepView& view,
                                      const strand::Motion& motion) const {
    for (std::size_t i = 0; i < cones_.size(); ++i) {
        if (impulse_[i] == Vec3d{}) continue;
        const Vec3d is = contact::contact_velocity(cones_[i], motion.velocity, motion.twist_velocity);
        const Vec3d was = contact::contact_velocity(cones_[i], strands.velocity, strands.twist_velocity);
        const double miss = length(is - promised_[i]), change = length(is - was);
        const double thick = touch_of(contacts_[i]);
        if (miss * view.dt > kMissAtMost * thick && miss > kMissOfChange * change)
            throw StepFailed(strand_name(strands.id[edges_.strand(contacts_[i].edge_a)]),
                             "its contact with " + other_name(contacts_[i], strands) +
                                 " does not come to rest within the rounds allowed",
                             miss * view.dt / thick);
    }
}

void ContactStep::refuse_squeezing(const StrandState& strands, const StepView& view) const {
    // NOTE: contacts of an edge lie together. Of two that face each other the strand's own motion cancels.
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& c = contacts_[i];
        if (c.kind == ContactKind::edge_edge) continue;
        for (std::size_t j = i + 1; j < contacts_.size() && contacts_[j].edge_a == c.edge_a; ++j) {
            const Contact& d = contacts_[j];
            if (d.kind == ContactKind::edge_edge || joined_[i] || joined_[j]) continue;
            const double radius = edges_.radius(c.edge_a), apart = edges_.rest_length(c.edge_a);
            if (dot(c.normal, d.normal) > kOpposed || std::abs(c.place_a - d.place_a) * apart > radius)
                continue;
            const double room = 2 * radius + c.gap + d.gap -
                                view.dt * (dot(c.normal, c.velocity) + dot(d.normal, d.velocity));
            if (room >= (1 - kSqueezed) * 2 * radius) continue;
            throw StepFailed(strand_name(strands.id[edges_.strand(c.edge_a)]),
                             "is squeezed between " + other_name(c, strands) + " and " +
                                 other_name(d, strands) + ", which leave less room than it is thick",
                             room / (2 * radius));
        }
    }
}

std::string ContactStep::other_name(const Contact& c, const StrandState& strands) const {
    return c.kind == ContactKind::edge_edge
               ? strand_name(strands.id[edges_.strand(c.edge_b)])
               : "obstacle " + model_.obstacles.description(std::size_t(obstacle_of(c))).name;
}

bool ContactStep::nothing_crosses(const StrandState& strands, const SolidField& solids, const StepView& view,
                                  const strand::Motion& motion) {
    edges_.move(strands, motion.velocity, view.dt);
    crossing_.find(strands, edges_, solids, detection(), found_);
    for (const Contact& c : found_) {
        const auto same = [&](const Contact& other) {
            return other.edge_a == c.edge_a && other.edge_b == c.edge_b && other.kind == c.kind &&
                   !joined_[std::size_t(&other - contacts_.data())] && dot(other.normal, c.normal) > 0.9999 &&
                   std::abs(other.place_a - c.place_a) < 1e-3;
        };
        if (std::none_of(contacts_.begin(), contacts_.end(), same)) add(c, {}, strands, view.dt);
    }
    return found_.empty();
}

void ContactStep::resolve(const StrandState& strands, const SolidField& solids, const StepView& view,
                          StrandStep& solve, StepCounts& counts) {
    if (!active(strands)) return;
    if (by_penalty()) return penalty_.resolve(strands, view, solve, given_, counts);
    if (contacts_.empty() && given_.empty()) return;
    refuse_squeezing(strands, view);
    asked_.assign(strands.strand_count(), 0);
    ask(solve.mobility(), {});
    bool linear = true, clear = true;
    for (int round = 1;; ++round) {
        counts.contact_rounds = round;
        if (!find_impulses(strands, view.dt, solve, counts)) break;
        solve.solve_again(strands, view, given_, changed_, counts);
        linear = answered_as_linearised(view, solve.motion());
        clear = nothing_crosses(strands, solids, view, solve.motion());
        if ((linear && clear) || round >= model_.contact.rounds) break;
        ask(solve.mobility(), changed_);
    }
    if (!linear) refuse_wild_answers(strands, view, solve.motion());
    if (!clear) make_zones(strands, solids, view, solve, counts);
    counts.contacts = static_cast<std::int64_t>(contacts_.size());
}

void ContactStep::make_zones(const StrandState& strands, const SolidField& solids, const StepView& view,
                             StrandStep& solve, StepCounts& counts) {
    contact::Zones zones(strands, model_.strands.materials, edges_, solve.film_mass());
    const std::vector<Vec3d> before = solve.motion().velocity;
    for (int round = 0; round < kMostZoneRounds; ++round) {
        for (const Contact& c : found_) zones.join(c);
        zones.stop(before, solve.motion().velocity);
        edges_.move(strands, solve.motion().velocity, view.dt);
        crossing_.find(strands, edges_, solids, detection(), found_);
        if (!found_.empty()) continue;
        counts.contact_zones += static_cast<std::int64_t>(zones.count());
        return;
    }
    const Contact& c = found_.front();
    throw StepFailed(strand_name(strands.id[edges_.strand(c.edge_a)]),
                     "no motion keeps it out of " + other_name(c, strands));
}

void ContactStep::settle(const StrandState& strands, const SolidField& solids, const StepView& view,
                         StrandStep& solve, ContactState& left, StepCounts& counts) {
    (void)counts;
    left = {};
    if (!active(strands)) return;
    if (by_penalty()) return penalty_.settle(view, left);
    left.step = view.dt;
    take_overlaps_away(strands, solids, view, solve);
    std::vector<std::size_t>& order = order_;
    order.clear();
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (impulse_[i] != Vec3d{} || joined_[i]) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        const auto key = [&](std::size_t k) { return std::tuple(contacts_[k].key(), k); };
        return key(i) < key(j);
    });
    for (const std::size_t i : order) {
        const Contact& c = contacts_[i];
        left.edge.push_back(edges_.vertex(c.edge_a));
        left.other.push_back(other_of(c));
        left.kind.push_back(std::uint8_t(c.kind));
        left.place.push_back(c.place_a), left.other_place.push_back(c.place_b);
        left.normal.push_back(c.normal);
        left.impulse.push_back(solver_.applied(i));
        left.bridge.push_back(joined_[i]);
    }
}

bool ContactStep::shift_is_small(const StrandState& strands, double dt) const {
    for (std::size_t v = 0; v < strands.vertex_count(); ++v)
        if (dt * length(shift_.velocity[v]) > kMostShift * strands.radius[v]) return false;
    return true;
}

void ContactStep::take_overlaps_away(const StrandState& strands, const SolidField& solids,
                                     const StepView& view, StrandStep& solve) {
    const strand::Motion& motion = solve.motion();
    bool any = false;
    for (std::size_t i = 0; i < cones_.size(); ++i) {
        const double moved = contact::contact_velocity(cones_[i], motion.velocity, motion.twist_velocity).x;
        const double gap = contacts_[i].gap + view.dt * moved, touch = touch_of(contacts_[i]);
        // NOTE: two roots planted in each other cannot yield.
        const bool rooted =
            edges_.is_held(contacts_[i].edge_a) ||
            (contacts_[i].kind == ContactKind::edge_edge && edges_.is_held(contacts_[i].edge_b));
        const double much =
            joined_[i] || rooted ? 0.0 : std::min(-gap - kOverlap * touch, kOverlapPerStep * touch);
        cones_[i].wall = {};
        cones_[i].friction = cones_[i].pull = cones_[i].stiffness = cones_[i].drag = 0;
        if (joined_[i]) cones_[i].most = 0;
        cones_[i].clearance = much > 0 ? -much / view.dt : std::max(gap, 0.0) / view.dt;
        any = any || much > 0;
    }
    if (!any) return;
    ask(solve.mobility(), changed_);
    const std::size_t n = strands.vertex_count();
    free_velocity_.assign(n, Vec3d{});
    free_turning_.assign(n, 0);
    shift_impulse_.assign(cones_.size(), Vec3d{});
    shifter_.solve(cones_, contact::StrandAnswers(strands, solve.mobility(), answers_), free_velocity_,
                   free_turning_, {.tolerance = 1e-2, .most_iterations = 50}, shift_impulse_);
    shift_.velocity.assign(shifter_.node_velocity().begin(), shifter_.node_velocity().end());
    shift_.twist_velocity.assign(n, 0);
    for (std::size_t v = 0; v < n; ++v) free_velocity_[v] = motion.velocity[v] + shift_.velocity[v];
    edges_.move(strands, free_velocity_, view.dt);
    crossing_.find(strands, edges_, solids, detection(), found_);
    if (!found_.empty() || !shift_is_small(strands, view.dt))
        shift_.velocity.clear(), shift_.twist_velocity.clear();
}

}  // namespace rivulet::world
