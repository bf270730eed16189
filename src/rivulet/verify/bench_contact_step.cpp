#include <cmath>
#include <numbers>

#include <rivulet/base/machine.h>
#include <rivulet/base/parallel.h>
#include <rivulet/base/random.h>
#include <rivulet/contact/cone_solver.h>
#include <rivulet/contact/detector.h>
#include <rivulet/contact/strand_answers.h>
#include <rivulet/contact/strand_cones.h>
#include <rivulet/strand/groom.h>
#include <rivulet/strand/root_sampling.h>
#include <rivulet/strand/solve.h>
#include <rivulet/verify/bench_case.h>
#include <rivulet/verify/contact_rig.h>

/// The cones alone, and whole steps of strands in contact.
namespace rivulet::verify {
namespace {

constexpr double kRadius = 50e-6;  // m

/// Hairs of 30 vertices packed like pencils, pressed together and stirred: each vertex touches six others,
/// which detection finds four times.
struct PackedHair {
    static constexpr double kStep = 1e-3;
    strand::StrandState state;
    strand::Motion motion;
    strand::Mobility mobility;
    contact::StrandEdges edges;
    std::vector<contact::Cone> cones;
    std::size_t detected = 0;  // repeats included

    explicit PackedHair(std::size_t strands) {
        strand::Curves curves;
        const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(double(strands))));
        for (std::size_t i = 0; i < strands; ++i) {
            const std::size_t row = i / side, column = i % side;
            const Vec3d at{0, kRadius * double(2 * column + row % 2), std::sqrt(3.0) * kRadius * double(row)};
            curves.add_strand(line(at, at + Vec3d{0.06, 0, 0}, 29), std::vector<double>(30, kRadius));
        }
        state = strand::make_strands(curves);
        const Vec3d middle{0, kRadius * double(side), 0.5 * std::sqrt(3.0) * kRadius * double(side)};
        for (std::size_t v = 0; v < state.vertex_count(); ++v) {
            const Vec3d out = state.position[v] - middle;
            state.velocity[v] =
                Random(5, v).direction(0) * 0.01 - Vec3d{0, out.y, out.z} * (0.05 / (kRadius * double(side)));
        }
        const std::vector<strand::StrandMaterial> materials(1);
        strand::Loads loads;
        loads.gravity = {0, -9.81, 0};
        strand::Solver().solve(state, materials, loads, kStep, motion, {}, &mobility);
        mobility.invert_band();
        edges.prepare(state, 0, {}, {});
        edges.move(state, motion.velocity, kStep);
        std::vector<contact::Contact> contacts;
        contact::DetectionSettings near;
        near.margin = 0.1 * kRadius;
        contact::Detector().detect(edges.list(state), {}, near, contacts);
        detected = contacts.size();
        for (const contact::Contact& c : contacts) {
            if (c.repeats) continue;
            cones.push_back(contact::cone_of(c, state, edges, kStep));
            cones.back().friction = 0.3;
        }
    }
};

Counters solve_benchmark(const BenchOptions& options) {
    Counters counters;
    const std::vector<std::size_t> sizes =
        options.quick ? std::vector<std::size_t>{9, 81} : std::vector<std::size_t>{9, 81, 676, 5776};
    for (const std::size_t strands : sizes) {
        PackedHair hair(strands);
        contact::StrandAnswers::Memory memory;
        const contact::StrandAnswers answers(hair.state, hair.mobility, memory);
        contact::ConeSolver solver;
        std::vector<Vec3d> impulse(hair.cones.size()), free = hair.motion.velocity;
        const double n = double(hair.cones.size());
        const std::string size = std::to_string(hair.cones.size()) + "_contacts.";
        const auto take = [&](const std::string& name, double tolerance) {
            contact::ConeReport report;
            const double seconds = best_processor_seconds(1, [&] {
                report = solver.solve(hair.cones, answers, free, hair.motion.twist_velocity,
                                      {tolerance, 1000}, impulse);
            });
            counters.add(size + name + "_iterations", report.iterations);
            counters.add(size + name + "_microseconds_per_contact", 1e6 * seconds / n);
        };
        take("cold_1e-3", 1e-3);
        for (std::size_t v = 0; v < free.size(); ++v) free[v] += Random(7, v).direction(0) * 1e-4;
        take("warm_1e-3", 1e-3);
        for (std::size_t v = 0; v < free.size(); ++v) free[v] += Random(8, v).direction(0) * 1e-4;
        take("warm_1e-4", 1e-4);
        counters.add(size + "detected_with_repeats", double(hair.detected));
        counters.add(size + "bytes_per_contact",
                     double(solver.memory() + hair.cones.size() * sizeof(contact::Cone)) / n);
    }
    return counters;
}

