// Counts allocations, which the sanitizer build cannot.
#ifndef __SANITIZE_ADDRESS__

#include <gtest/gtest.h>

#include "strand/strand_samples.h"
#include "support/counted_allocations.h"

#include <rivulet/base/parallel.h>
#include <rivulet/strand/air_drag.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand {
namespace {

TEST(StrandSolve, AllocatesNothingAfterTheFirstStep) {
    StrandState state = make_strands(samples::curls(30, true));
    const std::vector<StrandMaterial> materials{samples::rubber()};
    std::vector<Vec3d> force(state.vertex_count());
    std::vector<Mat3d> slope(state.vertex_count());
    const std::vector<Vec3d> wind{{2, 0, 1}};
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.force = force;
    loads.force_slope = slope;
    std::vector<double> film(state.vertex_count(), 1e-5);
    loads.film.mass = film;
    Solver solver;
    Motion motion, answer;
    Mobility mobility;
    const auto step = [&] {
        std::fill(force.begin(), force.end(), Vec3d{});
        std::fill(slope.begin(), slope.end(), Mat3d{});
        add_air_drag(state, {}, wind, force, slope);
        solver.solve(state, materials, loads, 0.004, motion, {}, &mobility);
        mobility.invert_band();
        answer.velocity = force;
        answer.twist_velocity = film;
        mobility.apply(answer.velocity, answer.twist_velocity, answer.velocity, answer.twist_velocity);
        commit(state, motion, 0.004);
    };
    // NOTE: one thread, because others warm up their own memory whenever they first take part.
    const long during = with_threads(1, [&] {
        for (int k = 0; k < 3; ++k) step();
        const long before = allocations;
        for (int k = 0; k < 10; ++k) step();
        return allocations - before;
    });
    EXPECT_EQ(during, 0);
}

}  // namespace
}  // namespace rivulet::strand

#endif
