#include <rivulet/verify/contact_rig.h>

#include <numbers>

#include <rivulet/strand/energy.h>
#include <rivulet/strand/held_ends.h>
#include <rivulet/strand/mass.h>

namespace rivulet::verify {

ContactRig::ContactRig(const strand::StrandMaterial& material, double friction) : friction_(friction) {
    model.strands.materials = {material};
    model.contact.law = world::ContactLaw::cone;
    model.contact.cohesion = world::Cohesion::none;
    model.end_time = 1e6;
}

void ContactRig::add(obstacle::ObstacleDescription description) {
    description.name = "obstacle_" + std::to_string(obstacles_.size());
    obstacles_.push_back(std::move(description));
}

void ContactRig::add_plane(const Vec3d& point, const Vec3d& normal) {
    obstacle::ObstacleDescription d;
    d.shape.type = geometry::ShapeType::plane;
    d.shape.point = point;
    d.shape.normal = normal;
    add(std::move(d));
}

void ContactRig::add_cylinder(const Vec3d& from, const Vec3d& to, double radius) {
    obstacle::ObstacleDescription d;
    d.shape.type = geometry::ShapeType::cylinder;
    d.shape.from = from, d.shape.to = to, d.shape.radius = radius;
    add(std::move(d));
}

void ContactRig::add_strands(const strand::Curves& curves, const strand::MakeOptions& options) {
    strand::MakeOptions own = options;
    const std::size_t first = world.strands.strand_count();
    own.first_id = first;
    strand::append(world.strands, strand::make_strands(curves, own));
    const std::size_t last = world.strands.strand_count();
    strand::bind_ends(world.strands, {strand::End::root, first, last, options.root, -1}, {},
                      model.strands.roots);
    strand::bind_ends(world.strands, {strand::End::tip, first, last, options.tip, -1}, {},
                      model.strands.tips);
}

void ContactRig::add_strand(const std::vector<Vec3d>& points, double radius,
                            const strand::MakeOptions& options) {
    strand::Curves curves;
    curves.add_strand(points, std::vector<double>(points.size(), radius));
    add_strands(curves, options);
}

void ContactRig::wet(double area, double tension, double angle) {
    liquid::LiquidMaterial water;
    water.name = "liquid";
    water.surface_tension = tension;
    model.liquid.materials = {water};
    model.contact.cohesion = world::Cohesion::bridge;
    angle_ = angle;
    const strand::StrandState& s = world.strands;
    world.film = film::dry_film(strand::vertex_lengths(s), 1);
    world.film.area.assign(s.vertex_count(), area);
    world.film.share.assign(s.vertex_count(), 1);
}

void ContactRig::begin() {
    model.obstacles = obstacle::ObstacleSet(obstacles_, 0.01);
    world::ContactModel& contact = model.contact;
    contact.strand_materials = model.strands.materials.size();
    contact.obstacles = obstacles_.size();
    contact.pairs.assign(contact.strand_materials * (contact.strand_materials + contact.obstacles),
                         {friction_, friction_, std::vector<double>(model.liquid.materials.size(), angle_),
                          std::vector<double>(model.liquid.materials.size(), angle_)});
    stepper_ = std::make_unique<world::Stepper>(model);
}

world::StepCounts ContactRig::step(double dt) {
    if (!stepper_) begin();
    // One step is one frame, so that it is as long as asked for.
    model.fps = 1 / dt;
    model.step.max = dt;
    world.clock.frame = 0, world.clock.time = 0;
    return stepper_->advance(world);
}

void ContactRig::hold_root(std::size_t strand, const Vec3d& position) {
    model.strands.roots.position[strand] = position;
}

void ContactRig::hold_tip(std::size_t strand, const Vec3d& position) {
    model.strands.tips.position[strand] = position;
}

double ContactRig::tension(std::size_t edge) const {
    const strand::StrandState& s = world.strands;
    const double r = 0.5 * (s.radius[edge] + s.radius[edge + 1]), rest = s.rest_length[edge];
    const double stretch = length(s.position[edge + 1] - s.position[edge]) / rest - 1;
    return model.strands.materials[0].youngs_modulus * std::numbers::pi * r * r * stretch;
}

double ContactRig::energy() const {
    const strand::Totals t = strand::totals(world.strands, model.strands.materials, model.gravity);
    return t.kinetic + t.elastic + t.gravity;
}

std::vector<Vec3d> line(const Vec3d& from, const Vec3d& to, std::size_t segments) {
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i <= segments; ++i)
        points.push_back(from + (to - from) * (double(i) / double(segments)));
    return points;
}

}  // namespace rivulet::verify