/// Steps of a rig: `rest` of them go by, then `steps` are measured.
Counters whole_steps(ContactRig& rig, double dt, int rest, int steps) {
    for (int k = 0; k < rest; ++k) rig.step(dt);
    double contacts = 0, rounds = 0, iterations = 0, zones = 0, retries = 0, worst = 0;
    const double seconds = best_processor_seconds(1, [&] {
        for (int k = 0; k < steps; ++k) {
            const world::StepCounts c = rig.step(dt);
            contacts += double(c.contacts), rounds += double(c.contact_rounds);
            iterations += double(c.contact_iterations), zones += double(c.contact_zones);
            retries += double(c.retries), worst = std::max(worst, c.contact_residual);
        }
    });
    const double vertices = double(rig.strands().vertex_count()), n = double(steps);
    Counters counters;
    counters.add("vertices", vertices);
    counters.add("contacts_per_vertex", contacts / n / vertices);
    counters.add("core_seconds_per_step", seconds / n);
    counters.add("microseconds_per_vertex", 1e6 * seconds / n / vertices);
    counters.add("rounds", rounds / n);
    counters.add("iterations", iterations / n);
    counters.add("largest_residual", worst);
    counters.add("zones", zones);
    counters.add("steps_halved", retries);
    return counters;
}

/// Fei et al. 2019 fig. 13: two crossed bundles, the upper one pressed onto the lower one by its fall.
Counters bundles_benchmark(const BenchOptions& options) {
    strand::StrandMaterial hair;
    hair.youngs_modulus = 1e9, hair.density = 1320;
    ContactRig rig(hair, 0.16);
    const std::size_t count = options.quick ? 137 : 1096;
    const double width = 9e-3 * std::sqrt(double(count) / 1096);
    strand::GroomStyle style;
    style.length = 0.06, style.segment = 1.5e-3, style.radius_root = style.radius_tip = kRadius;
    strand::MakeOptions held;
    for (const bool upper : {false, true}) {
        strand::BrushGroom brush;
        brush.count = count, brush.size = {width, width};
        brush.center = upper ? Vec3d{0, 1.02 * width, -0.03} : Vec3d{-0.03, 0, 0};
        brush.direction = upper ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
        brush.side = {0, 1, 0};
        held.tip = upper ? strand::EndKind::free : strand::EndKind::clamp;
        const std::size_t first = rig.strands().vertex_count();
        rig.add_strands(grow(strand::brush_roots(brush), style), held);
        if (!upper) continue;
        for (std::size_t v = first; v < rig.strands().vertex_count(); ++v)
            rig.strands().velocity[v] = {0, -0.5 * (rig.strands().position[v].z + 0.03) / 0.06, 0};
    }
    Counters counters = whole_steps(rig, 2e-4, options.quick ? 40 : 60, 10);
    counters.add("published_microseconds_per_vertex", 36);
    return counters;
}

/// Curls on a ball that have fallen together: soft hair, so that it lies on itself within the steps that go
/// by before.
Counters hair_ball_benchmark(const BenchOptions& options) {
    strand::StrandMaterial soft;
    soft.youngs_modulus = 1e7;
    ContactRig rig(soft, 0.3);
    strand::BallGroom ball;
    ball.count = options.quick ? 500 : 10000;
    ball.radius = 0.03 * std::sqrt(double(ball.count) / 10000);
    obstacle::ObstacleDescription solid;
    solid.shape.type = geometry::ShapeType::sphere;
    solid.shape.center = {}, solid.shape.radius = ball.radius - 1e-4;
    rig.add(solid);
    strand::GroomStyle style;
    style.length = 0.087, style.segment = 3e-3, style.radius_root = 50e-6, style.radius_tip = 40e-6;
    style.lean_spread = 0.15, style.curl_radius = 2e-3, style.curl_pitch = 0.03, style.seed = 5;
    rig.add_strands(grow(strand::ball_roots(ball), style), {});
    return whole_steps(rig, 1e-3, 100, 5);
}

}  // namespace

std::vector<BenchCase> contact_step_benchmarks() {
    return {{"contact", "solve",
             "cones of packed hair, cold and warm; at most 10 us per contact, warm to 1e-4", solve_benchmark},
            {"contact", "bundles", "two crossed bundles at 0.2 ms; published: 36 us per vertex and step",
             bundles_benchmark},
            {"contact", "hair_ball", "10 000 curls on a ball; at most 3 us per vertex and 12 per contact",
             hair_ball_benchmark}};
}

}  // namespace rivulet::verify
