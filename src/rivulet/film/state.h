#pragma once

#include <cstddef>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/liquid_tally.h>

namespace rivulet::film {

/// Liquid on strands, for each of their vertices, in their order. All empty while no strand has a film.
///
/// A vertex stands for half of the edges beside it. What it holds of liquid l is area × length × share(l).
struct FilmState {
    std::vector<double> area;    // cross-section of the liquid around the strand, m^2
    std::vector<double> length;  // of the strand at rest that the vertex stands for, m
    std::vector<double> share;   // of each liquid of the scene, vertex after vertex; sum 1 where it is wet
    std::vector<double> strain;  // reduced strain b_xx − b_yy of its elastic memory; empty: none remembers
    /// Per edge, stored with its first vertex; the entry of a strand's last vertex is 0.
    std::vector<double> speed;  // along the edge towards the tip, relative to the strand, m/s
    std::vector<double> drive;  // what the strand's motion and gravity drove it with in the last step, m/s^2
    std::vector<double> due;    // volume that is to leave the vertex as a drop, m^3

    std::size_t size() const { return area.size(); }
    double strain_at(std::size_t vertex) const { return strain.empty() ? 0.0 : strain[vertex]; }
    std::size_t liquids() const { return area.empty() ? 0 : share.size() / area.size(); }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        constexpr auto vertex = Centring::vertex;
        visit(FieldInfo{"strands/film_area", "m^2", vertex, kCheckpoint | kFrame}, s.area);
        visit(FieldInfo{"strands/film_length", "m", vertex, kCheckpoint}, s.length);
        visit(FieldInfo{"strands/film_share", "", vertex, kCheckpoint | kFrame, s.area.size()}, s.share);
        visit(FieldInfo{"strands/film_strain", "", vertex, kCheckpoint | kFrame}, s.strain);
        visit(FieldInfo{"strands/film_velocity", "m/s", Centring::edge, kCheckpoint | kFrame}, s.speed);
        visit(FieldInfo{"strands/film_drive", "m/s^2", Centring::edge, kCheckpoint}, s.drive);
        visit(FieldInfo{"strands/film_due", "m^3", vertex, kCheckpoint}, s.due);
    }
};

/// Volumes of each liquid in the films.
void held_liquid(const FilmState& state, LiquidTally& tally);

/// A film of nothing on so many vertices, of liquids that do not remember.
FilmState dry_film(std::vector<double> lengths, std::size_t liquids);

/// Room for so many liquids: films hold nothing of those that join.
void widen(FilmState& state, std::size_t liquids);

}  // namespace rivulet::film
