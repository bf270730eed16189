#pragma once

#include <rivulet/base/error.h>

namespace rivulet::world {

/// The scene's own limit stops the step: no smaller step can help, and none is tried.
class LimitReached : public StepFailed {
 public:
    using StepFailed::StepFailed;
};

}  // namespace rivulet::world
