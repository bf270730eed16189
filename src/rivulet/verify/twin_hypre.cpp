#include <rivulet/verify/twin_hypre.h>

#ifdef RIVULET_BENCH_TWINS
#include <chrono>
#include <cmath>
#include <vector>

#include <HYPRE_struct_ls.h>
#include <mpi.h>
#endif

namespace rivulet::verify {

#ifdef RIVULET_BENCH_TWINS

std::optional<TwinSolve> hypre_pfmg_tank(int n) {
    int started = 0;
    MPI_Initialized(&started);
    if (!started) MPI_Init(nullptr, nullptr);
    int low[3] = {0, 0, 0}, high[3] = {n - 1, n - 1, n - 1};
    HYPRE_StructGrid grid;
    HYPRE_StructGridCreate(MPI_COMM_SELF, 3, &grid);
    HYPRE_StructGridSetExtents(grid, low, high);
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencil stencil;
    HYPRE_StructStencilCreate(3, 4, &stencil);
    int offsets[4][3] = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int s = 0; s < 4; ++s) HYPRE_StructStencilSetElement(stencil, s, offsets[s]);
    HYPRE_StructMatrix a;
    HYPRE_StructMatrixCreate(MPI_COMM_SELF, grid, stencil, &a);
    HYPRE_StructMatrixSetSymmetric(a, 1);
    HYPRE_StructMatrixInitialize(a);
    const std::size_t cells = std::size_t(n) * std::size_t(n) * std::size_t(n);
    std::vector<double> entry(4 * cells), b(cells), x(cells, 0.0);
    std::size_t c = 0;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i, ++c) {
                const double up = (i + 1 < n) + (k + 1 < n) + (j + 1 < n ? 1.0 : 2.0);
                entry[4 * c] = up + (i > 0) + (j > 0) + (k > 0);
                entry[4 * c + 1] = i > 0 ? -1 : 0;
                entry[4 * c + 2] = j > 0 ? -1 : 0;
                entry[4 * c + 3] = k > 0 ? -1 : 0;
                b[c] = std::sin(40.0 * i / n) * std::cos(31.0 * j / n) + 0.3 * k / n;
            }
    int entries[4] = {0, 1, 2, 3};
    HYPRE_StructMatrixSetBoxValues(a, low, high, 4, entries, entry.data());
    HYPRE_StructMatrixAssemble(a);
    HYPRE_StructVector hb, hx;
    for (auto [vector, values] : {std::pair{&hb, &b}, std::pair{&hx, &x}}) {
        HYPRE_StructVectorCreate(MPI_COMM_SELF, grid, vector);
        HYPRE_StructVectorInitialize(*vector);
        HYPRE_StructVectorSetBoxValues(*vector, low, high, values->data());
        HYPRE_StructVectorAssemble(*vector);
    }
    HYPRE_StructSolver cg, pfmg;
    HYPRE_StructPCGCreate(MPI_COMM_SELF, &cg);
    HYPRE_StructPCGSetTol(cg, 1e-6);
    HYPRE_StructPCGSetTwoNorm(cg, 1);
    HYPRE_StructPFMGCreate(MPI_COMM_SELF, &pfmg);
    HYPRE_StructPFMGSetMaxIter(pfmg, 1);
    HYPRE_StructPFMGSetTol(pfmg, 0);
    HYPRE_StructPFMGSetZeroGuess(pfmg);
    HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
    TwinSolve result;
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
    const auto begin = now();
    HYPRE_StructPCGSetup(cg, a, hb, hx);
    const auto ready = now();
    HYPRE_StructPCGSolve(cg, a, hb, hx);
    const auto end = now();
    result.setup_seconds = seconds(begin, ready);
    result.solve_seconds = seconds(ready, end);
    HYPRE_StructPCGGetNumIterations(cg, &result.iterations);
    HYPRE_StructPFMGDestroy(pfmg);
    HYPRE_StructPCGDestroy(cg);
    HYPRE_StructVectorDestroy(hb);
    HYPRE_StructVectorDestroy(hx);
    HYPRE_StructMatrixDestroy(a);
    HYPRE_StructStencilDestroy(stencil);
    HYPRE_StructGridDestroy(grid);
    return result;
}

#else

std::optional<TwinSolve> hypre_pfmg_tank(int) {
    return std::nullopt;
}

#endif

}  // namespace rivulet::verify
