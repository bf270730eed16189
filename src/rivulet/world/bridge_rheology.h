#pragma once

#include <rivulet/contact/bridge_stretch.h>
#include <rivulet/liquid/material.h>

namespace rivulet::world {

/// What a liquid resists being stretched with: all of its flow curve, or its viscosity.
inline contact::BridgeRheology rheology_of(const liquid::LiquidMaterial& liquid) {
    const bool thick = liquid.remembers();
    return {liquid.yield_stress, thick ? liquid.consistency : liquid.viscosity,
            thick ? liquid.flow_index : 1};
}

/// Bridges that open more slowly count as opening so fast: their resistance per speed has no bound [m/s].
constexpr double kLeastOpening = 1e-4;

}  // namespace rivulet::world
