#pragma once

#include <rivulet/scene/build.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {

/// Takes the room that strands fill from the liquid they start in: its particles get smaller there. Refuses
/// strands that leave liquid too little of the space between them.
void make_room_for_strands(const Scene& scene, Built& built);

}  // namespace rivulet::scene
