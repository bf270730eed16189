#pragma once

#include <rivulet/geometry/bounds.h>

namespace rivulet::scene {

inline constexpr int kSamples = 16;  // per axis of a bounding box

/// body(point) for a lattice of points in the box.
template <class F>
void for_samples(const geometry::Bounds& box, F&& body) {
    const Vec3d size = box.max - box.min;
    for (int k = 0; k < kSamples; ++k)
        for (int j = 0; j < kSamples; ++j)
            for (int i = 0; i < kSamples; ++i)
                body(Vec3d{box.min.x + (i + 0.5) / kSamples * size.x,
                           box.min.y + (j + 0.5) / kSamples * size.y,
                           box.min.z + (k + 0.5) / kSamples * size.z});
}

}  // namespace rivulet::scene
