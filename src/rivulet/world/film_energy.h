#pragma once

#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::world {

/// What films hold besides how they move and how high they are [J].
struct FilmEnergy {
    double memory = 0;   // elastic strain
    double surface = 0;  // of surface tension along the strands, over that of a film without thickness
    double spin = 0;     // kinetic: turning with the strand about its axis
};

/// Zero where films have no weight; `surface` where no surface tension acts along strands.
FilmEnergy film_energy(const Model& model, const World& world);

}  // namespace rivulet::world
