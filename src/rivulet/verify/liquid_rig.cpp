#include <rivulet/verify/liquid_rig.h>

#include <cmath>
#include <numbers>
#include <utility>

#include <rivulet/base/parallel.h>
#include <rivulet/coupling/face_boundary.h>
#include <rivulet/grid/level_set.h>
#include <rivulet/liquid/fill.h>
#include <rivulet/liquid/particles.h>

namespace rivulet::verify {

LiquidRig::LiquidRig(double cell) {
    model.cell = cell;
    model.fps = 100;
    model.step.max = 0.01;
    model.step.courant = 1;
    model.end_time = 1e9;
    liquid::LiquidMaterial water;
    water.density = 998.2;
    water.viscosity = 1.0016e-3;
    model.liquid.materials = {water};
}

void LiquidRig::add_tank(const Vec3d& min, const Vec3d& max, const std::vector<obstacle::Motion>& motion,
                         const obstacle::Wall& wall) {
    obstacle::ObstacleDescription tank;
    tank.name = "tank";
    tank.side = obstacle::Side::inside;
    tank.shape.type = geometry::ShapeType::box;
    tank.shape.min = min;
    tank.shape.max = max;
    tank.motion = motion;
    tank.wall = wall;
    add_obstacle(tank);
}

void LiquidRig::add_obstacle(const obstacle::ObstacleDescription& description) {
    obstacles_.push_back(description);
}

void LiquidRig::add_liquid(const geometry::ShapeDescription& description, double jitter,
                           std::uint8_t material) {
    const geometry::Shape shape(description);
    liquid::Fill fill;
    fill.shape = &shape;
    fill.jitter = jitter;
    fill.material = material;
    fill.particles_per_cell = model.liquid.resample.in_full_cell(material);
    liquid::fill_shape(world.liquid, fill, {}, {}, model.cell, 1, 100'000'000);
}

void LiquidRig::add_box_of_liquid(const Vec3d& min, const Vec3d& max, double jitter, std::uint8_t material) {
    geometry::ShapeDescription box;
    box.min = min;
    box.max = max;
    add_liquid(box, jitter, material);
}

void LiquidRig::push(const std::function<Vec3d(const Vec3d&)>& velocity) {
    auto& l = world.liquid;
    for (std::size_t i = 0; i < l.size(); ++i) l.velocity[i] += velocity(l.position[i]);
}

void LiquidRig::set_affine(const std::function<Mat3d(const Vec3d&)>& gradient) {
    auto& l = world.liquid;
    for (std::size_t i = 0; i < l.size(); ++i) l.affine[i] = gradient(l.position[i]);
}

void LiquidRig::start() {
    model.obstacles = obstacle::ObstacleSet(obstacles_, 0.5 * model.cell);
    world.ledger.open(world::present_liquid(world));
    stepper_ = std::make_unique<world::Stepper>(model);
}

world::StepCounts LiquidRig::step() {
    counts_ = stepper_->advance(world);
    return counts_;
}

void LiquidRig::run_until(double end, const std::function<void()>& each) {
    while (world.clock.time < end - 1e-9) {
        step();
        if (each) each();
    }
}

double LiquidRig::max_speed() const {
    return liquid::max_speed(world.liquid);
}

Vec3d LiquidRig::centre() const {
    const auto& l = world.liquid;
    Vec3d sum;
    double volume = 0;
    for (std::size_t i = 0; i < l.size(); ++i) {
        sum += l.volume[i] * l.position[i];
        volume += l.volume[i];
    }
    return sum / volume;
}

double LiquidRig::total_energy() const {
    const world::Metrics m = metrics();
    return m.energy_kinetic + m.energy_gravity;
}

double LiquidRig::geometric_volume() const {
    grid::TopologyBuilder builder;
    grid::Topology topology;
    builder.start(model.cell, model.period);
    builder.add_points(world.liquid.position);
    builder.build(topology);
    grid::ParticleSorter sorter;
    grid::ParticleOrder order;
    sorter.sort(topology, world.liquid.position, order);
    liquid::LiquidState sorted;
    liquid::sort_particles(topology, order, world.liquid, sorted);
    std::vector<obstacle::Wall> walls;
    for (std::size_t i = 0; i < model.obstacles.size(); ++i) walls.push_back(model.obstacles.wall(i));
    coupling::SolidBoundary boundary;
    // NOTE: the boundary is that at the end of an interval; a very short one asks for it now.
    const geometry::SolidField solids = model.obstacles.field_over(world.clock.time - 1e-9, 1e-9);
    coupling::find_boundary(topology, solids, walls, boundary);
    grid::Field fraction, phi, open;
    grid::find_level_set(topology, order, sorted.position, sorted.volume, &boundary.free_kernel, fraction,
                         phi);
    coupling::continue_into_solids(topology, boundary, phi);
    coupling::find_open_volume(topology, solids, open);
    return grid::volume_inside(topology, phi, &open);
}

std::size_t LiquidRig::outside() const {
    const geometry::SolidField solids = model.obstacles.field_over(world.clock.time - 1e-9, 1e-9);
    std::size_t count = 0;
    if (!solids.empty())
        for (const Vec3d& x : world.liquid.position) count += solids.distance(x, 1) < -1e-9;
    return count;
}

double frequency_of_crossings(const Curve& curve) {
    std::vector<double> crossings;
    for (std::size_t i = 2; i < curve.x.size(); ++i) {
        const double a = curve.y[i - 1], b = curve.y[i];
        if (a * b < 0) crossings.push_back(curve.x[i - 1] + a / (a - b) * (curve.x[i] - curve.x[i - 1]));
    }
    if (crossings.size() < 2) return 0;
    return std::numbers::pi * double(crossings.size() - 1) / (crossings.back() - crossings.front());
}

Quantity at_most(std::string name, double value, double bound) {
    return {std::move(name), value, bound, 0, Quantity::Kind::at_most, {}, {}};
}
Quantity at_least(std::string name, double value, double bound) {
    return {std::move(name), value, bound, 0, Quantity::Kind::at_least, {}, {}};
}
Quantity near(std::string name, double value, double reference, double relative) {
    return {std::move(name), value, reference, relative, Quantity::Kind::relative, {}, {}};
}

Quantity ledger_residual(const LiquidRig& rig) {
    // 1e-13: a few hundred units in the last place of the sum.
    return at_most("ledger residual", std::abs(rig.world.ledger.error(world::present_liquid(rig.world))),
                   1e-13);
}

}  // namespace rivulet::verify
