#include <rivulet/world/wet_capture.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/film/hold.h>
#include <rivulet/film/withdrawn.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/strand/mass.h>
#include <rivulet/world/film_speed.h>

namespace rivulet::world {
namespace {

/// Strands ask up to this part of what they hold before a drop falls.
constexpr double kFullFilm = 0.8;
/// Liquid farther from a strand than this is not taken up, in cells.
constexpr double kReach = 0.75;
/// Particles smaller than this part of a usual one are taken whole.
constexpr double kLeastParticle = 0.1;
/// Part of the 27 cells around a vertex that liquid fills from which on it is under liquid: not wetted any
/// more; and from which on its film is part of it.
constexpr double kUnder = 0.7, kDeep = 0.85;

/// visit(first, last) for the particles of the 27 cells around a place.
template <class F>
void for_particles_around(const LiquidScratch& s, const Vec3d& x, F&& visit) {
    const Vec3d place = s.topology.wrapped(x) / s.topology.cell;
    if (!is_finite(place) || !(std::abs(place.x) < 1e9) || !(std::abs(place.y) < 1e9) ||
        !(std::abs(place.z) < 1e9))
        return;
    const Vec3i cell{int(std::floor(place.x)), int(std::floor(place.y)), int(std::floor(place.z))};
    const std::int64_t at = s.topology.index(cell);
    if (at < 0) return;
    const std::size_t b = std::size_t(at) / grid::kBlockCells;
    const Vec3i corner = s.topology.corner[b];
    const Vec3i wrapped = s.topology.wrapped(cell);
    const int i = wrapped.x - corner.x, j = wrapped.y - corner.y, k = wrapped.z - corner.z;
    for (int d = 0; d < 27; ++d) {
        const std::int64_t c = s.topology.index(b, i + d % 3 - 1, j + d / 3 % 3 - 1, k + d / 9 - 1);
        if (c >= 0) visit(s.order.cell_begin(std::size_t(c)), s.order.cell_end(std::size_t(c)));
    }
}

}  // namespace

WetCapture::Around WetCapture::around(const liquid::LiquidState& liquid, const LiquidScratch& s,
                                      const Vec3d& x) const {
    Around out;
    double volume = 0;
    std::array<double, 256> by_liquid;
    const std::size_t liquids = std::min(model_.film.liquids.size(), by_liquid.size());
    std::fill_n(by_liquid.begin(), liquids, 0.0);
    for_particles_around(s, x, [&](std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p) {
            volume += liquid.volume[p];
            out.velocity += liquid.volume[p] * liquid.velocity[p];
            by_liquid[liquid.material[p]] += liquid.volume[p];
        }
    });
    if (!(volume > 0)) return out;
    out.filled = volume / (27 * model_.cell * model_.cell * model_.cell);
    out.velocity = out.velocity / volume;
    out.liquid = std::size_t(
        std::max_element(by_liquid.begin(), by_liquid.begin() + std::ptrdiff_t(liquids)) - by_liquid.begin());
    return out;
}

void WetCapture::return_film(film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                             std::size_t v, liquid::LiquidState& liquid, const LiquidScratch& s) const {
    const std::size_t liquids = film.liquids();
    const Vec3d velocity = film_velocity(film, strands, strand, v);
    const liquid::Strain strain = drop_strain(film.strain_at(v), vertex_tangent(strands, strand, v));
    double kept = 0;
    for (std::size_t l = 0; l < liquids; ++l) {
        const double there = film.area[v] * film.length[v] * film.share[v * liquids + l];
        double volume = 0;
        for_particles_around(s, strands.position[v], [&](std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p)
                if (liquid.material[p] == l) volume += liquid.volume[p];
        });
        // Without its own liquid around it stays on the strand.
        film.share[v * liquids + l] = volume > 0 ? 0 : there;
        kept += volume > 0 ? 0 : there;
        if (!(there > 0) || !(volume > 0)) continue;
        const double more = there / volume;
        for_particles_around(s, strands.position[v], [&](std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p) {
                if (liquid.material[p] != l) continue;
                const double part = 1 / (1 + more);
                liquid.velocity[p] = part * (liquid.velocity[p] + more * velocity);
                liquid.affine[p] = part * liquid.affine[p];  // the film has no spin of its own
                liquid.volume_ratio[p] = part * (liquid.volume_ratio[p] + more);
                if (liquid::has_strain(liquid))
                    liquid::set_strain(
                        liquid, p, liquid::mean_strain(part, liquid::strain_of(liquid, p), 1 - part, strain));
                liquid.volume[p] += more * liquid.volume[p];
            }
        });
    }
    for (std::size_t l = 0; l < liquids; ++l) film.share[v * liquids + l] /= kept > 0 ? kept : 1;
    film.area[v] = kept / film.length[v];
    film.due[v] = std::min(film.due[v], kept);
    if (kept == 0 && !film.strain.empty()) film.strain[v] = 0;
}

