#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <rivulet/verify/case.h>
#include <rivulet/world/stepper.h>

namespace rivulet::verify {

/// A liquid scene for validation, run by the real Stepper. Put obstacles and liquid in, then `start`.
class LiquidRig {
 public:
    explicit LiquidRig(double cell);

    /// A box with liquid inside its walls.
    void add_tank(const Vec3d& min, const Vec3d& max, const std::vector<obstacle::Motion>& motion = {},
                  const obstacle::Wall& wall = {});
    void add_obstacle(const obstacle::ObstacleDescription& description);
    void add_liquid(const geometry::ShapeDescription& shape, double jitter, std::uint8_t material = 0);
    void add_box_of_liquid(const Vec3d& min, const Vec3d& max, double jitter, std::uint8_t material = 0);
    /// Adds velocity(position) to every particle.
    void push(const std::function<Vec3d(const Vec3d&)>& velocity);
    /// Gives every particle this velocity gradient.
    void set_affine(const std::function<Mat3d(const Vec3d&)>& gradient);

    /// Builds the stepper; liquid and obstacles are complete.
    void start();
    world::StepCounts step();
    /// Steps until `end` [s], calling `each` after every step.
    void run_until(double end, const std::function<void()>& each = {});

    double time() const { return world.clock.time; }
    world::Metrics metrics() const { return world::measure(model, world, counts_); }
    double max_speed() const;
    Vec3d centre() const;  // of volume, m
    double total_energy() const;
    /// Volume inside the particles' level set [m^3].
    double geometric_volume() const;
    /// Particles inside a solid now.
    std::size_t outside() const;
    const world::Stepper& stepper() const { return *stepper_; }

    world::Model model;
    world::World world;

 private:
    std::vector<obstacle::ObstacleDescription> obstacles_;
    std::unique_ptr<world::Stepper> stepper_;
    world::StepCounts counts_;
};

/// Angular frequency [1/s] of an oscillation about 0 that starts there, from its later passages; 0: too few.
double frequency_of_crossings(const Curve& curve);

/// Value against a bound.
Quantity at_most(std::string name, double value, double bound);
Quantity at_least(std::string name, double value, double bound);
/// Value against a reference, tolerance relative to it.
Quantity near(std::string name, double value, double reference, double relative);
/// |present + out − in − initial| over all that came in: round-off in every case.
Quantity ledger_residual(const LiquidRig& rig);

}  // namespace rivulet::verify
