#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <rivulet/coupling/face_boundary.h>
#include <rivulet/grid/extrapolate.h>
#include <rivulet/grid/level_set.h>
#include <rivulet/grid/paths.h>
#include <rivulet/grid/transfer.h>
#include <rivulet/liquid/fill.h>
#include <rivulet/liquid/particles.h>
#include <rivulet/liquid/pressure_solver.h>
#include <rivulet/liquid/relax.h>
#include <rivulet/liquid/resample.h>
#include <rivulet/obstacle/collide.h>
#include <rivulet/obstacle/obstacle_set.h>

using namespace rivulet;

namespace {

constexpr double kCell = 1.0 / 16, kGravity = 9.81;

/// All stages of the bulk liquid put together by hand, in a box tank of 1 × 1 × 1/4 m.
class Tank {
 public:
    Tank(const Vec3d& fill_to, const std::vector<obstacle::Motion>& motion) {
        obstacle::ObstacleDescription tank;
        tank.name = "tank";
        tank.side = obstacle::Side::inside;
        tank.shape.type = geometry::ShapeType::box;
        tank.shape.max = {1, 1, 0.25};
        tank.motion = motion;
        walls_ = {tank.wall};
        obstacles_ = obstacle::ObstacleSet({tank}, kCell / 2);
        geometry::ShapeDescription column;
        column.type = geometry::ShapeType::box;
        column.max = fill_to;
        const geometry::Shape shape(column);
        liquid::Fill fill;
        fill.shape = &shape;
        start_volume = liquid::fill_shape(front, fill, {}, {}, kCell, 1, 1000000).volume;
    }

    void step() {
        double fastest = 0;
        for (const Vec3d& v : front.velocity) fastest = std::max(fastest, length(v));
        const double dt = std::min(0.01, kCell / (fastest + std::sqrt(kGravity * kCell)));
        const geometry::SolidField solids = obstacles_.field_over(time, dt);
        builder_.start(kCell, {});
        builder_.add_points(front.position);
        builder_.build(topology_);
        sorter_.sort(topology_, front.position, order_);
        liquid::sort_particles(topology_, order_, front, back_);
        coupling::find_boundary(topology_, solids, walls_, boundary_);
        grid::find_level_set(topology_, order_, back_.position, back_.volume, &boundary_.free_kernel,
                             fraction_, phi_);
        grid::Field open;
        coupling::find_open_volume(topology_, solids, open);
        geometric_volume = grid::volume_inside(topology_, phi_, &open);
        coupling::continue_into_solids(topology_, boundary_, phi_);
        make_divergence_free(dt);
        relaxation_.solve(topology_, fraction_, phi_, &boundary_.faces.open, {}, work_, shift_);
        grid::grid_to_particle(topology_, order_, velocity_, back_.position, back_.velocity, back_.affine);
        move(solids, dt);
        resampler_.run(
            back_, topology_, order_, fraction_, [&](const Vec3d& x) { return solids.distance(x, 1); }, 1);
        for (const Vec3d& x : back_.position) outside += solids.distance(x, 1) < 0;
        std::swap(front, back_);
        time += dt;
    }

    liquid::LiquidState front;
    double time = 0, start_volume = 0, geometric_volume = 0;
    int outside = 0;

 private:
    void make_divergence_free(double dt) {
        grid::particle_to_grid(
            topology_, order_,
            {back_.position, back_.velocity, back_.affine, back_.volume, back_.material, density_}, mass_,
            velocity_);
        grid::velocity_from_momentum(mass_, velocity_);
        for (std::size_t f = 0; f < topology_.cells(); ++f)
            if (mass_[1][f] > 0) velocity_[1][f] -= kGravity * dt;
        grid::FaceFlow flow;
        flow.start(boundary_.faces, density_[0]);
        projection_.project({topology_, phi_, boundary_.faces, flow, dt}, {}, velocity_, pressure_);
        grid::faces_of_liquid(topology_, phi_, known_);
        extrapolation_.run(topology_, 4, velocity_, known_);
    }
    void move(const geometry::SolidField& solids, double dt) {
        path_end_.resize(back_.size());
        grid::trace_paths(topology_, order_, velocity_, &shift_, back_.position, back_.velocity, dt,
                          path_end_);
        parallel_for(back_.size(), [&](std::size_t p) {
            const obstacle::Moved moved = obstacle::move_point(solids, back_.position[p], path_end_[p],
                                                               back_.velocity[p], 1e-3 * kCell);
            back_.position[p] = moved.position;
            back_.velocity[p] = moved.velocity;
        });
    }