void WetCapture::ask(film::FilmState& film, const strand::StrandState& strands, liquid::LiquidState& liquid,
                     const StepView& view, const LiquidScratch& s) {
    askers_.resize(0);
    vertex_.clear(), strand_.clear();
    const double pull = length(view.gravity);
    near_.resize(strands.vertex_count());
    parallel_chunks(strands.vertex_count(), 512, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) near_[v] = around(liquid, s, strands.position[v]);
    });
    for (std::size_t k = 0; k < strands.strand_count(); ++k)
        for (std::size_t v = strands.begin(k); v < strands.end(k); ++v) {
            const Around& near = near_[v];
            if (!(near.filled > 0)) continue;
            if (near.filled > kDeep && film.area[v] > 0) return_film(film, strands, k, v, liquid, s);
            const double dry = 1 - near.filled / kUnder;
            if (!(dry > 0)) continue;
            const film::FilmLiquid& l = model_.film.liquids[near.liquid];
            const Vec3d t = vertex_tangent(strands, k, v);
            const double radius = strands.radius[v] * std::sqrt(strands.aspect[k]);
            const double speed = length(near.velocity - strands.velocity[v]);
            const film::HoldLimit hold = film::hold_limit(
                l, radius, 1, length(view.gravity - dot(view.gravity, t) * t), pull, model_.cell);
            double most = l.surface_tension > 0 ? kFullFilm * hold.volume / hold.window : 0;
            if (model_.wet.capture == CaptureLimit::landau_levich)
                most = std::min(most, film::withdrawn_area(l, radius, speed));
            const double lacks = (most - film.area[v]) * film.length[v];
            if (!(lacks > 0) || !std::isfinite(lacks)) continue;
            askers_.position.push_back(strands.position[v]);
            askers_.demand.push_back(lacks * dry * std::min(1.0, speed * view.dt / model_.cell));
            askers_.reach.push_back(kReach * model_.cell);
            vertex_.push_back(std::uint32_t(v)), strand_.push_back(std::uint32_t(k));
        }
}

void WetCapture::take(film::FilmState& film, strand::StrandState& strands) const {
    const std::size_t liquids = film.liquids();
    for (std::size_t i = 0; i < vertex_.size(); ++i) {
        const std::size_t v = vertex_[i], k = strand_[i];
        double volume = 0, mass = 0;
        for (std::size_t l = 0; l < liquids; ++l) {
            volume += captured_.volume[i * liquids + l];
            mass += model_.film.liquids[l].density * captured_.volume[i * liquids + l];
        }
        if (!(volume > 0)) continue;
        const auto film_mass = [&](std::size_t at) {
            double sum = 0;
            for (std::size_t l = 0; l < liquids; ++l)
                sum += film.share[at * liquids + l] * model_.film.liquids[l].density;
            return sum * film.area[at] * film.length[at];
        };
        const double before = film.area[v] * film.length[v], after = before + volume;
        // What it has beyond the strand's velocity: along the edges for the film, the rest for the strand.
        Vec3d excess = captured_.momentum[i] - mass * strands.velocity[v];
        const auto push = [&](std::size_t edge) {
            const Vec3d t = edge_tangent(strands, edge);
            const double along = 0.5 * dot(captured_.momentum[i] - mass * strands.velocity[v], t);
            const double there = 0.5 * (film_mass(edge) + film_mass(edge + 1)), then = there + 0.5 * mass;
            film.speed[edge] = (there * film.speed[edge] + along) / then;
            excess -= along * t;
        };
        if (v > strands.begin(k)) push(v - 1);
        if (v + 1 < strands.end(k)) push(v);
        for (std::size_t l = 0; l < liquids; ++l)
            film.share[v * liquids + l] =
                (before * film.share[v * liquids + l] + captured_.volume[i * liquids + l]) / after;
        if (!film.strain.empty()) {
            const double strain =
                strain_.empty() ? 0.0 : film_strain(strain_[i], vertex_tangent(strands, k, v));
            film.strain[v] = (before * film.strain[v] + volume * strain) / after;
        }
        film.area[v] = after / film.length[v];
        const double all = strand::vertex_mass(strands, model_.strands.materials, k, v) + film_mass(v);
        strands.velocity[v] += excess / all;
    }
}

