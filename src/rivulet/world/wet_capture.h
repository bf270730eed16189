#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/base/step_view.h>
#include <rivulet/coupling/capture.h>
#include <rivulet/film/state.h>
#include <rivulet/liquid/elastic_strain.h>
#include <rivulet/liquid/state.h>
#include <rivulet/strand/state.h>
#include <rivulet/world/liquid_scratch.h>
#include <rivulet/world/model.h>

namespace rivulet::world {

/// Strands take liquid up as films where they leave it or it runs over them (Fei et al. 2017 §4.4), and films
/// join the liquid where strands dip in: no litre is in both. Holds scratch memory only.
///
/// A vertex asks for what it lacks of 0.8 of what it can hold before a drop falls (film/hold.h; at one no
/// drop would ever come to rest), at the rate at which liquid passes it over a cell, as far as it is not
/// under liquid. Particles around grant it in proportion (coupling/capture.h). Liquid that was handed over
/// keeps its momentum: what of it runs along the strand makes the film faster, the rest moves the strand. Its
/// strain goes with it. Films count rest volume: those that join particles are at rest (J = 1).
/// Liquid younger than the time in which a drop falls out of reach is not taken: drips would return where
/// they left.
class WetCapture {
 public:
    explicit WetCapture(const Model& model) : model_(model) {}

    /// On sorted particles, before they are rasterised.
    void run(film::FilmState& film, strand::StrandState& strands, liquid::LiquidState& liquid,
             const StepView& view, LiquidScratch& s);

 private:
    /// Films of vertices under liquid join it; vertices above it ask.
    void ask(film::FilmState& film, const strand::StrandState& strands, liquid::LiquidState& liquid,
             const StepView& view, const LiquidScratch& s);
    /// Film of a vertex to the particles around it, with its momentum.
    void return_film(film::FilmState& film, const strand::StrandState& strands, std::size_t strand,
                     std::size_t vertex, liquid::LiquidState& liquid, const LiquidScratch& s) const;
    /// Part of the space around a place that liquid fills, 0..1, and its mean velocity.
    struct Around {
        double filled = 0;
        Vec3d velocity;
        std::size_t liquid = 0;
    };
    Around around(const liquid::LiquidState& liquid, const LiquidScratch& s, const Vec3d& x) const;
    /// strain_ ← mean elastic strain of what each asker got; empty: no liquid remembers its shape.
    void find_strains(const liquid::LiquidState& liquid, const LiquidScratch& s);
    void take(film::FilmState& film, strand::StrandState& strands) const;
    void remove_given(liquid::LiquidState& liquid, LiquidScratch& s);

    const Model& model_;
    coupling::Capture capture_;
    coupling::Askers askers_;
    std::vector<std::uint32_t> vertex_;  // of each asker
    std::vector<std::uint32_t> strand_;
    coupling::Captured captured_;
    std::vector<liquid::Strain> strain_;  // per asker
    std::vector<double> of_particle_, of_asker_;
    std::vector<double> supply_;  // per particle: what may be taken [m^3]
    std::vector<std::uint32_t> gone_;
    std::vector<double> densities_;
    std::vector<Around> near_;  // per vertex
};

}  // namespace rivulet::world
