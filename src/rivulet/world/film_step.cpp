#include <rivulet/world/film_step.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rivulet/base/parallel.h>
#include <rivulet/film/face_area.h>
#include <rivulet/film/strain.h>
#include <rivulet/strand/mass.h>
#include <rivulet/world/film_speed.h>

namespace rivulet::world {
namespace {

constexpr std::size_t kGrain = 16;  // strands of a chunk, at least
/// NOTE: each chunk has scratch of its own, 400 B per vertex of one strand: few chunks, so that it stays
/// small beside what all vertices have.
constexpr std::size_t kMostChunks = 64;
constexpr double kMostSubSteps = 500;  // of a film in a step

std::size_t held_vertices(std::uint8_t kind) {
    return kind;  // EndKind: free 0, pin 1, clamp 2
}

template <class T>
std::span<T> part(std::vector<T>& all, std::size_t begin, std::size_t count) {
    return std::span(all).subspan(begin, count);
}
template <class T>
std::span<const T> part(const std::vector<T>& all, std::size_t begin, std::size_t count) {
    return std::span(all).subspan(begin, count);
}

/// The speed of an edge, or where it would go from rest.
double direction(const film::FilmState& film, std::size_t edge) {
    return film.speed[edge] != 0 ? film.speed[edge] : film.drive[edge];
}

/// Part of a film's speed along an edge that friction takes in a step: hc/(m + hc).
double held_part(double mass, double rubbed) {
    return std::isinf(rubbed) ? 1.0 : rubbed / (mass + rubbed);
}

}  // namespace

FilmStep::FilmStep(const Model& model) : model_(model) {
    for (const film::FilmLiquid& l : model_.film.liquids) {
        density_.push_back(l.density);
        remembers_ = remembers_ || l.remembers();
    }
}

std::size_t FilmStep::memory() const {
    std::size_t doubles = 0;
    for (const auto* v : {&mass_, &friction_, &stuck_, &inertia_, &force_, &tension_})
        doubles += v->capacity();
    return doubles * sizeof(double) + dammed_.capacity();
}

double FilmStep::Sliding::at(std::size_t vertex) const {
    const bool stops =
        (vertex == root && (dammed & strand::kRootDams)) || (vertex == tip && (dammed & strand::kTipDams));
    return stops ? 0.0 : mass[vertex];
}

FilmStep::Sliding FilmStep::sliding(const strand::StrandState& strands, std::size_t strand) const {
    return {mass_, strands.begin(strand), strands.end(strand) - 1, dammed_[strand]};
}

double FilmStep::longest_step(const film::FilmState& film, const strand::StrandState& strands,
                              double longest) const {
    if (!active(film) || !model_.film.flows) return longest;
    const double rate = parallel_max(strands.strand_count(), 0.0, [&](std::size_t k) {
        double most = 0;
        for (std::size_t v = strands.begin(k); v + 1 < strands.end(k); ++v)
            most = std::max(most, std::abs(film.speed[v]) / std::min(film.length[v], film.length[v + 1]));
        return most;
    });
    return rate > 0 ? std::min(longest, kMostSubSteps / (2 * rate)) : longest;
}

template <class Body>
void FilmStep::for_strands(const strand::StrandState& strands, Body&& body) {
    const std::size_t grain = std::max(kGrain, (strands.strand_count() + kMostChunks - 1) / kMostChunks);
    const std::size_t chunks = Chunks(strands.strand_count(), grain).count;
    if (scratch_.size() < chunks) scratch_.resize(chunks);
    parallel_chunks(strands.strand_count(), grain, [&](std::size_t begin, std::size_t end, std::size_t c) {
        for (std::size_t k = begin; k < end; ++k) body(k, scratch_[c]);
    });
}

bool FilmStep::is_dry(const film::FilmState& film, std::size_t begin, std::size_t end) const {
    return std::all_of(film.area.begin() + std::ptrdiff_t(begin), film.area.begin() + std::ptrdiff_t(end),
                       [](double a) { return a == 0; });
}

/// What the film needs to know of its strand. An elliptic one counts as the round one of the same section.
void FilmStep::measure(const strand::StrandState& strands, std::size_t strand, Scratch& s) {
    const std::size_t begin = strands.begin(strand), n = strands.end(strand) - begin;
    const double round = std::sqrt(strands.aspect[strand]);
    const double density = model_.strands.materials[strands.material[strand]].density;
    s.radius.resize(n), s.solid_mass.resize(n), s.solid_spin.resize(n), s.tangent.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t v = begin + i;
        s.radius[i] = round * strands.radius[v];
        s.solid_mass[i] = strand::vertex_mass(strands, model_.strands.materials, strand, v);
        s.solid_spin[i] = i + 1 < n ? strand::edge_inertia(density, strand::edge_section(strands, strand, v),
                                                           strands.rest_length[v])
                                    : 0.0;
        s.tangent[i] = i + 1 < n ? edge_tangent(strands, v) : Vec3d{};
    }
}

