#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/commit.h>
#include <rivulet/strand/make.h>
#include <rivulet/strand/rod_loader.h>
#include <rivulet/strand/rod_newton.h>
#include <rivulet/strand/solve.h>
#include <rivulet/verify/bench_case.h>

/// Hair of 30 vertices, 15 cm long, held level by clamped roots and let go.
namespace rivulet::verify {
namespace {

using namespace strand;

constexpr std::size_t kVertices = 30;
constexpr double kStep = 1.0 / 240;  // s: about 3 Newton iterations

StrandState hair(std::size_t strands, bool curly) {
    Curves curves;
    std::vector<Vec3d> x(kVertices);
    const std::vector<double> radius(kVertices, 40e-6);
    for (std::size_t s = 0; s < strands; ++s) {
        const std::size_t row = s / 300;
        const Vec3d root{0, 1e-3 * double(s % 300), 1e-3 * double(row)};
        const double curl = curly ? 4e-3 : 0, phase = 0.01 * double(s);
        for (std::size_t i = 0; i < kVertices; ++i) {
            const double along = 0.15 * double(i) / double(kVertices - 1);
            const double a = 2 * std::numbers::pi * along / 0.03 + phase;
            x[i] = root + Vec3d{along, curl * std::cos(a), curl * std::sin(a)};
        }
        curves.add_strand(x, radius);
    }
    return make_strands(curves);
}

template <class State>
std::size_t bytes_of(const State& state) {
    std::size_t bytes = 0;
    visit_fields(state, [&](const FieldInfo&, const auto& field) {
        using Field = std::remove_cvref_t<decltype(field)>;
        if constexpr (HasFields<Field>)
            bytes += bytes_of(field);
        else if constexpr (requires { field.capacity(); })
            bytes += field.capacity() * sizeof(field[0]);
    });
    return bytes;
}

std::size_t bytes_held(const StrandState& state, const Motion& motion, const Solver& solver) {
    return bytes_of(state) + motion.velocity.capacity() * sizeof(Vec3d) +
           motion.twist_velocity.capacity() * sizeof(double) + solver.memory();
}

Counters run_steps(std::size_t strands, bool curly, int steps) {
    StrandState state = hair(strands, curly);
    const std::vector<StrandMaterial> materials(1);
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    Solver solver;
    Motion motion;
    std::uint64_t iterations = 0;
    double solving = 0, moving = 0;
    using Clock = std::chrono::steady_clock;
    for (int k = -1; k < steps; ++k) {  // the first step warms up
        const auto begin = Clock::now();
        const SolveReport report = solver.solve(state, materials, loads, kStep, motion);
        const auto middle = Clock::now();
        commit(state, motion, kStep);
        if (k < 0) continue;
        solving += std::chrono::duration<double>(middle - begin).count();
        moving += std::chrono::duration<double>(Clock::now() - middle).count();
        iterations += report.iterations;
    }
    const double vertex_steps = double(state.vertex_count()) * steps, cores = double(thread_count());
    Counters c;
    c.add("vertex_steps_per_second_per_core", vertex_steps / (solving + moving) / cores);
    c.add("vertex_steps_per_second", vertex_steps / (solving + moving));
    c.add("newton_iterations", double(iterations) / (double(strands) * steps));
    c.add("microseconds_per_vertex_and_iteration",
          solving * cores * 1e6 / (double(iterations) * double(kVertices)));
    c.add("commit_share", moving / (solving + moving));
    c.add("bytes_per_vertex", double(bytes_held(state, motion, solver)) / double(state.vertex_count()));
    return c;
}

/// What a solve that can be asked again costs more than one that cannot, by processor time.
Counters run_answers(const BenchOptions& options) {
    const StrandState state = hair(options.quick ? 1000 : 10000, true);
    const std::vector<StrandMaterial> materials(1);
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    Solver solver;
    Motion motion;
    Mobility mobility;
    std::vector<Vec3d> impulse(state.vertex_count(), Vec3d{0, 1e-9, 0});
    std::vector<double> turn(state.vertex_count(), 0.0);
    const double vertices = double(state.vertex_count());
    const auto nanoseconds = [&](const auto& work) {
        work();  // warms up
        return 1e9 / vertices * best_processor_seconds(5, work);
    };
    const auto solve = [&](Mobility* keep) {
        solver.solve(state, materials, loads, kStep, motion, {}, keep);
    };
    const double plain = nanoseconds([&] { solve(nullptr); });
    const double kept = nanoseconds([&] { solve(&mobility); });
    const double inverse = nanoseconds([&] { mobility.invert_band(); });
    const double product = nanoseconds([&] { mobility.apply(impulse, turn, impulse, turn); });
    Counters c;
    c.add("solve_nanoseconds_per_vertex", plain);
    c.add("keeping_over_solve", (kept - plain) / plain);
    c.add("inverse_band_over_solve", inverse / plain);
    c.add("product_over_solve", product / plain);
    c.add("inverse_band_nanoseconds_per_vertex", inverse);
    c.add("product_nanoseconds_per_vertex", product);
    const double without = double(bytes_held(state, motion, solver));
    c.add("bytes_per_vertex_without", without / vertices);
    c.add("bytes_per_vertex", (without + double(mobility.memory())) / vertices);
    return c;
}

/// Parts of one Newton iteration, one pack of four strands at a time [ns per vertex].
Counters run_kernels(const BenchOptions& options) {
    const StrandState state = hair(4, true);
    const std::vector<StrandMaterial> materials(1);
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    RodProblem<Pack> p;
    const StepInput input{state, materials, loads, kStep};
    const Lanes<Pack> lanes{{0, 1, 2, 3}};
    const int times = options.quick ? 2000 : 20000;
    const double vertices = 4.0 * double(kVertices) * times;
    const std::size_t n = unknown_count(kVertices);
    const auto nanoseconds = [&](const auto& work) {
        return 1e9 / vertices * best_processor_seconds(3, [&] {
                   for (int k = 0; k < times; ++k) work();
               });
    };
    Counters c;
    c.add("load", nanoseconds([&] { RodLoader<Pack>(input, lanes).load(p); }));
    c.add("energy_gradient_hessian", nanoseconds([&] { evaluate_potential(p, p.guess, Pack(1.0)); }));
    const std::vector<Pack> band = p.band;
    const double copying = nanoseconds([&] { p.band = band; });
    c.add("factorisation", nanoseconds([&] {
                               p.band = band;
                               Band::factorise<Pack>(p.band, n);
                           }) - copying);
    p.band = band;
    Band::factorise<Pack>(p.band, n);
    c.add("solve", nanoseconds([&] {
              p.direction = p.gradient;
              Band::solve<Pack>(p.band, n, p.direction);
          }));
    std::vector<Pack> inverse(Band::factor_size(n));
    c.add("inverse_band", nanoseconds([&] { Band::invert_in_band<Pack>(p.band, n, inverse); }));
    return c;
}

}  // namespace

std::vector<BenchCase> strand_benchmarks() {
    std::vector<BenchCase> all;
    const std::string target = "; at least 150 k vertex-steps/s per core, at most 1500 bytes per vertex";
    for (const std::size_t strands : {1, 100, 10000, 100000})
        for (const bool curly : {false, true}) {
            const std::string kind = curly ? "curly" : "straight";
            // The contract's names stand for ten thousand strands.
            const std::string name = strands == 10000 ? kind : kind + "_" + std::to_string(strands);
            all.push_back({"strand", name,
                           std::to_string(strands) + " " + kind + " strands of 30 vertices" + target,
                           [=](const BenchOptions& options) {
                               const std::size_t vertices = strands * kVertices;
                               const std::size_t wanted = options.quick ? 100000 : 1000000;
                               const std::size_t steps =
                                   std::max<std::size_t>(wanted / vertices, options.quick ? 1 : 3);
                               return run_steps(strands, curly, int(std::min<std::size_t>(steps, 1000)));
                           }});
        }
    all.push_back(
        {"strand", "kernels", "nanoseconds per vertex of the parts of a Newton iteration", run_kernels});
    all.push_back(
        {"strand", "answers",
         "price of keeping factors, of the band of the inverse and of one product with it, as parts "
         "of a solve; at most 1200 bytes per vertex with all of it",
         run_answers});
    return all;
}

}  // namespace rivulet::verify
