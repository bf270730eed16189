#include <rivulet/world/film_drip.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/film/coat.h>
#include <rivulet/film/liquid.h>
#include <rivulet/film/strain.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/world/film_speed.h>

namespace rivulet::world {
namespace {

constexpr double kLeastDrop = 0.375;  // of a full cell's particle: the smallest that resampling keeps
constexpr std::size_t kGrain = 16;    // strands of a chunk
constexpr int kMostDrops = 64;        // of one vertex, liquid and step

/// Liquid on the strand within so far of a vertex along it [m^3].
double volume_within(const film::FilmState& film, const strand::StrandState& s, std::size_t strand,
                     std::size_t vertex, double reach) {
    double volume = 0;
    // Each side by itself: half an edge belongs to this vertex, the rest to the next ones.
    double left = reach;
    for (std::size_t v = vertex; v + 1 < s.end(strand) && left > 0; ++v)
        for (const std::size_t owner : {v, v + 1}) {
            const double piece = std::min(left, 0.5 * s.rest_length[v]);
            volume += piece * film.area[owner], left -= piece;
        }
    left = reach;
    for (std::size_t v = vertex; v > s.begin(strand) && left > 0; --v)
        for (const std::size_t owner : {v, v - 1}) {
            const double piece = std::min(left, 0.5 * s.rest_length[v - 1]);
            volume += piece * film.area[owner], left -= piece;
        }
    return volume;
}

bool free_end(const strand::StrandState& s, std::size_t strand, std::size_t vertex,
              const film::FilmState& f) {
    const auto is_free = [](std::uint8_t kind) { return kind == std::uint8_t(strand::EndKind::free); };
    if (vertex + 1 == s.end(strand)) return is_free(s.tip_target.kind[strand]) && f.speed[vertex - 1] > 0;
    return vertex == s.begin(strand) && is_free(s.root_target.kind[strand]) && f.speed[vertex] < 0;
}

}  // namespace

double FilmDrip::full_particle(std::size_t liquid) const {
    return model_.cell * model_.cell * model_.cell / model_.liquid.resample.in_full_cell(liquid);
}
double FilmDrip::least_drop(std::size_t liquid) const {
    return kLeastDrop * full_particle(liquid);
}

FilmDrip::Excess FilmDrip::excess_at(const film::FilmState& film, const strand::StrandState& strands, Place p,
                                     const Vec3d& pull, double strands_near) const {
    const std::size_t liquids = film.liquids(), v = p.vertex;
    const film::FilmLiquid liquid =
        film::mixture(model_.film.liquids, std::span(film.share).subspan(v * liquids, liquids));
    const Vec3d t = vertex_tangent(strands, p.strand, v);
    const double radius = strands.radius[v] * std::sqrt(strands.aspect[p.strand]);
    // At an end the drop hangs on its last bit of strand: all of the pull counts.
    const bool end = free_end(strands, p.strand, v, film);
    const double across = end ? length(pull) : length(pull - dot(pull, t) * t);
    const film::HoldLimit hold = film::hold_limit(liquid, radius, strands_near, across, length(pull));
    const double all = film.area[v] * film.length[v];
    if (end) return {all, hold.leaving_time, hold.radius};
    const double near = volume_within(film, strands, p.strand, v, hold.radius);
    if (!(near > hold.volume)) return {0, hold.leaving_time, hold.radius};
    return {all * (1 - hold.volume / near), hold.leaving_time, hold.radius};
}

double FilmDrip::strands_near(const strand::StrandState& strands, std::size_t vertex, double reach) const {
    const Vec3d x = strands.position[vertex];
    std::vector<std::uint32_t> met;
    hash_.within(x, reach + 0.5 * longest_edge_, [&](std::uint32_t v, double) {
        const std::uint32_t k = strand_of_[v];
        for (const std::size_t e : {std::size_t(v), std::size_t(v) - 1}) {
            if (e < strands.begin(k) || e + 1 >= strands.end(k) || e > v) continue;
            const Vec3d along = strands.position[e + 1] - strands.position[e];
            const double place =
                std::clamp(dot(x - strands.position[e], along) / squared_length(along), 0.0, 1.0);
            if (length(strands.position[e] + place * along - x) > reach) continue;
            met.push_back(k);
            return;
        }
    });
    std::sort(met.begin(), met.end());
    return std::max(1.0, double(std::unique(met.begin(), met.end()) - met.begin()));
}

void FilmDrip::sort_vertices(const strand::StrandState& strands) {
    strand_of_.resize(strands.vertex_count());
    for (std::size_t k = 0; k < strands.strand_count(); ++k)
        for (std::size_t v = strands.begin(k); v < strands.end(k); ++v) strand_of_[v] = std::uint32_t(k);
    longest_edge_ = 0;
    for (const double l : strands.rest_length) longest_edge_ = std::max(longest_edge_, 1.1 * l);
    geometry::Bounds box;
    for (const Vec3d& x : strands.position) box.include(x);
    const double widest = std::max({length(box.min), length(box.max), longest_edge_});
    hash_.build(strands.position, std::max(longest_edge_, widest / 500'000));
}

Vec3d FilmDrip::pull_at(const strand::StrandState& strands, const strand::Motion& motion, std::size_t vertex,
                        double dt) const {
    if (!model_.film.inertia) return model_.gravity;
    return model_.gravity - (motion.velocity[vertex] - strands.velocity[vertex]) / dt;
}

bool FilmDrip::holds_all(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                         const strand::Motion& motion, double dt) const {
    double area = 0, radius = 1e30, pull = 0;
    for (std::size_t v = strands.begin(strand); v < strands.end(strand); ++v) {
        area = std::max(area, film.area[v]), radius = std::min(radius, strands.radius[v]);
        pull = std::max(pull, squared_length(pull_at(strands, motion, v, dt)));
    }
    if (area == 0) return true;
    film::FilmLiquid worst = model_.film.liquids[0];
    for (const film::FilmLiquid& l : model_.film.liquids) {
        worst.surface_tension = std::min(worst.surface_tension, l.surface_tension);
        worst.density = std::max(worst.density, l.density);
    }
    const double size = std::sqrt(pull), round = std::sqrt(std::min(strands.aspect[strand], 1.0));
    const film::HoldLimit hold = film::hold_limit(worst, round * radius, 1, size, size);
    return area * hold.window <= hold.volume;
}

void FilmDrip::find_due(film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                        const strand::Motion& motion, double dt, bool only_ends,
                        std::vector<Leaving>& leaving) const {
    const std::size_t liquids = film.liquids();
    for (std::size_t v = strands.begin(strand); v < strands.end(strand); ++v) {
        const double all = film.area[v] * film.length[v];
        const bool end = free_end(strands, strand, v, film);
        if (!(all > 0) || (only_ends && !end)) {
            film.due[v] = 0;
            continue;
        }
        const Vec3d pull = pull_at(strands, motion, v, dt);
        Excess excess = excess_at(film, strands, {strand, v}, pull, 1);
        if (excess.volume > 0 && sorted_ && !end)
            excess = excess_at(film, strands, {strand, v}, pull, strands_near(strands, v, excess.reach));
        film.due[v] += (excess.volume - film.due[v]) * -std::expm1(-dt / excess.time);
        film.due[v] = std::min(film.due[v], all);
        for (std::size_t l = 0; l < liquids; ++l)
            if (film.due[v] * film.share[v * liquids + l] >= least_drop(l)) {
                leaving.push_back({{strand, v}, pull});
                break;
            }
    }
}

void FilmDrip::find_due(film::FilmState& film, const strand::StrandState& strands,
                        const strand::Motion& motion, const StepView& view) {
    for (std::vector<Leaving>& some : leaving_) some.clear();
    if (film.size() == 0 || !model_.film.weighs || !model_.film.drips) return;
    const std::size_t n = strands.strand_count();
    holds_all_.resize(n);
    parallel_for(n, [&](std::size_t k) { holds_all_[k] = holds_all(film, strands, k, motion, view.dt); });
    // Neighbours are looked for only where a lone strand could not hold what is there.
    sorted_ = n > 1 && std::find(holds_all_.begin(), holds_all_.end(), 0) != holds_all_.end();
    if (sorted_) sort_vertices(strands);
    leaving_.resize(Chunks(n, kGrain).count);
    parallel_chunks(n, kGrain, [&](std::size_t begin, std::size_t end, std::size_t c) {
        for (std::size_t k = begin; k < end; ++k)
            find_due(film, strands, k, motion, view.dt, holds_all_[k] != 0, leaving_[c]);
    });
}

void FilmDrip::add_drops(const film::FilmState& film, const strand::StrandState& strands, const Leaving& from,
                         std::size_t liquid, double volume, const geometry::SolidField& solids) {
    const Place p = from.place;
    const std::size_t v = p.vertex, begin = strands.begin(p.strand), end = strands.end(p.strand);
    const Vec3d t = vertex_tangent(strands, p.strand, v);
    const Vec3d across = from.pull - dot(from.pull, t) * t;
    const Vec3d side = length(across) > 1e-9 ? normalized(across) : any_perpendicular(t);
    const double a = strands.radius[v], b = strands.aspect[p.strand] * a;
    const double outer = std::max(a, b) + film::coat_thickness(a, b, film.area[v]);
    const Vec3d velocity = film_velocity(film, strands, p.strand, v);
    const int count = std::clamp(static_cast<int>(volume / full_particle(liquid)), 1, kMostDrops);
    for (int k = 0; k < count; ++k) {
        // Spread over what the vertex stands for; at an end just beyond it.
        const double place = (k + 0.5) / count - 0.5;
        Vec3d x = strands.position[v] + outer * side;
        if (v + 1 == end || v == begin)
            x = strands.position[v] + (v == begin ? -outer : outer) * t;
        else
            x += (place > 0 ? place * strands.rest_length[v] : place * strands.rest_length[v - 1]) * t;
        if (!solids.empty()) {
            const geometry::SolidSample wall = solids.sample(x, 1);
            if (wall.distance < outer) x += (outer - wall.distance) * wall.normal;
        }
        drops_.push_back({x, velocity, volume / count, std::uint8_t(liquid), {}});
        strains_.push_back(drop_strain(film.strain_at(v), t));
    }
}

void FilmDrip::release_at(film::FilmState& film, const strand::StrandState& strands, const Leaving& from,
                          const geometry::SolidField& solids) {
    const std::size_t v = from.place.vertex, liquids = film.liquids();
    double gone = 0;
    const double due = film.due[v], whole = film.area[v] * film.length[v];
    for (std::size_t l = 0; l < liquids; ++l) {
        const double volume = due * film.share[v * liquids + l];
        if (!(volume >= least_drop(l))) continue;
        add_drops(film, strands, from, l, volume, solids);
        film.share[v * liquids + l] = std::max(0.0, (whole * film.share[v * liquids + l] - volume) / whole);
        gone += volume;
    }
    if (gone == 0) return;
    film.area[v] = std::max(0.0, whole - gone) / film.length[v];
    film.due[v] = std::max(0.0, due - gone);
    double sum = 0;
    for (std::size_t l = 0; l < liquids; ++l) sum += film.share[v * liquids + l];
    for (std::size_t l = 0; l < liquids; ++l)
        film.share[v * liquids + l] =
            liquids == 1 ? 1.0 : (sum > 0 ? film.share[v * liquids + l] / sum : 0.0);
}

void FilmDrip::release(film::FilmState& film, const strand::StrandState& strands,
                       const geometry::SolidField& solids, liquid::LiquidState& bulk) {
    drops_.clear(), strains_.clear();
    for (const std::vector<Leaving>& some : leaving_)
        for (const Leaving& from : some) release_at(film, strands, from, solids);
    const std::size_t first = bulk.size();
    liquid::add_particles(bulk, drops_);
    if (liquid::has_strain(bulk))
        for (std::size_t i = 0; i < strains_.size(); ++i) liquid::set_strain(bulk, first + i, strains_[i]);
}

}  // namespace rivulet::world
