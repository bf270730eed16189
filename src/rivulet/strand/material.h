#pragma once

#include <string>

#include <rivulet/base/vec3.h>

namespace rivulet::strand {

/// What strands are made of, SI. The defaults are human hair.
struct StrandMaterial {
    std::string name;
    double density = 1320;          // kg/m^3
    double youngs_modulus = 3.4e9;  // Pa
    double poisson_ratio = 0.36;    // used when no shear modulus is given
    double shear_modulus = 0;       // Pa; 0: youngs_modulus / (2 (1 + poisson_ratio))
    double internal_viscosity = 0;  // shear viscosity of the strand's own matter, Pa*s
    double friction_dry = 0.2;      // Coulomb coefficients
    double friction_wet = 0.4;
    double contact_angle = 1.2217;  // of water on the strand, rad
    Vec3d color{0.25, 0.15, 0.08};
    std::string source;  // where the numbers come from

    double shear() const {
        return shear_modulus > 0 ? shear_modulus : youngs_modulus / (2 * (1 + poisson_ratio));
    }
};

}  // namespace rivulet::strand
