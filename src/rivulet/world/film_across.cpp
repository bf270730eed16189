#include <rivulet/world/film_across.h>

#include <algorithm>

#include <rivulet/contact/contact_point.h>
#include <rivulet/film/across.h>
#include <rivulet/strand/mass.h>
#include <rivulet/world/film_speed.h>

namespace rivulet::world {

/// The vertices nearest to the two places that each bridge joins.
void FilmAcross::find_pairs(const contact::ContactState& contacts, const strand::StrandState& strands) {
    strand_of_.resize(strands.vertex_count());
    for (std::size_t k = 0; k < strands.strand_count(); ++k)
        for (std::size_t v = strands.begin(k); v < strands.end(k); ++v) strand_of_[v] = std::uint32_t(k);
    pairs_.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (!contacts.bridge[i] || contacts.kind[i] != std::uint8_t(contact::ContactKind::edge_edge))
            continue;
        const std::uint32_t a = contacts.edge[i] + (contacts.place[i] > 0.5 ? 1 : 0);
        const std::uint32_t b = contacts.other[i] + (contacts.other_place[i] > 0.5 ? 1 : 0);
        if (a != b) pairs_.push_back(std::minmax(a, b));
    }
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

/// Volume goes over with the velocity it had; the vertex that takes it is pushed by the difference.
void FilmAcross::pass_on(film::FilmState& film, strand::StrandState& strands, std::size_t from,
                         std::size_t to, double volume) {
    const std::size_t liquids = film.liquids(), k = strand_of_[to];
    const Vec3d slip =
        film_velocity(film, strands, strand_of_[from], from) - film_velocity(film, strands, k, to);
    const double before = film.area[to] * film.length[to], all = before + volume;
    double moved = 0, mass = 0;
    for (std::size_t l = 0; l < liquids; ++l) {
        const double part = volume * film.share[from * liquids + l], density = model_.film.liquids[l].density;
        const double sum = before * film.share[to * liquids + l] + part;
        moved += part * density, mass += sum * density;
        film.share[to * liquids + l] = liquids == 1 ? 1.0 : sum / all;
    }
    if (!film.strain.empty()) film.strain[to] = (before * film.strain[to] + volume * film.strain[from]) / all;
    film.area[to] = all / film.length[to];
    film.area[from] = (film.area[from] * film.length[from] - volume) / film.length[from];
    const double solid = strand::vertex_mass(strands, model_.strands.materials, k, to);
    strands.velocity[to] += (moved / (solid + mass)) * slip;
}

void FilmAcross::exchange(film::FilmState& film, strand::StrandState& strands, std::size_t first,
                          std::size_t second, double dt) {
    const std::size_t thick = film.area[first] > film.area[second] ? first : second;
    const std::size_t thin = thick == first ? second : first, liquids = film.liquids();
    if (!(film.area[thick] > 0)) return;
    const film::FilmLiquid liquid =
        film::mixture(model_.film.liquids, std::span(film.share).subspan(thick * liquids, liquids));
    const double radius = 0.5 * (strands.radius[first] + strands.radius[second]);
    const double distance = std::max(length(strands.position[first] - strands.position[second]), 2 * radius);
    const double area = film::flow_across(liquid, radius, distance, model_.film.flow.friction.slip_length,
                                          film.area[thick], film.area[thin], dt);
    const double stretch = std::min(film.length[first], film.length[second]);
    if (area > 0) pass_on(film, strands, thick, thin, area * stretch);
}

void FilmAcross::run(film::FilmState& film, strand::StrandState& strands,
                     const contact::ContactState& contacts, const StepView& view) {
    if (!model_.film.across || !model_.film.weighs || film.size() == 0 || contacts.size() == 0) return;
    find_pairs(contacts, strands);
    for (const auto& [a, b] : pairs_) exchange(film, strands, a, b, view.dt);
}

}  // namespace rivulet::world
