#pragma once

#include <vector>

#include <rivulet/liquid/material.h>

namespace rivulet::scene {

/// `list` and after it the catalogue's liquids with a yield stress: mud, paint, creams, sauces, pastes.
std::vector<liquid::LiquidMaterial> with_thick_liquids(std::vector<liquid::LiquidMaterial> list);

}  // namespace rivulet::scene
