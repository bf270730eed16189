#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/film/line_forces.h>
#include <rivulet/film/state.h>
#include <rivulet/film/transport.h>
#include <rivulet/strand/loads.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/metrics.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// Films of one step. Holds scratch memory only.
///
/// A film slides along its strand with the speed w, so that it moves with u + w t and
///   P = Σ (m_s + m_f) u + Σ m_e w t,   m_e = half the film of an edge's two vertices,
/// is what forces change. `advect` moves it along and says how it weighs on the strands: its friction c and
/// the forces F along it are taken for the motion it is about to make, and w is eliminated,
///   (m_e + dt c) w' = m_e w − t·Σ ½ m_f (Δu − dt g) + dt F,
/// which leaves a mass inside the strand's own matrix (strand/loads.h) and an impulse. `flow` finds w' by the
/// same equation once the strands' motion is known, and `turn` gives the vertices what the turning tangents
/// take from m_e w t. So P changes by forces alone, to rounding.
class FilmStep {
 public:
    explicit FilmStep(const Model& model);

    /// Whether films have weight here.
    bool active(const film::FilmState& film) const { return model_.film.weighs && film.size() > 0; }
    /// The longest step in which no film runs farther than its sub-steps go.
    double longest_step(const film::FilmState& film, const strand::StrandState& strands,
                        double longest) const;

    /// Moves liquid, strain, velocities and spins along; finds how films weigh on the strands.
    void advect(film::FilmState& film, strand::StrandState& strands, const StepView& view);
    /// For the strand solve; empty without films. Valid until the next advect.
    strand::FilmLoads loads() const;
    /// Impulses of the films' speeds and forces along the strands, per vertex [N s].
    std::span<const Vec3d> impulse() const { return impulse_; }
    /// Mass of the film at each vertex [kg]; empty without films.
    std::span<const double> mass() const { return mass_; }

    /// Speeds and strains at the end of the step, from the strands' final motion; nothing has moved yet.
    void flow(film::FilmState& film, const strand::StrandState& strands, const strand::Motion& motion,
              const StepView& view);
    /// After the strands have moved: vertices take what turning tangents took from the films, and what an
    /// edge that has turned round took from, or gave to, the film dammed at an end.
    void turn(const film::FilmState& film, strand::StrandState& strands);
    /// Lets liquid run onto the roots that are fed; posts it.
    void feed(film::FilmState& film, const strand::StrandState& strands, const StepView& view,
              LedgerState& ledger) const;

    /// Memory held for all vertices [bytes].
    std::size_t memory() const;

 private:
    struct Scratch {
        film::Transport transport;
        film::LineScratch forces;
        std::vector<double> radius, solid_mass, solid_spin, face_area, speed;
        std::vector<double> tension;  // per vertex, N
    };
    /// Calls body(strand, scratch) for every strand, in parallel.
    template <class Body>
    void for_strands(const strand::StrandState& strands, Body&& body);
    bool is_dry(const film::FilmState& film, std::size_t begin, std::size_t end) const;
    void measure(const strand::StrandState& strands, std::size_t strand, Scratch& s);
    void move_along(film::FilmState& film, strand::StrandState& strands, std::size_t strand, double dt,
                    Scratch& s);
    void weigh(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
               Scratch& s);
    void push(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
              const StepView& view, Scratch& s);
    void add_impulses(const film::FilmState& film, std::size_t begin, std::size_t end, double dt, Scratch& s);
    /// Film of a strand's ends that slides, as its edges run now.
    void find_sliding(const film::FilmState& film, std::size_t begin, std::size_t end);
    void turn_strand(const film::FilmState& film, strand::StrandState& strands, std::size_t strand);
    void flow_strand(film::FilmState& film, const strand::StrandState& strands, const strand::Motion& motion,
                     std::size_t strand, const StepView& view);

    const Model& model_;
    std::vector<double> density_;  // of the liquids
    bool remembers_ = false;       // one of them has elastic memory
    std::vector<Scratch> scratch_;
    // Per vertex, or per edge with its first vertex, at the start of the step:
    std::vector<Vec3d> tangent_;
    std::vector<double> mass_;      // of the film, kg
    std::vector<double> sliding_;   // what of it slides: not what is dammed at an end
    std::vector<double> friction_;  // kg/s
    std::vector<double> stuck_;     // friction without end, for strands that feel the film as dead weight
    std::vector<double> inertia_;   // kg*m^2
    std::vector<double> force_;     // N, along edges
    std::vector<Vec3d> impulse_;    // N*s
};

}  // namespace rivulet::world
