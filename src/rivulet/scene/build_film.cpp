#include <rivulet/scene/build_film.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/friction.h>
#include <rivulet/film/hold.h>
#include <rivulet/geometry/bounds.h>
#include <rivulet/liquid/rheology.h>
#include <rivulet/strand/mass.h>

namespace rivulet::scene {
namespace {

constexpr std::size_t kMostSampled = 1000;  // roots whose neighbours are looked for

film::FilmLiquid film_liquid(const liquid::LiquidMaterial& m) {
    const liquid::FlowCurve curve = liquid::flow_curve(m);
    return {m.density,         m.surface_tension, curve.yield_stress,
            curve.consistency, curve.flow_index,  m.shear_modulus};
}

double area_at(const StartFilm& given, double radius, double aspect) {
    return given.area > 0 ? given.area : film::coat_area(radius, aspect * radius, given.thickness);
}

/// Where a film begins or ends between two vertices, the one that stands for the place takes its part: the
/// volume is that of the stretch.
void coat_strand(const StartFilm& given, const strand::StrandState& s, std::size_t strand,
                 film::FilmState& film) {
    const std::size_t liquids = film.share.size() / film.area.size();
    double whole = 0, begin = 0;
    for (std::size_t v = s.begin(strand); v < s.end(strand); ++v) whole += film.length[v];
    for (std::size_t v = s.begin(strand); v < s.end(strand); ++v) {
        const double end = begin + film.length[v];
        const double covered = std::min(end, given.to * whole) - std::max(begin, given.from * whole);
        if (covered > 0) {
            film.area[v] = area_at(given, s.radius[v], s.aspect[strand]) * (covered / film.length[v]);
            film.share[v * liquids + std::size_t(given.liquid)] = 1;
        }
        begin = end;
    }
}

/// Strands closer than their films are thick would share their liquid.
void require_thin(const Strands& entity, const strand::StrandState& s, const StrandGroup& group) {
    double thickest = 0;
    for (std::size_t k = group.first; k < group.last; ++k)
        for (std::size_t v = s.begin(k); v < s.end(k); ++v)
            thickest =
                std::max(thickest, film::coat_thickness(s.radius[v], s.aspect[k] * s.radius[v],
                                                        area_at(entity.film, s.radius[v], s.aspect[k])));
    const double spacing = root_spacing(s, group.first, group.last);
    if (thickest <= spacing) return;
    throw InputError(
        Problem{"", 0, 0, "strands." + entity.name + ".film." + (entity.film.area > 0 ? "area" : "thickness"),
                fmt::format("the film is {:.4g} m thick, but neighbouring roots are only about "
                            "{:.4g} m apart",
                            thickest, spacing),
                "make it thinner, or use fewer strands"});
}

[[noreturn]] void refuse(const std::string& key, std::string message, std::string hint) {
    throw InputError(Problem{"", 0, 0, key, std::move(message), std::move(hint)});
}

/// What runs off strands hangs by surface tension.
void require_surface_tension(const Scene& scene, const film::FilmLiquid& liquid, const Strands& entity) {
    if (!scene.film.dripping || liquid.surface_tension > 0) return;
    const std::string& name = scene.materials[std::size_t(entity.film.liquid)].name;
    refuse(
        "strands." + entity.name + ".film.liquid",
        "'" + name + "' has no surface tension, so that strands hold nothing of it",
        "give material." + name + ".surface_tension, for example \"72 mN/m\", or set film.dripping = false");
}

/// Beads are 2√2πR apart on a coated strand of radius R.
void require_fine_segments(const Scene& scene, const strand::StrandState& s, const StrandGroup& group,
                           const Strands& entity) {
    if (!scene.film.surface_tension || group.first == group.last) return;
    double longest = 0, radius = 1e30;
    for (std::size_t k = group.first; k < group.last; ++k)
        for (std::size_t v = s.begin(k); v + 1 < s.end(k); ++v) {
            const double a = s.radius[v], b = s.aspect[k] * a;
            longest = std::max(longest, s.rest_length[v]);
            radius = std::min(radius, a + film::coat_thickness(a, b, area_at(entity.film, a, s.aspect[k])));
        }
    if (longest <= 1.01 * radius) return;
    refuse(
        "strands." + entity.name + ".segment",
        fmt::format("segments of {:.3g} m cannot carry the beads that film.surface_tension draws films into, "
                    "{:.2g} m apart",
                    longest, 2 * std::numbers::sqrt2 * std::numbers::pi * radius),
        fmt::format("use segments of at most {:.2g} m, the radius of the coated strand, or set "
                    "film.surface_tension = false",
                    radius));
}

/// A fed film grows until it carries as much as comes; it cannot be thicker than the largest drop that hangs
/// on the strand.
void require_bearable_feed(const Scene& scene, const film::FilmLiquid& liquid, const Strands& entity) {
    const double feed = entity.film.feed;
    if (!(feed > 0)) return;
    const std::string key = "strands." + entity.name + ".film.feed";
    if (!scene.film.dripping || !scene.film.flow)
        refuse(key, "liquid runs on and never leaves", "set film.flow and film.dripping to true");
    const double gravity = length(scene.world.gravity), a = entity.radius_root;
    if (!(gravity > 0) || !(liquid.consistency > 0)) return;
    const double most = film::hold_limit(liquid, a, 1, gravity, gravity).radius;
    const double area = film::coat_area(a, a, std::max(most - a, 0.0));
    const double stress = liquid.density * gravity * area / (2 * std::numbers::pi * a);
    const double carried = area * film::mean_speed(scene.film.friction, liquid, a, area, stress);
    if (feed <= carried) return;
    refuse(key,
           fmt::format("{:.3g} m^3/s is more than a film on a strand of {:.3g} m can carry down", feed, a),
           fmt::format("at most about {:.2g} m^3/s", carried));
}

}  // namespace

double root_spacing(const strand::StrandState& s, std::size_t first, std::size_t last) {
    if (last - first < 2) return std::numeric_limits<double>::infinity();
    geometry::Bounds box;
    for (std::size_t k = first; k < last; ++k) box.include(s.position[s.begin(k)]);
    const Vec3d size = box.max - box.min;
    const int axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
    std::vector<Vec3d> root;
    for (std::size_t k = first; k < last; ++k) root.push_back(s.position[s.begin(k)]);
    std::sort(root.begin(), root.end(), [&](const Vec3d& a, const Vec3d& b) { return a[axis] < b[axis]; });
    std::vector<double> nearest;
    const std::size_t step = (root.size() + kMostSampled - 1) / kMostSampled;
    for (std::size_t i = 0; i < root.size(); i += step) {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t j = i; j-- > 0 && root[i][axis] - root[j][axis] < best;)
            best = std::min(best, length(root[i] - root[j]));
        for (std::size_t j = i + 1; j < root.size() && root[j][axis] - root[i][axis] < best; ++j)
            best = std::min(best, length(root[i] - root[j]));
        nearest.push_back(best);
    }
    const auto middle = nearest.begin() + std::ptrdiff_t(nearest.size() / 2);
    std::nth_element(nearest.begin(), middle, nearest.end());
    return *middle;
}

