#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <rivulet/base/vec3.h>

namespace rivulet::film {

/// One strand with the film on it, as seen by what moves along. Edge e joins vertices e and e + 1; vertex i
/// stands for `length[i]` of the strand, up to the middles of its edges, where the liquid flows through.
struct CarriedLine {
    std::span<double> area;                     // per vertex, m^2
    std::span<double> strain;                   // per vertex; empty: no liquid remembers
    std::span<double> share;                    // of each liquid, vertex after vertex
    std::span<double> speed;                    // per edge, m/s: along it, relative to the strand
    std::span<Vec3d> velocity;                  // of the strand, per vertex, m/s
    std::span<double> spin;                     // of the strand, per edge, rad/s
    std::span<const double> length;             // per vertex, m
    std::span<const double> radius;             // of the strand, per vertex, m
    std::span<const double> solid_mass;         // per vertex, kg
    std::span<const double> solid_spin;         // rotary inertia per edge, kg*m^2
    std::span<const Vec3d> tangent;             // per edge, unit, root to tip
    std::size_t held_first = 0, held_last = 0;  // vertices at root and tip that supports move
};

/// What becomes of the strand's velocity when liquid arrives.
/// mixture: it comes with the velocity and spin it had. rescaled: momentum stays with the vertex, as if only
/// mass had come (the naive way of Fei 2017 figs. 9 and 10, for comparison).
enum class Carry { mixture, rescaled };

/// Film at an end slides when it runs away from it, and is dammed there, at rest on the strand, when its edge
/// carries liquid towards the end. `inward`: speed of the edge away from the end [m/s].
inline bool slides_from_end(double inward) {
    return inward > 0;
}

/// Rotary inertia per mass of a film with outer radius R on a strand of radius a: ½ρπ(R⁴ − a⁴) over ρA
/// [m^2].
double film_gyration(double area, double radius);

/// Moves films along their strands for a time `dt` with the speeds they have: finite volumes, limited second
/// order upwind (face_area.h), in sub-steps of Courant number ½, so that areas stay positive without a clamp
/// and the volume of every liquid is kept.
///
/// One mass flux F carries everything. The strand's velocity and spin at the vertex it left are mixed into
/// those where it arrives: no speed arises that was not there, whatever the masses. Its speed along the edge
/// goes from edge to edge with the mean of the fluxes; where the tangent turns from t₁ to t₂ the vertex gets
/// F w (t₁ − t₂), and at an end, where liquid stops, F w t. So P = Σ (m_s + m_f) u + Σ m_e w t stays, m_e
/// being half the film of both vertices, less what is dammed at an end (`slides_from_end`). No liquid passes
/// the ends.
class Transport {
 public:
    /// `density`: of each liquid, kg/m^3. Returns the number of sub-steps.
    int move(const CarriedLine& line, std::span<const double> density, double dt, Carry carry);

    /// Sub-steps that a line needs.
    static int sub_steps(const CarriedLine& line, double dt);

 private:
    void sub_step(const CarriedLine& line, std::span<const double> density, double dt, Carry carry);
    void find_fluxes(const CarriedLine& line, std::span<const double> density, double dt);
    void carry_liquids(const CarriedLine& line, std::span<const double> density);
    void carry_velocities(const CarriedLine& line, Carry carry);
    void carry_speeds(const CarriedLine& line);
    void carry_spins(const CarriedLine& line);

    std::vector<double> mass_, new_mass_;          // of the film, per vertex, kg
    std::vector<double> volume_flux_, mass_flux_;  // per edge, over the sub-step, towards the tip
    std::vector<double> liquid_;                   // volumes of one vertex after the other, m^3
    std::vector<Vec3d> pushed_;                    // per vertex: momentum that turning and stopping leave
    std::vector<double> vertex_flux_, old_speed_, old_spin_, strain_;
    std::vector<Vec3d> old_velocity_;
};

}  // namespace rivulet::film
