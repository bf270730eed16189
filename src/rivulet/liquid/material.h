#pragma once

#include <string>

#include <rivulet/base/vec3.h>

namespace rivulet::liquid {

/// A liquid, SI, rheometer values: in simple shear, stress = yield_stress + consistency * rate^flow_index
/// once it yields. Newtonian: yield_stress 0, flow_index 1, consistency = viscosity, shear_modulus 0.
struct LiquidMaterial {
    std::string name;
    double density = 1000;        // kg/m^3
    double viscosity = 0;         // Newtonian, Pa*s
    double surface_tension = 0;   // N/m
    double yield_stress = 0;      // Pa
    double consistency = 0;       // Pa*s^n
    double flow_index = 1;        // n
    double shear_modulus = 0;     // Pa; 0: no elastic memory
    double bulk_modulus = 0;      // Pa; 0: incompressible
    double tear_strain = 0;       // |dev C_p| at which bonds break (tearing.h); 0: it does not tear
    double bond_recovery = 0.35;  // s, in which broken bonds grow again
    double torn_yield = 0;        // part of the yield stress that torn liquid keeps
    Vec3d color{0.35, 0.6, 0.9};
    double absorption = 2;  // 1/m, for pictures
    double opacity = 0;     // 0 clear .. 1 opaque, for pictures
    std::string source;     // where the numbers come from

    bool tears() const { return tear_strain > 0 && remembers(); }
    bool remembers() const { return shear_modulus > 0; }
};

}  // namespace rivulet::liquid