film::FilmState build_film(const Scene& scene, const StrandSetup& strands) {
    film::FilmState film;
    const auto has_film = [](const Strands& entity) { return entity.film.liquid >= 0; };
    const bool captures = scene.wetting.capture != world::CaptureLimit::none && !scene.strands.empty() &&
                          !(scene.liquids.empty() && scene.inflows.empty());
    if (!captures && std::none_of(scene.strands.begin(), scene.strands.end(), has_film)) return film;
    const strand::StrandState& s = strands.state;
    film = film::dry_film(strand::vertex_lengths(s), scene.materials.size());
    for (std::size_t e = 0; e < scene.strands.size(); ++e) {
        const StrandGroup& group = strands.groups[e];
        if (!has_film(scene.strands[e]) || group.first == group.last) continue;
        const Strands& entity = scene.strands[e];
        const film::FilmLiquid liquid = film_liquid(scene.materials[std::size_t(entity.film.liquid)]);
        require_surface_tension(scene, liquid, entity);
        require_fine_segments(scene, s, group, entity);
        require_bearable_feed(scene, liquid, entity);
        require_thin(scene.strands[e], s, group);
        for (std::size_t k = group.first; k < group.last; ++k) coat_strand(scene.strands[e].film, s, k, film);
    }
    if (std::any_of(scene.materials.begin(), scene.materials.end(),
                    [](const liquid::LiquidMaterial& m) { return film_liquid(m).remembers(); }))
        film.strain.assign(film.size(), 0.0);
    return film;
}

world::FilmModel build_film_model(const Scene& scene, const StrandSetup& strands) {
    world::FilmModel model;
    model.weighs = true;
    model.flows = scene.film.flow;
    model.inertia = scene.film.inertia;
    model.drips = scene.film.dripping;
    model.across = scene.film.across;
    model.carry = scene.film.momentum;
    model.flow.surface_tension = scene.film.surface_tension;
    model.flow.friction = scene.film.friction;
    for (const liquid::LiquidMaterial& m : scene.materials) model.liquids.push_back(film_liquid(m));
    for (std::size_t e = 0; e < scene.strands.size(); ++e) {
        const StartFilm& film = scene.strands[e].film;
        const StrandGroup& group = strands.groups[e];
        if (film.liquid >= 0 && film.feed > 0)
            model.feeds.push_back({group.first, group.last, std::size_t(film.liquid), film.feed});
    }
    return model;
}

}  // namespace rivulet::scene
