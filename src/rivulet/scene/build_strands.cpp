#include <rivulet/scene/build_strands.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/scene/start_clear.h>
#include <rivulet/scene/strand_sources.h>
#include <rivulet/strand/lead_around.h>
#include <rivulet/strand/make.h>

namespace rivulet::scene {
namespace {

using geometry::Pose;
using obstacle::ObstacleSet;

/// What roots or tips follow: `obstacle` -1 for none.
world::EndCarrier carrier_of(const std::string& key, const char* who, int obstacle, const StrandEnd& end,
                             const std::vector<obstacle::Motion>& motion,
                             const std::vector<TwistScript>& twist, const ObstacleSet& obstacles) {
    if (obstacle >= 0 && obstacles.deforms(static_cast<std::size_t>(obstacle)) && !motion.empty())
        throw InputError(Problem{
            {}, 0, 0, key, std::string(who) + " on a sequence of meshes move with it alone", "leave it out"});
    world::EndCarrier carrier;
    carrier.obstacle = obstacle;
    carrier.motion = obstacle::RigidMotion(motion, key);
    for (const TwistScript& script : twist)
        carrier.twist.emplace_back(script.angle.time, script.angle.value, script.angle.ease);
    carrier.release = end.release;
    return carrier;
}

world::EndCarrier root_carrier(const Strands& entity, const ObstacleSet& obstacles) {
    const int grown_on = entity.groom.type == GroomType::patch ? entity.groom.on : -1;
    const int obstacle = entity.root.to >= 0 ? entity.root.to : grown_on;
    return carrier_of("strands." + entity.name + ".motion", "roots", obstacle, entity.root, entity.motion,
                      entity.twist, obstacles);
}

world::EndCarrier tip_carrier(const Strands& entity, const ObstacleSet& obstacles) {
    return carrier_of("strands." + entity.name + ".tip_motion", "tips", entity.tip.to, entity.tip,
                      entity.tip_motion, entity.tip_twist, obstacles);
}

Pose authored_pose(const Strands& entity, const world::EndCarrier& carrier, const ObstacleSet& obstacles) {
    const int frame = entity.groom.type == GroomType::patch ? entity.groom.on : carrier.obstacle;
    const Pose of_obstacle = frame < 0 ? Pose{} : obstacles.pose_at(static_cast<std::size_t>(frame), 0);
    return geometry::compose(of_obstacle, carrier.motion.at(0));
}

void place(const Pose& pose, strand::Curves& curves) {
    for (Vec3d& p : curves.position) p = pose.apply(p);
    for (Vec3d& n : curves.root_normal) n = pose.apply_direction(n);
}

void bind(const strand::StrandState& state, const strand::EndRange& ends, const world::EndCarrier& carrier,
          const ObstacleSet& obstacles, strand::EndBindings& bindings) {
    strand::CarrierPlace start = carrier.at(0, obstacles);
    if (start.vertex.empty()) return strand::bind_ends(state, ends, start.pose, bindings);
    const auto surface = obstacles.surface(static_cast<std::size_t>(carrier.obstacle), 1);
    strand::bind_ends_to_surface(state, ends, {std::move(start.vertex), surface.triangles}, bindings);
}

/// Problems of single strands get the entity's name.
strand::StrandState make_named(const Strands& entity, const strand::Curves& curves,
                               const strand::MakeOptions& options) {
    try {
        return strand::make_strands(curves, options);
    } catch (const InputError& e) {
        std::vector<Problem> problems = e.problems();
        for (Problem& p : problems) p.key = "strands." + entity.name + ": " + p.key;
        throw InputError(std::move(problems));
    }
}

/// A root may be a segment deep in the obstacle it grows on or follows. In others it may not be if it is
/// held, deeper than its radius: contact could not push it out.
strand::RootClearanceAt root_clearance(const Scene& scene, const Strands& entity,
                                       const geometry::SolidField& solids) {
    const bool strict =
        entity.root.kind != strand::EndKind::free && scene.contact.law != world::ContactLaw::none;
    const double own_depth = entity.segment / scene.detail;
    const double depth = strict ? std::min(entity.radius_root, own_depth) : own_depth;
    const auto is_own = [&entity](int obstacle) {
        return obstacle == entity.root.to ||
               (entity.groom.type == GroomType::patch && obstacle == entity.groom.on);
    };
    return [&scene, &solids, own_depth, depth, is_own](const Vec3d& p) {
        strand::RootClearance worst{HUGE_VAL, {}, 0, {}};
        for (std::size_t i = 0; i < solids.size(); ++i) {
            const int obstacle = solids.solid(i).obstacle;
            const double distance = solids.distance_to(i, p, 0);
            const double allowed = is_own(obstacle) ? own_depth : depth;
            if (distance + allowed >= worst.distance + worst.allowed) continue;
            worst = {distance, solids.sample_of(i, p, 0).normal, allowed,
                     scene.obstacles[std::size_t(obstacle)].name};
        }
        return worst;
    };
}

/// No vertex can follow both ends.
void require_segments(const strand::StrandState& state, const StrandGroup& group, const Strands& entity) {
    const auto held = [](strand::EndKind kind) { return static_cast<std::size_t>(kind); };  // vertices
    for (std::size_t s = group.first; s < group.last; ++s) {
        const std::size_t vertices = state.end(s) - state.begin(s);
        if (held(entity.root.kind) + held(entity.tip.kind) > vertices)
            throw InputError(Problem{{},
                                     0,
                                     0,
                                     "strands." + entity.name + ".tip",
                                     fmt::format("strand {} has {} segments, too few to be held at both ends",
                                                 s - group.first, vertices - 1),
                                     "make segments shorter, or pin one of the ends"});
    }
}

void join(strand::MendReport& whole, const strand::MendReport& more) {
    for (std::size_t f = 0; f < strand::kFaultKinds; ++f) whole.faults[f] += more.faults[f];
    whole.dropped += more.dropped;
    whole.mended += more.mended;
    whole.kept = more.kept;
}

void warn_about(const StrandGroup& group, std::vector<std::string>& warnings) {
    if (const std::string text = group.mended.text(); !text.empty())
        warnings.push_back(fmt::format("strands.{}: {}", group.name, text));
    const strand::SagFreeReport& sag = group.sag_free;
    if (sag.not_found > 0)
        warnings.push_back(
            fmt::format("strands.{}: no sag-free rest shape for {} strands (roots not clamped, tips held, or "
                        "too heavy to hold); they rest as groomed",
                        group.name, sag.not_found));
    if (sag.unstable > 0)
        warnings.push_back(fmt::format(
            "strands.{}: {} of {} strands are too long and thin to stand as groomed; they may fall",
            group.name, sag.unstable, sag.balanced));
}

/// Strands reach as far from their root as they are long.
bool could_meet(const strand::StrandState& s) {
    const std::size_t n = s.strand_count();
    if (n > 1000) return true;
    std::vector<double> reach(n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t v = s.begin(k); v + 1 < s.end(k); ++v) reach[k] += s.rest_length[v];
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < k; ++j)
            if (length(s.position[s.begin(k)] - s.position[s.begin(j)]) < reach[k] + reach[j]) return true;
    return false;
}

void warn_about_contact(const Scene& scene, const strand::StrandState& s, const ObstacleSet& obstacles,
                        std::vector<std::string>& warnings) {
    if (s.strand_count() == 0) return;
    if (scene.contact.law != world::ContactLaw::none) {
        for (const Strands& entity : scene.strands)
            if (entity.aspect != 1)
                warnings.push_back(fmt::format(
                    "strands.{}: contact takes elliptic strands as round, of sqrt(aspect) = {:.4g} times "
                    "their radius",
                    entity.name, std::sqrt(entity.aspect)));
        return;
    }
    if (!obstacles.empty())
        warnings.push_back("contact.law is \"none\": strands pass through each other and through obstacles");
    else if (could_meet(s))
        warnings.push_back("contact.law is \"none\": strands pass through each other");
}

}  // namespace