void FilmStep::move_along(film::FilmState& film, strand::StrandState& strands, std::size_t strand, double dt,
                          Scratch& s) {
    const std::size_t begin = strands.begin(strand), n = strands.end(strand) - begin;
    const std::size_t liquids = density_.size();
    const film::CarriedLine line{part(film.area, begin, n),
                                 remembers_ ? part(film.strain, begin, n) : std::span<double>{},
                                 part(film.share, begin * liquids, n * liquids),
                                 part(film.speed, begin, n),
                                 part(strands.velocity, begin, n),
                                 part(strands.twist_velocity, begin, n),
                                 part(std::as_const(film.length), begin, n),
                                 s.radius,
                                 s.solid_mass,
                                 s.solid_spin,
                                 s.tangent,
                                 held_vertices(strands.root_target.kind[strand]),
                                 held_vertices(strands.tip_target.kind[strand])};
    s.transport.move(line, density_, dt, model_.film.carry);
}

/// Mass and rotary inertia of a strand's film.
void FilmStep::weigh(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                     Scratch& s) {
    const std::size_t begin = strands.begin(strand), n = strands.end(strand) - begin;
    for (std::size_t i = 0; i < n; ++i) {
        double density = 0;
        for (std::size_t l = 0; l < density_.size(); ++l)
            density += film.share[(begin + i) * density_.size() + l] * density_[l];
        mass_[begin + i] = film.area[begin + i] * film.length[begin + i] * density;
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double area = 0.5 * (film.area[begin + i] + film.area[begin + i + 1]);
        const double radius = 0.5 * (s.radius[i] + s.radius[i + 1]);
        inertia_[begin + i] =
            0.5 * (mass_[begin + i] + mass_[begin + i + 1]) * film::film_gyration(area, radius);
    }
}

void FilmStep::find_dammed(const film::FilmState& film, const strand::StrandState& strands,
                           std::size_t strand) {
    const std::size_t begin = strands.begin(strand), end = strands.end(strand);
    dammed_[strand] = 0;
    if (!film::slides_from_end(direction(film, begin))) dammed_[strand] |= strand::kRootDams;
    if (!film::slides_from_end(-direction(film, end - 2))) dammed_[strand] |= strand::kTipDams;
}

