#pragma once

#include <rivulet/scene/scene.h>
#include <rivulet/world/contact_model.h>

namespace rivulet::scene {

/// How every two things that may touch do so: by the rule, or as their pair says. Between two strand
/// materials the geometric mean of their friction, each with its own contact angle; a strand on an obstacle
/// has its own friction, and its contact angle counts for both.
world::ContactModel build_contact(const Scene& scene);

}  // namespace rivulet::scene
