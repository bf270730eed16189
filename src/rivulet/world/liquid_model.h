#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <rivulet/geometry/bounds.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/liquid/material.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/relax.h>
#include <rivulet/liquid/resample.h>
#include <rivulet/liquid/shear_solver.h>
#include <rivulet/liquid/sink.h>
#include <rivulet/liquid/source.h>
#include <rivulet/liquid/viscous_projection.h>

namespace rivulet::world {

/// What the bulk liquid of a run is made of and how it is solved; does not change while it runs.
struct LiquidModel {
    std::vector<liquid::LiquidMaterial> materials;
    bool surface_tension = false;          // of the bulk
    bool whole_halo = false;               // blocks around those of particles that none reaches, for tests
    std::optional<geometry::Bounds> keep;  // liquid outside is taken away
    std::vector<std::shared_ptr<const geometry::Shape>> shapes;  // of sources and sinks, which point here
    std::vector<liquid::Inflow> inflows;
    std::vector<liquid::Sink> sinks;
    std::int64_t most_particles = 50'000'000;
    liquid::PressureOptions pressure;
    liquid::ViscosityOptions viscosity;
    liquid::ShearOptions shear;
    liquid::RelaxRule relax;
    liquid::ResampleRule resample;

    /// A liquid has elastic memory.
    bool remembers() const {
        for (const liquid::LiquidMaterial& m : materials)
            if (m.remembers()) return true;
        return false;
    }
};

}  // namespace rivulet::world
