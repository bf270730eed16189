#pragma once

#include <optional>

namespace rivulet::verify {

struct TwinSolve {
    double setup_seconds = 0, solve_seconds = 0;
    int iterations = 0;
};

/// PFMG-preconditioned CG of hypre on the full tank of n³ cells (closed sides and floor, surface on the top
/// faces) to 1e-6, in this process alone. Nothing when built without RIVULET_BENCH_TWINS.
std::optional<TwinSolve> hypre_pfmg_tank(int n);

}  // namespace rivulet::verify
