// Counts allocations, which the sanitizer build cannot.
#ifndef __SANITIZE_ADDRESS__

#include <gtest/gtest.h>

#include "grid/particle_cloud.h"
#include "support/counted_allocations.h"

#include <rivulet/base/parallel.h>
#include <rivulet/grid/submerged_elements.h>

namespace rivulet::grid {
namespace {

TEST(SubmergedElements, AllocateNothingAfterTheFirstStep) {
    const ParticleCloud cloud(4000, 12, 0.02);
    SubmergedElements elements;
    elements.resize(cloud.position.size());
    elements.position = cloud.position;
    elements.velocity = cloud.velocity;
    elements.volume = cloud.volume;
    WetElements wet;
    SubmergedFields fields;
    std::vector<Vec3d> impulse(elements.size());
    const auto step = [&] {
        wet.sort(cloud.topology, elements);
        rasterise(cloud.topology, wet, elements, fields);
        sample_at_elements(cloud.topology, wet, elements, fields.flux, impulse);
        hand_to_elements(cloud.topology, wet, elements, fields, Share::volume, fields.flux, impulse);
    };
    // NOTE: one thread, because the pool itself allocates tasks now and then.
    with_threads(1, [&] {
        step();
        const long before = allocations;
        step();
        EXPECT_EQ(allocations - before, 0);
    });
}

}  // namespace
}  // namespace rivulet::grid

#endif
