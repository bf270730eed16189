#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rivulet/strand/make.h>
#include <rivulet/verify/case.h>
#include <rivulet/world/stepper.h>

namespace rivulet::verify {

/// Strands and obstacles on the bench, stepped by the whole step with contact. Add obstacles, then strands,
/// then step; model and world may be changed before the first step and between steps.
class ContactRig {
 public:
    world::Model model;
    world::World world;

    explicit ContactRig(const strand::StrandMaterial& material, double friction);

    /// Solid below the plane.
    void add_plane(const Vec3d& point, const Vec3d& normal);
    void add_cylinder(const Vec3d& from, const Vec3d& to, double radius);
    void add(obstacle::ObstacleDescription description);
    /// Strands of material 0.
    void add_strands(const strand::Curves& curves, const strand::MakeOptions& options);
    void add_strand(const std::vector<Vec3d>& points, double radius, const strand::MakeOptions& options);

    /// A film of even cross-section [m²] on all strands there are, of a liquid of this surface tension [N/m]
    /// that meets strands and obstacles under this angle [rad].
    void wet(double area, double tension, double angle);

    /// One step of this length.
    world::StepCounts step(double dt);

    /// Where the held ends of a strand are at the end of the next step.
    void hold_root(std::size_t strand, const Vec3d& position);
    void hold_tip(std::size_t strand, const Vec3d& position);

    strand::StrandState& strands() { return world.strands; }
    /// Of an edge, by its first vertex [N].
    double tension(std::size_t edge) const;
    double energy() const;

 private:
    void begin();

    std::vector<obstacle::ObstacleDescription> obstacles_;
    double friction_, angle_ = 0;
    std::unique_ptr<world::Stepper> stepper_;
};

/// Points of a straight line.
std::vector<Vec3d> line(const Vec3d& from, const Vec3d& to, std::size_t segments);

}  // namespace rivulet::verify