    obstacle::ObstacleSet obstacles_;
    std::vector<obstacle::Wall> walls_;
    liquid::LiquidState back_;
    grid::TopologyBuilder builder_;
    grid::Topology topology_;
    grid::ParticleSorter sorter_;
    grid::ParticleOrder order_;
    grid::Extrapolation extrapolation_;
    liquid::DensityRelaxation relaxation_;
    liquid::Resampler resampler_;
    liquid::Projection projection_;
    coupling::SolidBoundary boundary_;
    grid::FaceField mass_, velocity_, shift_, work_;
    grid::FaceFlags known_;
    grid::Field fraction_, phi_, pressure_;
    std::vector<double> density_{1000};
    std::vector<Vec3d> path_end_;
};

double mean_height(const liquid::LiquidState& s) {
    double sum = 0, volume = 0;
    for (std::size_t i = 0; i < s.size(); ++i) sum += s.volume[i] * s.position[i].y, volume += s.volume[i];
    return sum / volume;
}

}  // namespace

TEST(Tank, StillLiquidStaysStill) {
    Tank tank({1, 0.4, 0.25}, {});
    while (tank.time < 1) tank.step();
    EXPECT_EQ(tank.outside, 0);
    EXPECT_NEAR(mean_height(tank.front), 0.2, 0.02 * 0.2);
    double fastest = 0;
    for (const Vec3d& v : tank.front.velocity) fastest = std::max(fastest, length(v));
    EXPECT_LT(fastest, 0.05);
    EXPECT_NEAR(tank.geometric_volume, tank.start_volume, 0.02 * tank.start_volume);
}

TEST(Tank, DamBreakKeepsItsVolumeAndComesToRestLevel) {
    Tank tank({0.375, 0.625, 0.25}, {});
    double largest = 0, smallest = 1e300;
    while (tank.time < 2.5) {
        tank.step();
        largest = std::max(largest, tank.geometric_volume);
        smallest = std::min(smallest, tank.geometric_volume);
    }
    EXPECT_EQ(tank.outside, 0);
    EXPECT_NEAR(liquid::total_volume(tank.front), tank.start_volume, 1e-13);
    // Coarse splashes a cell thick count for more or less than they hold.
    EXPECT_LT(largest, 1.05 * tank.start_volume);
    EXPECT_GT(smallest, 0.95 * tank.start_volume);
    EXPECT_NEAR(tank.geometric_volume, tank.start_volume, 0.02 * tank.start_volume);
    const double level = tank.start_volume / 0.25;
    EXPECT_NEAR(mean_height(tank.front), level / 2, 0.12 * level);
}

TEST(Tank, SloshingGivesTheSameBitsForAnyNumberOfThreads) {
    obstacle::Motion shake;
    shake.type = obstacle::MotionType::oscillate;
    shake.amplitude = {0.06, 0, 0};
    shake.period = 0.6;
    const auto run = [&](int threads) {
        Tank tank({1, 0.4, 0.25}, {shake});
        with_threads(threads, [&] {
            for (int i = 0; i < 40; ++i) tank.step();
        });
        EXPECT_EQ(tank.outside, 0);
        return std::tuple(tank.front.id, tank.front.position, tank.front.velocity, tank.front.affine,
                          tank.front.volume);
    };
    EXPECT_TRUE(run(1) == run(2));
}
