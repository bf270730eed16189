#include <rivulet/scene/build_strands.h>

#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/scene/strand_sources.h>
#include <rivulet/strand/make.h>

namespace rivulet::scene {
namespace {

using geometry::Pose;
using obstacle::ObstacleSet;

world::RootCarrier carrier_of(const Strands& entity, const ObstacleSet& obstacles) {
    const std::string key = "strands." + entity.name;
    world::RootCarrier carrier;
    carrier.obstacle = entity.root.to;
    if (carrier.obstacle < 0 && entity.groom.type == GroomType::patch) carrier.obstacle = entity.groom.on;
    if (carrier.obstacle >= 0 && obstacles.deforms(static_cast<std::size_t>(carrier.obstacle)) &&
        !entity.motion.empty())
        throw InputError(Problem{{},
                                 0,
                                 0,
                                 key + ".motion",
                                 "roots on a sequence of meshes move with it alone",
                                 "leave out motion"});
    carrier.motion = obstacle::RigidMotion(entity.motion, key + ".motion");
    for (const TwistScript& script : entity.twist)
        carrier.twist.emplace_back(script.angle.time, script.angle.value, script.angle.ease);
    carrier.release = entity.root.release;
    return carrier;
}

Pose authored_pose(const Strands& entity, const world::RootCarrier& carrier, const ObstacleSet& obstacles) {
    const int frame = entity.groom.type == GroomType::patch ? entity.groom.on : carrier.obstacle;
    const Pose of_obstacle = frame < 0 ? Pose{} : obstacles.pose_at(static_cast<std::size_t>(frame), 0);
    return geometry::compose(of_obstacle, carrier.motion.at(0));
}

void place(const Pose& pose, strand::Curves& curves) {
    for (Vec3d& p : curves.position) p = pose.apply(p);
    for (Vec3d& n : curves.root_normal) n = pose.apply_direction(n);
}

void bind(const strand::StrandState& state, const StrandGroup& group, strand::EndKind kind,
          std::size_t number, const world::RootCarrier& carrier, const ObstacleSet& obstacles,
          strand::RootBindings& roots) {
    strand::CarrierPlace start = carrier.at(0, obstacles);
    const auto index = static_cast<std::int32_t>(number);
    if (start.vertex.empty())
        return strand::bind_roots(state, group.first, group.last, kind, index, start.pose, roots);
    const auto surface = obstacles.surface(static_cast<std::size_t>(carrier.obstacle), 1);
    strand::bind_roots_to_surface(state, group.first, group.last, kind, index,
                                  {std::move(start.vertex), surface.triangles}, roots);
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
            fmt::format("strands.{}: no sag-free rest shape for {} strands (roots not clamped, or too heavy "
                        "to hold); they "
                        "rest as groomed",
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

void warn_about_contact(const strand::StrandState& s, const ObstacleSet& obstacles,
                        std::vector<std::string>& warnings) {
    if (s.strand_count() == 0) return;
    if (!obstacles.empty())
        warnings.push_back("strands do not collide yet: they pass through each other and through obstacles");
    else if (could_meet(s))
        warnings.push_back("strands do not collide yet: they pass through each other");
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
        world::RootCarrier carrier = carrier_of(entity, obstacles);
        const Pose pose = authored_pose(entity, carrier, obstacles);
        strand::Curves curves = curves_of(entity, scene, obstacles, group.mended);
        place(pose, curves);
        strand::MendOptions mend{.repair = entity.faults, .key = "strands." + entity.name};
        mend.root_depth = entity.segment / scene.detail;
        if (!solids.empty())
            mend.obstacles = [&](const Vec3d& p) {
                const geometry::SolidSample s = solids.sample(p, 0);
                return strand::Clearance{s.distance, s.normal};
            };
        join(group.mended, strand::mend(curves, mend));
        strand::MakeOptions make;
        make.rest =
            entity.rest == RestShape::straight ? strand::RestShape::straight : strand::RestShape::as_groomed;
        make.root = entity.root.kind;
        make.material = static_cast<std::uint8_t>(entity.material);
        make.aspect = entity.aspect;
        make.first_id = group.first;
        strand::append(setup.state, make_named(entity, curves, make));
        group.last = setup.state.strand_count();
        if (entity.rest == RestShape::sag_free)
            group.sag_free =
                strand::make_sag_free(setup.state, group.first, group.last, setup.model.materials,
                                      pose.apply_direction(scene.world.gravity));
        bind(setup.state, group, entity.root.kind, e, carrier, obstacles, setup.model.roots);
        warn_about(group, setup.warnings);
        setup.model.carriers.push_back(std::move(carrier));
        setup.groups.push_back(std::move(group));
    }
    warn_about_contact(setup.state, obstacles, setup.warnings);
    return setup;
}

}  // namespace rivulet::scene
