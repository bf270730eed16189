// Counts allocations, which the sanitizer build cannot.
#ifndef __SANITIZE_ADDRESS__

#include <gtest/gtest.h>

#include "fabric/cloth_samples.h"
#include "support/counted_allocations.h"

#include <rivulet/base/parallel.h>

namespace rivulet::fabric {
namespace {

TEST(FabricSolve, AllocatesNothingAfterTheFirstStep) {
    samples::Cloth c(rectangle(0.2, 0.2, 0.02));
    c.crumple(0.004, 0.5);
    Solver solver;
    Motion motion;
    const auto step = [&](Linear linear) {
        solver.solve(c.state, c.mesh, c.materials, {{0, -9.81, 0}, {}, {}, {}}, 1e-3, motion,
                     {.linear = linear});
        commit(c.state, c.mesh.topology, motion, 1e-3);
    };
    // NOTE: one thread, because others warm up their own memory whenever they first take part.
    const long during = with_threads(1, [&] {
        step(Linear::patches);
        const long before = allocations;
        for (const Linear linear : {Linear::patches, Linear::blocks}) step(linear);
        return allocations - before;
    });
    EXPECT_EQ(during, 0);
}

}  // namespace
}  // namespace rivulet::fabric

#endif
