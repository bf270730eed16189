#pragma once

#include <cstddef>
#include <cstdint>
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

    /// Room for the strain of films, once one of their liquids remembers.
    void remember(film::FilmState& film) const {
        if (remembers_ && film.strain.empty()) film.strain.assign(film.size(), 0.0);
    }
    /// Moves liquid, strain, velocities and spins along; finds how films weigh on the strands.
    void advect(film::FilmState& film, strand::StrandState& strands, const StepView& view);
    /// For the strand solve; empty without films. Valid until the next advect or the film changes.
    strand::FilmLoads loads(const film::FilmState& film) const;
    /// Mass of the film at each vertex [kg]; empty without films.
    std::span<const double> mass() const { return mass_; }

    /// Speeds and strains at the end of the step, from the strands' final motion; nothing has moved yet.
    void flow(film::FilmState& film, const strand::StrandState& strands, const strand::Motion& motion,
              const StepView& view);
    /// After the strands have moved: vertices take what turning tangents took from the films, and what an
    /// edge that has turned round took from, or gave to, the film dammed at an end.
    void turn(const film::FilmState& film, const strand::StrandState& before, strand::StrandState& strands);
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
        std::vector<double> force, tension;  // where none is kept
        std::vector<Vec3d> tangent;
    };
    /// What slides of a strand's film: not what is dammed at an end.
    struct Sliding {
        std::span<const double> mass;  // of the film at each vertex of all strands, kg
        std::size_t root, tip;         // the strand's end vertices
        std::uint8_t dammed;
        double at(std::size_t vertex) const;
        double on_edge(std::size_t edge) const { return 0.5 * (at(edge) + at(edge + 1)); }
    };
    Sliding sliding(const strand::StrandState& strands, std::size_t strand) const;
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
    /// Which of a strand's ends dam liquid, as its edges run now.
    void find_dammed(const film::FilmState& film, const strand::StrandState& strands, std::size_t strand);
    void turn_strand(const film::FilmState& film, const strand::StrandState& before,
                     strand::StrandState& strands, std::size_t strand);
    void flow_strand(film::FilmState& film, const strand::StrandState& strands, const strand::Motion& motion,
                     std::size_t strand, const StepView& view);

    const Model& model_;
    std::vector<double> density_;  // of the liquids
    bool remembers_ = false;       // one of them has elastic memory
    std::vector<Scratch> scratch_;
    // Per vertex, or per edge with its first vertex, at the start of the step:
    std::vector<double> mass_;          // of the film, kg
    std::vector<double> friction_;      // kg/s
    std::vector<double> stuck_;         // friction without end, for strands that feel films as dead weight
    std::vector<double> inertia_;       // kg*m^2
    std::vector<double> force_;         // N, along edges; empty where no liquid can have any
    std::vector<double> tension_;       // N; empty where no liquid remembers
    std::vector<std::uint8_t> dammed_;  // per strand: strand::kRootDams, kTipDams
};

}  // namespace rivulet::world
