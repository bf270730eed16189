#pragma once

#include <rivulet/coupling/strand_drag.h>

namespace rivulet::world {

/// How much liquid strands take up as films.
enum class CaptureLimit : std::uint8_t {
    none,
    holding,       // up to what they hold before a drop falls (Fei et al. 2017 eq. 17)
    landau_levich  // no more than a film drawn out of a bath at that speed
};

/// How strands and the bulk liquid meet, as the scene has it.
struct WetModel {
    bool drag = true;
    bool pressure = true;  // strands feel the liquid's pressure: buoyancy
    bool volume = true;    // strands take the place of liquid
    CaptureLimit capture = CaptureLimit::holding;
    coupling::DragLaw law = coupling::DragLaw::automatic;
    double drag_coefficient = 1;  // of DragLaw::constant
    int most_passes = 6;          // over drag, shear, pressure and strands
    double tolerance = 1e-3;      // of the mixture's divergence, parts of a cell per step

    bool any() const { return drag || pressure || volume; }
};

}  // namespace rivulet::world