/// Friction and forces along a strand's film.
void FilmStep::push(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                    const StepView& view, Scratch& s) {
    const std::size_t begin = strands.begin(strand), n = strands.end(strand) - begin;
    const std::size_t liquids = density_.size();
    s.face_area.resize(n), s.speed.resize(n), s.force.resize(n), s.tension.resize(n);
    const auto force = force_.empty() ? std::span(s.force) : part(force_, begin, n);
    const auto tension = tension_.empty() ? std::span(s.tension) : part(tension_, begin, n);
    const auto area = part(film.area, begin, n);
    for (std::size_t e = 0; e + 1 < n; ++e)
        s.face_area[e] =
            film::face_area(area, e, film.speed[begin + e] + view.dt * film.drive[begin + e] > 0);
    const film::FilmLine line{area,
                              part(film.length, begin, n),
                              s.radius,
                              remembers_ ? part(film.strain, begin, n) : std::span<const double>{},
                              part(strands.rest_length, begin, n - 1),
                              part(film.speed, begin, n - 1),
                              std::span<const double>(s.face_area).first(n - 1),
                              part(film.drive, begin, n - 1),
                              model_.film.liquids,
                              part(film.share, begin * liquids, n * liquids)};
    film::line_forces(
        line, model_.film.flow, view.dt, s.forces,
        {part(friction_, begin, n - 1), force.first(n - 1), tension, std::span(s.speed).first(n - 1)});
    const Sliding slides = sliding(strands, strand);
    // The rate of friction counts, for what slides.
    for (const std::size_t v : {begin, begin + n - 2})
        if (const double whole = 0.5 * (mass_[v] + mass_[v + 1]); whole > 0)
            friction_[v] *= std::isinf(friction_[v]) ? 1.0 : slides.on_edge(v) / whole;
    for (std::size_t e = 0; e + 1 < n; ++e)
        if (!(slides.on_edge(begin + e) > 0)) force[e] = 0;
}

void FilmStep::advect(film::FilmState& film, strand::StrandState& strands, const StepView& view) {
    mass_.clear();
    if (!active(film)) return;
    const std::size_t n = strands.vertex_count();
    const bool flows = model_.film.flows;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    mass_.assign(n, 0.0), inertia_.assign(n, 0.0), dammed_.assign(strands.strand_count(), 0);
    force_.assign(remembers_ || model_.film.flow.surface_tension ? n : 0, 0.0);
    tension_.assign(remembers_ ? n : 0, 0.0);
    friction_.assign(n, flows ? 0.0 : infinite);
    stuck_.assign(model_.film.inertia ? 0 : n, infinite);
    for_strands(strands, [&](std::size_t k, Scratch& s) {
        if (is_dry(film, strands.begin(k), strands.end(k))) return;
        measure(strands, k, s);
        if (flows) move_along(film, strands, k, view.dt, s);
        weigh(film, strands, k, s);
        find_dammed(film, strands, k);
        if (flows) push(film, strands, k, view, s);
    });
}

strand::FilmLoads FilmStep::loads(const film::FilmState& film) const {
    if (mass_.empty()) return {};
    strand::FilmLoads loads{mass_, stuck_.empty() ? friction_ : stuck_, inertia_, dammed_};
    if (model_.film.flows && model_.film.inertia)
        loads.speed = film.speed, loads.force = force_, loads.tension = tension_;
    return loads;
}

void FilmStep::flow(film::FilmState& film, const strand::StrandState& strands, const strand::Motion& motion,
                    const StepView& view) {
    if (mass_.empty() || !model_.film.flows) return;
    for_strands(strands, [&](std::size_t k, Scratch&) {
        if (is_dry(film, strands.begin(k), strands.end(k))) return;
        flow_strand(film, strands, motion, k, view);
    });
}

