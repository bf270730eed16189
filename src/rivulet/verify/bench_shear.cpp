#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/liquid/particle_strain.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/shear_operator.h>
#include <rivulet/verify/bench_case.h>
#include <rivulet/verify/shear_rig.h>

namespace rivulet::verify {
namespace {

/// Makes the rig's liquid a thick one; density [kg/m^3], moduli [Pa].
void fill_with(LiquidRig& rig, double density, const liquid::FlowCurve& curve, double shear_modulus,
               double bulk_modulus) {
    liquid::LiquidMaterial& m = make_thick(rig, curve, shear_modulus);
    m.density = density;
    m.bulk_modulus = bulk_modulus;
}

/// Shaving cream of diss. table 15.2.
constexpr liquid::FlowCurve kShavingCream{18.417, 17.821, 0.22};
void fill_with_cream(LiquidRig& rig) {
    fill_with(rig, 200, kShavingCream, 290, 1.09e5);
}

/// A cube of cream, 8 particles per cell, strained past yield here and there.
struct CreamCube {
    LiquidRig rig{0.005};
    grid::Topology topology;
    grid::ParticleOrder order;
    liquid::LiquidState state;
    std::vector<liquid::ParticleLaw> laws;
    linear::AlignedVector<double> velocity;

    explicit CreamCube(int cells) {
        fill_with_cream(rig);
        const double width = cells * rig.model.cell;
        rig.add_box_of_liquid({0, 0, 0}, {width, width, width}, 0.5);
        liquid::start_strain(rig.world.liquid);
        grid::TopologyBuilder builder;
        builder.start(rig.model.cell, {});
        builder.add_points(rig.world.liquid.position);
        builder.build(topology);
        grid::ParticleSorter().sort(topology, rig.world.liquid.position, order);
        liquid::sort_particles(topology, order, rig.world.liquid, state);
        laws = liquid::particle_laws(rig.model.liquid.materials);
        const Random random(1, 0);
        velocity.resize(3 * topology.cells());
        for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] = random.uniform(i) - 0.5;
        for (std::size_t i = 0; i < state.size(); ++i) {
            Mat3d c;
            c(0, 1) = 60 * (random.uniform(i + 10'000'000) - 0.5);
            state.affine[i] = c;
        }
    }
};

Counters product(const BenchOptions& options) {
    const CreamCube cube(options.quick ? 24 : 50);
    const double n = double(cube.state.size()), dt = 2e-3;
    const liquid::ShearParticles particles{cube.topology, cube.order,          cube.state,
                                           cube.laws,     cube.state.material, dt};
    liquid::LiquidState moved = cube.state;
    Counters counters;
    counters.add("particles", n);
    const double flow =
        best_processor_seconds(5, [&] { liquid::deform_particles(cube.laws, moved.material, dt, moved); });
    counters.add("plastic_updates_per_second_and_core", n / flow);
    grid::FaceField mass, momentum;
    const std::vector<double> density{200};
    const double there = best_processor_seconds(5, [&] {
        grid::particle_to_grid(
            cube.topology, cube.order,
            {moved.position, moved.velocity, moved.affine, moved.volume, moved.material, density}, mass,
            momentum);
    });
    const double back = best_processor_seconds(5, [&] {
        grid::grid_to_particle(cube.topology, cube.order, momentum, moved.position, moved.velocity,
                               moved.affine);
    });
    liquid::ShearOperator op;
    linear::AlignedVector<double> out(cube.velocity.size());
    const double evaluate = best_processor_seconds(
        3, [&] { op.evaluate(particles, cube.velocity, out, liquid::ShearOperator::Digits::single); });
    const double apply = best_processor_seconds(5, [&] { op.apply(particles, cube.velocity, out); });
    counters.add("transfers_per_second_and_core", n / (there + back));
    counters.add("stress_evaluations_per_second_and_core", n / evaluate);
    counters.add("jacobian_products_per_second_and_core", n / apply);
    counters.add("product_over_transfer_rate", (there + back) / apply);
    return counters;
}

/// What the steps of a run did, each as a mean over them.
struct StepMeans {
    double seconds = 0, processor_seconds = 0, particles = 0;
    double products = 0, most_products = 0, newton = 0, pressure = 0, dt = 0, cells = 0;
};
StepMeans take_steps(LiquidRig& rig, int steps) {
    StepMeans m;
    const double processor_before = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) {
        const world::StepCounts c = rig.step();
        m.products += double(c.shear_iterations) / steps;
        m.most_products = std::max(m.most_products, double(c.shear_iterations));
        m.newton += double(c.newton_iterations) / steps;
        m.pressure += double(c.pressure_iterations) / steps;
        m.dt += c.dt / steps;
        m.cells += double(c.grid_cells) / steps;
        m.particles += double(rig.world.liquid.size()) / steps;
    }
    m.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / steps;
    m.processor_seconds = (processor_seconds() - processor_before) / steps;
    return m;
}

struct Stretch {
    int warm_up, steps;
    int times = 1;  // that the same steps are taken; the fastest count
};

