#pragma once

#include <vector>

#include <rivulet/strand/material.h>

namespace rivulet::scene {

/// Strand materials every scene may name without defining them. Each says where its numbers come from.
const std::vector<strand::StrandMaterial>& strand_catalogue();

}  // namespace rivulet::scene
