#pragma once

#include <algorithm>

#include <rivulet/world/model.h>
#include <rivulet/world/world.h>

namespace rivulet::scene {

/// Contacts of strands and rows of their bridges at once, as a run is likely to have them.
struct Meetings {
    double at_start = 0;  // found by the same detection as in the run
    double later = 0;     // once what will meet has met
    double dearness = 1;  // of each, over that of contacts that strands make by themselves

    double at(double t) const { return at_start + (later - at_start) * std::min(1.0, t / kTime); }
    static constexpr double kTime = 0.2;  // s: of strands of some centimetres
};

/// Who will meet: wet strands that are long enough for their bridges to draw them together, free strands that
/// fall onto something, strands that something moves through or that are themselves moved about.
Meetings meetings_expected(const world::Model& model, const world::World& world);

}  // namespace rivulet::scene
