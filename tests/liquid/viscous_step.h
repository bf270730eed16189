#pragma once

#include <rivulet/liquid/viscous_projection.h>

namespace rivulet::liquid {

/// Viscosity and pressure of one step without walls that cling.
struct ViscousStep {
    Projection pressure;
    ViscousProjection viscous;
    ViscosityReport diffused, coupled;

    PressureReport run(const PressureDomain& flow, const grid::Field& viscosity,
                       const PressureOptions& pressure_options, const ViscosityOptions& options,
                       grid::FaceField& velocity, grid::Field& found) {
        pressure.assemble(flow);
        const ViscousDomain domain{flow, pressure.system().liquid, viscosity, nullptr};
        diffused = viscous.diffuse(domain, options, velocity);
        return viscous.project(domain, pressure_options, options, pressure, velocity, found, coupled);
    }
    bool has_pressure(std::size_t cell) const { return pressure.system().liquid[cell] != 0; }
};

}  // namespace rivulet::liquid