StrandSetup build_strands(const Scene& scene, const ObstacleSet& obstacles) {
    StrandSetup setup;
    setup.model.materials = scene.strand_materials;
    if (setup.model.materials.size() > 255)
        throw InputError(Problem{{}, 0, 0, "material", "more than 255 strand materials", {}});
    const Air& air = scene.world.air;
    setup.model.has_air = air.density > 0;
    if (setup.model.has_air) {
        setup.model.air.density = air.density;
        setup.model.air.viscosity = air.viscosity;
    }
    setup.model.wind = {air.wind, air.gust, air.gust_period};
    const geometry::SolidField solids = obstacles.field_over(0, 1);
    for (std::size_t e = 0; e < scene.strands.size(); ++e) {
        const Strands& entity = scene.strands[e];
        StrandGroup group{entity.name, setup.state.strand_count(), 0, {}, {}};
        world::EndCarrier carrier = root_carrier(entity, obstacles), of_tips = tip_carrier(entity, obstacles);
        const Pose pose = authored_pose(entity, carrier, obstacles);
        strand::Curves curves = curves_of(entity, scene, obstacles, group.mended);
        place(pose, curves);
        strand::MendOptions mend{.repair = entity.faults, .key = "strands." + entity.name};
        if (!solids.empty()) mend.obstacles = root_clearance(scene, entity, solids);
        join(group.mended, strand::mend(curves, mend));
        if (!solids.empty() && scene.contact.law != world::ContactLaw::none &&
            entity.tip.kind == strand::EndKind::free)
            strand::lead_around(curves, entity.root.kind != strand::EndKind::free, [&](const Vec3d& p) {
                const geometry::SolidSample at = solids.sample(p, 0);
                return strand::Clearance{at.distance, at.normal};
            });
        strand::MakeOptions make;
        make.rest =
            entity.rest == RestShape::straight ? strand::RestShape::straight : strand::RestShape::as_groomed;
        make.root = entity.root.kind;
        make.tip = entity.tip.kind;
        make.material = static_cast<std::uint8_t>(entity.material);
        make.aspect = entity.aspect;
        make.first_id = group.first;
        strand::append(setup.state, make_named(entity, curves, make));
        group.last = setup.state.strand_count();
        require_segments(setup.state, group, entity);
        if (entity.rest == RestShape::sag_free)
            group.sag_free =
                strand::make_sag_free(setup.state, group.first, group.last, setup.model.materials,
                                      pose.apply_direction(scene.world.gravity));
        const auto number = static_cast<std::int32_t>(e);
        bind(setup.state, {strand::End::root, group.first, group.last, entity.root.kind, number}, carrier,
             obstacles, setup.model.roots);
        bind(setup.state, {strand::End::tip, group.first, group.last, entity.tip.kind, number}, of_tips,
             obstacles, setup.model.tips);
        warn_about(group, setup.warnings);
        setup.model.carriers.push_back(std::move(carrier));
        setup.model.tip_carriers.push_back(std::move(of_tips));
        setup.groups.push_back(std::move(group));
    }
    warn_about_contact(scene, setup.state, obstacles, setup.warnings);
    clear_start(scene, obstacles, setup);
    return setup;
}

}  // namespace rivulet::scene