void FilmStep::flow_strand(film::FilmState& film, const strand::StrandState& strands,
                           const strand::Motion& motion, std::size_t strand, const StepView& view) {
    const std::size_t begin = strands.begin(strand), end = strands.end(strand), liquids = density_.size();
    const Sliding slides = sliding(strands, strand);
    for (std::size_t v = begin; v + 1 < end; ++v) {
        const double mass = slides.on_edge(v);
        const Vec3d tangent = edge_tangent(strands, v);
        film.drive[v] = dot(view.gravity, tangent);
        if (!(mass > 0)) {
            film.speed[v] = 0;
            continue;
        }
        if (model_.film.inertia) {
            double dragged = 0;  // by the strand's change of speed, N*s
            for (const std::size_t i : {v, v + 1})
                dragged += 0.5 * slides.at(i) * dot(motion.velocity[i] - strands.velocity[i], tangent);
            film.drive[v] -= dragged / (mass * view.dt);
        }
        const double gained =
            film.speed[v] + view.dt * (film.drive[v] + (force_.empty() ? 0.0 : force_[v] / mass));
        film.speed[v] = gained * (1 - held_part(mass, view.dt * friction_[v]));
    }
    for (std::size_t v = begin; remembers_ && v + 1 < end; ++v) {
        const film::FilmLiquid liquid =
            film::mixture(model_.film.liquids, part(std::as_const(film.share), v * liquids, liquids));
        // At the root the film is held by the wall; at the tip nothing pulls it.
        const double behind = v > begin ? film.speed[v - 1] : 0.0;
        film.strain[v] =
            film::advance_strain(liquid, film.strain[v], (film.speed[v] - behind) / film.length[v], view.dt)
                .strain;
    }
}

void FilmStep::feed(film::FilmState& film, const strand::StrandState& strands, const StepView& view,
                    LedgerState& ledger) const {
    const std::size_t liquids = film.liquids();
    for (const FilmFeed& f : model_.film.feeds) {
        const double time = std::min(view.time + view.dt, f.stop) - std::max(view.time, f.start);
        if (!active(film) || !(time > 0)) continue;
        const double volume = f.rate * time;
        for (std::size_t k = f.first; k < f.last; ++k) {
            const std::size_t v = strands.begin(k);
            const double before = film.area[v] * film.length[v], all = before + volume;
            for (std::size_t l = 0; l < liquids; ++l)
                film.share[v * liquids + l] =
                    liquids == 1
                        ? 1.0
                        : (before * film.share[v * liquids + l] + (l == f.liquid ? volume : 0)) / all;
            if (!film.strain.empty()) film.strain[v] *= before / all;
            film.area[v] = all / film.length[v];
            ledger.post_in(f.liquid, volume);
        }
    }
}

void FilmStep::turn_strand(const film::FilmState& film, const strand::StrandState& before,
                           strand::StrandState& strands, std::size_t strand) {
    const std::size_t begin = strands.begin(strand), end = strands.end(strand);
    const std::size_t first = begin + held_vertices(strands.root_target.kind[strand]);
    const std::size_t last = end - held_vertices(strands.tip_target.kind[strand]);
    const auto take = [&](std::size_t v, const Vec3d& momentum) {
        if (v < first || v >= last || !(mass_[v] > 0)) return;
        const double solid = strand::vertex_mass(strands, model_.strands.materials, strand, v);
        strands.velocity[v] -= momentum / (solid + mass_[v]);
    };
    const Sliding slid = sliding(strands, strand);
    find_dammed(film, strands, strand);
    const Sliding slides = sliding(strands, strand);
    const auto loosen = [&](std::size_t v, std::size_t edge) {
        take(v, (0.5 * (slides.at(v) - slid.at(v)) * film.speed[edge]) * edge_tangent(before, edge));
    };
    loosen(begin, begin), loosen(end - 1, end - 2);
    for (std::size_t v = begin; v + 1 < end; ++v) {
        const Vec3d turned = (0.5 * film.speed[v]) * (edge_tangent(strands, v) - edge_tangent(before, v));
        for (const std::size_t i : {v, v + 1}) take(i, slides.at(i) * turned);
    }
}

void FilmStep::turn(const film::FilmState& film, const strand::StrandState& before,
                    strand::StrandState& strands) {
    if (mass_.empty() || !model_.film.flows || !model_.film.inertia) return;
    for_strands(strands, [&](std::size_t k, Scratch&) {
        if (!is_dry(film, strands.begin(k), strands.end(k))) turn_strand(film, before, strands, k);
    });
}

}  // namespace rivulet::world
