#pragma once

#include <cstdint>

#include <rivulet/base/vec3.h>

namespace rivulet {

/// What every stage may know of the step it works on.
struct StepView {
    double time = 0;  // at the start, s
    double dt = 0;    // s
    std::int64_t step = 0;
    Vec3d gravity;           // m/s^2
    std::uint64_t seed = 0;  // of the run
};

}  // namespace rivulet