/// Whole steps after the first few, with the growth of the peak memory since `memory_before`.
Counters measure_steps(LiquidRig& rig, const Stretch& stretch, double memory_before) {
    rig.model.fps = 30;
    rig.model.step.max = 1.0 / 30;
    add_floor(rig, sticking_wall());
    rig.push([](const Vec3d&) { return Vec3d{0, -1, 0}; });
    rig.start();
    for (int i = 0; i < stretch.warm_up; ++i) rig.step();
    const world::World start = stretch.times > 1 ? rig.world : world::World{};
    StepMeans m = take_steps(rig, stretch.steps);
    const double memory = double(peak_memory_bytes()) - memory_before;
    for (int time = 1; time < stretch.times; ++time) {
        rig.world = start;
        const StepMeans again = take_steps(rig, stretch.steps);
        if (again.processor_seconds < m.processor_seconds) m = again;
    }
    const double n = m.particles;
    Counters counters;
    counters.add("particles", n);
    counters.add("seconds_per_step", m.seconds);
    counters.add("step", m.dt);
    counters.add("microseconds_per_particle_step_and_core", 1e6 * m.seconds * thread_count() / n);
    counters.add("processor_microseconds_per_particle_step", 1e6 * m.processor_seconds / n);
    counters.add("grid_cells_per_particle", m.cells / n);
    counters.add("products_per_step", m.products);
    counters.add("most_products_in_a_step", m.most_products);
    counters.add("newton_steps_per_step", m.newton);
    counters.add("pressure_iterations_per_step", m.pressure);
    counters.add("bytes_per_particle", memory / n);
    counters.remark =
        "processor time is that of all threads: other work on the machine does not count in it; bytes per "
        "particle are the growth of the peak memory, roll-back copy and grid included";
    if (stretch.times > 1)
        counters.remark +=
            ", and a copy of the start: the same steps are taken several times, the fastest time counts";
    return counters;
}

Counters pour(const BenchOptions& options) {
    // A column of cream falls on a plate: 2·40³·8 = 1.02 M particles, 2·16³·8 = 66 k.
    const int cells = options.quick ? 16 : 40;
    const double memory_before = double(restart_peak_memory());
    LiquidRig rig(0.2 / cells);
    fill_with_cream(rig);
    rig.add_box_of_liquid({0, 0, 0}, {0.2, 0.4, 0.2}, 0.5);
    return measure_steps(rig, {3, options.quick ? 8 : 4}, memory_before);
}

/// A body of as many particles as the published cow has, in cells of 5 mm.
Counters cream_body_of(int per_cell, double density, const liquid::FlowCurve& curve, double shear_modulus,
                       double bulk_modulus) {
    const double memory_before = double(restart_peak_memory());
    LiquidRig rig(0.005);
    fill_with(rig, density, curve, shear_modulus, bulk_modulus);
    rig.model.liquid.resample.per_cell = {per_cell};
    geometry::ShapeDescription ball;
    ball.type = geometry::ShapeType::sphere;
    ball.radius = std::cbrt(77'000 * 0.75 / std::numbers::pi / per_cell) * rig.model.cell;
    ball.center = {0, ball.radius, 0};
    rig.add_liquid(ball, 0.5);
    return measure_steps(rig, {5, 12, 3}, memory_before);
}

Counters cream_body(const BenchOptions&) {
    return cream_body_of(64, 200, kShavingCream, 290, 2.5e4);
}

Counters lean_body(const BenchOptions&) {
    return cream_body_of(8, 275, {69.28, 3.220, 0.27}, 1600, 1.09e5);
}

/// The published stream of mud: 1 cm wide, cells of 5 mm, 64 particles in each, let in with 80 cm/s, falls
/// 20 cm on a plate; at the time when it has 10 k particles.
Counters mud_stream(const BenchOptions&) {
    const double memory_before = double(restart_peak_memory());
    LiquidRig rig(0.005);
    fill_with(rig, 1220, liquid::von_mises_to_flow_curve(3.06, 0.1259, 0.8175), 1000, 2e9);
    geometry::ShapeDescription mouth;
    mouth.type = geometry::ShapeType::cylinder;
    mouth.radius = rig.model.cell;
    mouth.from = {0, 0.20, 0};
    mouth.to = {0, 0.2025, 0};
    rig.model.liquid.shapes.push_back(std::make_shared<geometry::Shape>(mouth));
    liquid::Inflow inflow;
    inflow.shape = rig.model.liquid.shapes.back().get();
    inflow.velocity = {0, -0.8, 0};
    inflow.particles_per_cell = 64;
    rig.model.liquid.resample.per_cell = {inflow.particles_per_cell};
    rig.model.liquid.inflows.push_back(inflow);
    return measure_steps(rig, {98, 40, 5}, memory_before);
}

Counters lean_stream(const BenchOptions&) {
    const double memory_before = double(restart_peak_memory());
    LiquidRig rig(0.005);
    fill_with(rig, 1220, {0.9707, 0.3839, 0.5173}, 100, 2e9);
    geometry::ShapeDescription stream;
    stream.type = geometry::ShapeType::cylinder;
    stream.radius = 3 * rig.model.cell;
    stream.to = {0, 44 * rig.model.cell, 0};
    rig.add_liquid(stream, 0.5);
    return measure_steps(rig, {10, 40, 5}, memory_before);
}

}  // namespace

std::vector<BenchCase> shear_benchmarks() {
    return {
        {"shear", "product",
         "plastic update; Jacobian product at 0.6 or more of the rate of particle to grid and back", product},
        {"shear", "pour",
         "whole step of 1 M particles of shaving cream at Courant number 1: at most 20 us per "
         "particle-step and core (a tenth of the published 206 us), 600 B per particle",
         pour},
        {"shear", "cream_body",
         "77 k particles of cream fall as a body, 64 per cell as published: at most 2.1 us per particle-step "
         "and core (a tenth of the published 21 us)",
         cream_body},
        {"shear", "mud_stream",
         "10 k particles of mud fall as a stream, 64 per cell as published: at most 1.6 us per particle-step "
         "and core (a tenth of the published 16 us)",
         mud_stream},
        {"shear", "lean_body", "the body of milk cream with 8 particles per cell, eight times its cells",
         lean_body},
        {"shear", "lean_stream",
         "a stream of drilling mud with 8 particles per cell, three cells in radius, falls from rest",
         lean_stream}};
}

}  // namespace rivulet::verify
