#include <rivulet/scene/meeting.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <rivulet/world/contact_step.h>

namespace rivulet::scene {
namespace {

using strand::StrandState;

/// Rows for each vertex, seen over the shipped scenes: 2.5 to 4.7 of wet strands that have joined, 1.5 in
/// heaps, up to 0.6 where a comb or the motion of their roots brings strands together, a few in a hundred
/// where limp strands hang side by side.
constexpr double kRowsJoined = 3, kRowsHeaped = 1.5, kRowsStirred = 0.3, kRowsHanging = 0.03;
/// A strand is limp where its weight and the wind would bend it by a third of its length.
constexpr double kLimp = 0.33;
/// Work of opening a bridge over surface tension: so many radii, and the root of its area (1.6 to 2.8 r for
/// areas of 0.1 to 2 r²).
constexpr double kWork = 1.5;
/// A strand hangs where it points down so far (cosine); others fall.
constexpr double kHangs = 0.8;
/// Ends nearer than this part of its length leave a strand slack.
constexpr double kSlack = 0.9;
/// What a contact costs more where something is drawn through strands.
constexpr double kCombed = 3;
/// Neighbours nearer than this part of its length may be brought to a strand.
constexpr double kCompany = 0.1;
/// Strands whose neighbours are looked for.
constexpr std::size_t kLookedAt = 500;

double rows_at_start(const world::Model& model, const world::World& world) {
    world::Model cones = model;
    cones.contact.law = world::ContactLaw::cone;
    const StepView view{world.clock.time, std::min(model.step.max, 1 / model.fps), world.clock.step,
                        model.gravity, model.seed};
    const geometry::SolidField solids = model.obstacles.field_over(view.time, view.dt);
    world::ContactStep step(cones);
    step.begin(world.contacts, world.strands, view.dt);
    strand::Motion still;
    still.velocity = world.strands.velocity, still.twist_velocity = world.strands.twist_velocity;
    step.detect(world.strands, still, solids, world.film, {}, world.contacts, view);
    return double(step.contacts().size());
}

double length_of(const StrandState& strands, std::size_t s) {
    return std::accumulate(strands.rest_length.begin() + std::ptrdiff_t(strands.begin(s)),
                           strands.rest_length.begin() + std::ptrdiff_t(strands.end(s)), 0.0);
}
/// Where a strand is looked at: towards its tip.
std::size_t place_of(const StrandState& strands, std::size_t s) {
    return strands.begin(s) + 2 * (strands.end(s) - strands.begin(s) - 1) / 3;
}
/// Distance of its axis to the nearest other strand at that place.
double spacing_of(const StrandState& strands, std::size_t s) {
    double least = 1e300;
    const Vec3d x = strands.position[place_of(strands, s)];
    for (std::size_t other = 0; other < strands.strand_count(); ++other)
        if (other != s)
            least = std::min(least, squared_length(strands.position[place_of(strands, other)] - x));
    return std::sqrt(least);
}
bool is_held(const StrandState& strands, std::size_t s) {
    return strands.root_target.kind[s] != std::uint8_t(strand::EndKind::free) ||
           strands.tip_target.kind[s] != std::uint8_t(strand::EndKind::free);
}

double bending_of(const world::Model& model, const StrandState& strands, std::size_t s) {
    return 0.25 * std::numbers::pi * std::pow(strands.radius[place_of(strands, s)], 4) *
           model.strands.materials[strands.material[s]].youngs_modulus;
}
bool is_held_twice(const StrandState& strands, std::size_t s) {
    return strands.root_target.kind[s] != std::uint8_t(strand::EndKind::free) &&
           strands.tip_target.kind[s] != std::uint8_t(strand::EndKind::free);
}
/// Whether its ends are so near each other that it can meet itself when they move or turn.
bool is_slack(const StrandState& strands, std::size_t s) {
    const Vec3d apart = strands.position[strands.end(s) - 1] - strands.position[strands.begin(s)];
    return is_held_twice(strands, s) && length(apart) < kSlack * length_of(strands, s);
}
/// How far its weight and the wind would bend it, small deflections assumed: qℓ⁴/8EI, held at both ends
/// /384EI.
double sag_of(const world::Model& model, const StrandState& strands, std::size_t s) {
    const double r = strands.radius[place_of(strands, s)], speed = length(model.strands.wind.velocity);
    double load = model.strands.materials[strands.material[s]].density * std::numbers::pi * r * r *
                  length(model.gravity);
    if (model.strands.has_air && speed > 0)
        load += strand::resistance_across(model.strands.air, 2 * r, speed) * speed;
    return load * std::pow(length_of(strands, s), 4) /
           ((is_held_twice(strands, s) ? 384 : 8) * bending_of(model, strands, s));
}
/// Whether it is not where its weight will have it.
bool falls(const world::Model& model, const StrandState& strands, std::size_t s) {
    if (is_held_twice(strands, s)) return false;
    const Vec3d along = strands.position[place_of(strands, s)] - strands.position[strands.begin(s)];
    return dot(along, model.gravity) < kHangs * length(along) * length(model.gravity);
}
/// The part of a wet strand that bridges hold to its neighbour: beyond (9 EI G²/W)^¼ from its root.
double joined_part(const world::Model& model, const world::World& world, std::size_t s, double spacing) {
    const StrandState& strands = world.strands;
    const std::size_t v = place_of(strands, s);
    double tension = 0;
    for (const liquid::LiquidMaterial& m : model.liquid.materials)
        tension = std::max(tension, m.surface_tension);
    const double r = strands.radius[v], area = 2 * world.film.area[v];
    const double work = tension * (kWork * r + std::sqrt(area));
    const double gap = std::max(spacing - 2 * r, 0.0);
    const double from = std::pow(9 * bending_of(model, strands, s) * gap * gap / work, 0.25);
    return std::max(0.0, 1 - from / length_of(strands, s));
}

bool is_wet(const world::World& world, std::size_t s) {
    const auto begin = std::ptrdiff_t(world.strands.begin(s)), end = std::ptrdiff_t(world.strands.end(s));
    return world.film.size() > 0 &&
           std::any_of(world.film.area.begin() + begin, world.film.area.begin() + end,
                       [](double area) { return area > 0; });
}

/// Whether something is drawn through strands that does not carry them: hair that hangs over its teeth
/// stretches, which takes many rounds.
bool is_combed(const world::Model& model) {
    const auto carries = [&](std::size_t i) {
        return std::any_of(model.strands.carriers.begin(), model.strands.carriers.end(),
                           [&](const world::EndCarrier& c) { return c.obstacle == int(i); });
    };
    for (std::size_t i = 0; i < model.obstacles.size(); ++i)
        if (!model.obstacles.never_moves(i) && !carries(i)) return true;
    return false;
}

/// Whether anything moves by a script, or air does.
bool is_stirred(const world::Model& model) {
    if (model.strands.has_air && model.strands.wind.velocity != Vec3d{}) return true;
    for (std::size_t i = 0; i < model.obstacles.size(); ++i)
        if (!model.obstacles.never_moves(i)) return true;
    const geometry::Bounds box{{0, 0, 0}, {0.01, 0.01, 0.01}};
    for (const auto* carriers : {&model.strands.carriers, &model.strands.tip_carriers})
        for (const world::EndCarrier& c : *carriers) {
            const obstacle::Reach reach = c.reach(box, model.obstacles, 0, model.end_time);
            if (reach.travel > 0 || reach.turn > 0) return true;
        }
    return false;
}

/// Rows for each vertex of a strand, once it has met what it will meet. `joins`: wet strands begin to.
double rows_later(const world::Model& model, const world::World& world, std::size_t s, bool scripted,
                  bool joins) {
    const StrandState& strands = world.strands;
    if (!is_held(strands, s)) return kRowsHeaped;
    const double spacing = spacing_of(strands, s), length = length_of(strands, s),
                 gap = spacing - 2 * strands.radius[place_of(strands, s)], sag = sag_of(model, strands, s);
    const bool limp = sag > kLimp * length, near = spacing < kCompany * length;
    const bool stirred = (scripted || falls(model, strands, s)) && (limp || sag > gap);
    if (model.contact.cohesion != world::Cohesion::none && is_wet(world, s) && (joins || (stirred && near)))
        return kRowsJoined * joined_part(model, world, s, spacing);
    if (scripted && is_slack(strands, s)) return kRowsStirred;
    if (!near) return 0;
    if (strands.strand_count() == 2 && !limp) return 0;  // they rarely meet
    return stirred ? kRowsStirred : limp ? kRowsHanging : 0;
}

}  // namespace

Meetings meetings_expected(const world::Model& model, const world::World& world) {
    const StrandState& strands = world.strands;
    if (model.contact.law == world::ContactLaw::none || strands.strand_count() == 0) return {};
    const bool stirred = is_stirred(model);
    const double now = rows_at_start(model, world);
    const std::size_t stride = (strands.strand_count() + kLookedAt - 1) / kLookedAt;
    double rows = 0;
    for (std::size_t s = 0; s < strands.strand_count(); s += stride)
        rows += double(strands.end(s) - strands.begin(s)) * rows_later(model, world, s, stirred, now > 0);
    return {now, std::max(now, double(stride) * rows), is_combed(model) ? kCombed : 1};
}

}  // namespace rivulet::scene