void WetCapture::find_strains(const liquid::LiquidState& liquid, const LiquidScratch& s) {
    strain_.clear();
    if (!liquid::has_strain(liquid)) return;
    strain_.resize(askers_.size());
    of_particle_.resize(liquid.size()), of_asker_.resize(askers_.size());
    using Strain = liquid::Strain;
    for (double Strain::*entry :
         {&Strain::xx, &Strain::xy, &Strain::xz, &Strain::yy, &Strain::yz, &Strain::zz}) {
        for (std::size_t p = 0; p < liquid.size(); ++p) of_particle_[p] = liquid::strain_of(liquid, p).*entry;
        capture_.mean(s.topology, s.order,
                      {liquid.position, liquid.velocity, supply_, liquid.material, densities_}, of_particle_,
                      of_asker_);
        for (std::size_t i = 0; i < strain_.size(); ++i) strain_[i].*entry = of_asker_[i];
    }
}

/// Particles that gave all go, without a gap in the order.
void WetCapture::remove_given(liquid::LiquidState& liquid, LiquidScratch& s) {
    gone_.clear();
    for (std::size_t p = 0; p < liquid.size(); ++p) {
        if (!(captured_.given[p] > 0)) continue;
        liquid.volume[p] -= captured_.given[p];
        if (!(liquid.volume[p] > 0)) gone_.push_back(std::uint32_t(p));
    }
    if (gone_.empty()) return;
    liquid::remove_in_order(liquid, gone_);
    std::size_t removed = 0;
    for (std::uint32_t& start : s.order.cell_start) {
        while (removed < gone_.size() && gone_[removed] < start) ++removed;
        start -= std::uint32_t(removed);
    }
}

void WetCapture::run(film::FilmState& film, strand::StrandState& strands, liquid::LiquidState& liquid,
                     const StepView& view, LiquidScratch& s) {
    if (model_.wet.capture == CaptureLimit::none || film.size() == 0 || s.topology.cells() == 0) return;
    ask(film, strands, liquid, view, s);
    if (vertex_.empty()) return;
    const double fall = length(view.gravity);
    const double young = fall > 0 ? std::sqrt(4 * kReach * model_.cell / fall) : 0;
    supply_.resize(liquid.size());
    for (std::size_t p = 0; p < liquid.size(); ++p)
        supply_[p] = view.time > young && liquid.age[p] < young ? 0.0 : liquid.volume[p];
    densities_.clear();
    double full = 0;
    for (std::size_t l = 0; l < model_.film.liquids.size(); ++l) {
        densities_.push_back(model_.film.liquids[l].density);
        full =
            std::max(full, model_.cell * model_.cell * model_.cell / model_.liquid.resample.in_full_cell(l));
    }
    capture_.run(s.topology, s.order,
                 {liquid.position, liquid.velocity, supply_, liquid.material, densities_}, askers_,
                 {1.0, kLeastParticle * full}, captured_);
    find_strains(liquid, s);
    take(film, strands);
    remove_given(liquid, s);
}

}  // namespace rivulet::world
