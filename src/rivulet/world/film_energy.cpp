#include <rivulet/world/film_energy.h>

#include <rivulet/base/parallel.h>
#include <rivulet/film/curvature.h>
#include <rivulet/film/strain.h>

namespace rivulet::world {
namespace {

struct Sums {
    CompensatedSum memory, surface, spin;
    friend Sums operator+(const Sums& a, const Sums& b) {
        return {a.memory + b.memory, a.surface + b.surface, a.spin + b.spin};
    }
};

/// A strand's film.
class Counter {
 public:
    Counter(const Model& model, const World& world, std::size_t strand)
        : model_(model),
          film_(world.film),
          strands_(world.strands),
          round_(std::sqrt(strands_.aspect[strand])) {}

    void add_vertex(std::size_t v, Sums& sums) const {
        if (film_.area[v] == 0) return;
        const double density = film::strain_energy(liquid(v).shear_modulus, film_.strain_at(v));
        sums.memory.add(density * film_.area[v] * film_.length[v]);
    }
    /// Between vertices v and v + 1.
    void add_edge(std::size_t v, Sums& sums) const {
        const double area = film_.area[v] + film_.area[v + 1];
        if (area == 0) return;
        const double mass = 0.5 * (mass_of(v) + mass_of(v + 1)), rate = strands_.twist_velocity[v];
        const double gyration = film::film_gyration(0.5 * area, 0.5 * (radius(v) + radius(v + 1)));
        sums.spin.add(0.5 * mass * gyration * rate * rate);
        if (!model_.film.flow.surface_tension) return;
        const double tension =
            (film_.area[v] * liquid(v).surface_tension + film_.area[v + 1] * liquid(v + 1).surface_tension) /
            area;
        const double edge = strands_.rest_length[v];
        sums.surface.add(tension * (film::cone(outer(v), outer(v + 1), edge).area -
                                    film::cone(radius(v), radius(v + 1), edge).area));
    }

 private:
    film::FilmLiquid liquid(std::size_t v) const {
        const std::size_t n = film_.liquids();
        return film::mixture(model_.film.liquids, std::span(film_.share).subspan(v * n, n));
    }
    double mass_of(std::size_t v) const {
        return film_.area[v] > 0 ? film_.area[v] * film_.length[v] * liquid(v).density : 0.0;
    }
    double radius(std::size_t v) const { return round_ * strands_.radius[v]; }
    double outer(std::size_t v) const {
        return std::sqrt(radius(v) * radius(v) + film_.area[v] / std::numbers::pi);
    }

    const Model& model_;
    const film::FilmState& film_;
    const strand::StrandState& strands_;
    double round_;  // an elliptic strand counts as the round one of the same section
};

}  // namespace

FilmEnergy film_energy(const Model& model, const World& world) {
    if (!model.film.weighs || world.film.size() == 0) return {};
    const strand::StrandState& s = world.strands;
    const Sums all = ordered_reduce(
        s.strand_count(), 64, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums some;
            for (std::size_t k = begin; k < end; ++k) {
                const Counter counter(model, world, k);
                for (std::size_t v = s.begin(k); v < s.end(k); ++v) {
                    counter.add_vertex(v, some);
                    if (v + 1 < s.end(k)) counter.add_edge(v, some);
                }
            }
            return some;
        },
        [](const Sums& a, const Sums& b) { return a + b; });
    return {all.memory.value(), all.surface.value(), all.spin.value()};
}

}  // namespace rivulet::world
