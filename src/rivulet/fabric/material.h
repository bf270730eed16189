#pragma once

#include <string>

#include <rivulet/base/vec3.h>
#include <rivulet/elastic/membrane.h>

namespace rivulet::fabric {

/// A woven or knitted cloth as it is, threads, air and all, per area. Warp runs along the first texture axis.
struct FabricMaterial {
    std::string name;
    Vec3d color{0.8, 0.78, 0.72};
    double areal_density = 0.15;                     // kg/m²
    double thickness = 3e-4;                         // m
    elastic::Orthotropic stretch{500, 500, 0, 50};   // N/m
    elastic::Orthotropic bend{5e-6, 5e-6, 0, 2e-6};  // N*m
    elastic::Stiffening stiffening;
    double stretch_damping = 0, bend_damping = 0;  // s: stress of a strain rate over that of the strain
};

}  // namespace rivulet::fabric
