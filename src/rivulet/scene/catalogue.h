#pragma once

#include <string>
#include <vector>

#include <rivulet/liquid/material.h>

namespace rivulet::scene {

/// Liquids every scene may name without defining them. Each says where its numbers come from.
const std::vector<liquid::LiquidMaterial>& liquid_catalogue();
/// nullptr when there is none of this name.
const liquid::LiquidMaterial* find_liquid(const std::string& name);

}  // namespace rivulet::scene
