#pragma once

#include <rivulet/film/state.h>
#include <rivulet/scene/build_strands.h>
#include <rivulet/scene/scene.h>
#include <rivulet/world/film_model.h>

namespace rivulet::scene {

/// The films that strands have at the start; empty when none has one. Refuses films thicker than neighbouring
/// roots of their entity are apart. Throws InputError with keys strands.NAME.film.
film::FilmState build_film(const Scene& scene, const StrandSetup& strands);

/// How they behave.
world::FilmModel build_film_model(const Scene& scene, const StrandSetup& strands);

/// How far the roots of the strands [first, last) are from their nearest neighbours, the middle one of up to
/// a thousand of them [m]; infinite for a single strand.
double root_spacing(const strand::StrandState& strands, std::size_t first, std::size_t last);

}  // namespace rivulet::scene
