#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rivulet/elastic/point_loads.h>
#include <rivulet/fabric/mesh.h>

namespace rivulet::fabric {

/// A motion over one step: what the solve returns and `commit` carries out.
struct Motion {
    std::vector<Vec3d> velocity;  // per vertex, at the end of the step, m/s
    std::vector<Vec3d> director;  // per edge, at the end of the step
};

/// How the linear system of a Newton step is solved: conjugate gradients with the blocks of the diagonal,
/// with patches of the mesh moving rigidly on top, by what the step's length makes cheaper, or by a
/// factorisation.
enum class Linear { best, blocks, patches, factor };

struct SolveOptions {
    double tolerance = 1e-4;         // velocity change at which an iteration is the last [m/s]
    double linear_tolerance = 1e-3;  // of the linear system's residual
    int most_iterations = 40;
    Linear linear = Linear::best;
    bool guess_given = false;  // begin with what `Motion` holds instead of free flight
};

struct SolveReport {
    int not_positive = 0;  // Newton steps whose compression had to be cut
    int iterations = 0;    // Newton
    std::int64_t linear_iterations = 0;
    double change = 0;  // last velocity change [m/s]
};

/// Implicit Euler step of all cloth for given loads: the minimum of the incremental potential
///   Σ m/(2 dt²) |x − x̂|² + elastic energy + dissipation − work of the loads.
/// Finds the velocity at the end of the step; nothing moves: `commit` carries a motion out. May be called
/// several times a step. Memory only, no truth: a new solver gives the same bits, for any number of threads.
/// Nothing is allocated once the mesh is known (but by `Linear::factor`). Throws StepFailed.
class Solver {
 public:
    Solver();
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    SolveReport solve(const FabricState& state, const Mesh& mesh, std::span<const FabricMaterial> materials,
                      const elastic::PointLoads& loads, double dt, Motion& motion,
                      const SolveOptions& options = {});

    /// Memory held for solving [bytes].
    std::size_t memory() const;

 private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

/// Positions move by dt × velocity, directors to where the motion has them.
void commit(FabricState& state, const Topology& topology, const Motion& motion, double dt);

}  // namespace rivulet::fabric
