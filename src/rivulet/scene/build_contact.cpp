#include <rivulet/scene/build_contact.h>

#include <cmath>
#include <utility>

namespace rivulet::scene {
namespace {

world::ContactPair by_the_rule(const Scene& scene, const strand::StrandMaterial& one,
                               const strand::StrandMaterial& other) {
    const std::size_t liquids = scene.materials.size();
    return {std::sqrt(one.friction_dry * other.friction_dry),
            std::sqrt(one.friction_wet * other.friction_wet), std::vector<double>(liquids, one.contact_angle),
            std::vector<double>(liquids, other.contact_angle)};
}

void override_with(const ContactPair& written, world::ContactPair& pair) {
    if (written.friction_dry >= 0) pair.friction_dry = written.friction_dry;
    if (written.friction_wet >= 0) pair.friction_wet = written.friction_wet;
    for (const ValueOf& angle : written.contact_angle)
        pair.angle[std::size_t(angle.index)] = pair.other_angle[std::size_t(angle.index)] = angle.value;
}

}  // namespace

world::ContactModel build_contact(const Scene& scene) {
    const Contact& contact = scene.contact;
    world::ContactModel model;
    model.law = contact.law;
    model.cohesion = contact.cohesion;
    model.margin = contact.margin;
    model.tolerance = contact.tolerance;
    model.rounds = contact.rounds;
    model.penalty = contact.penalty;
    model.strand_materials = scene.strand_materials.size();
    model.obstacles = scene.obstacles.size();
    for (const strand::StrandMaterial& one : scene.strand_materials) {
        for (const strand::StrandMaterial& other : scene.strand_materials)
            model.pairs.push_back(by_the_rule(scene, one, other));
        model.pairs.insert(model.pairs.end(), model.obstacles, by_the_rule(scene, one, one));
    }
    for (const ContactPair& written : contact.pairs) {
        auto [a, b] = written.materials;
        if (a.kind == ContactPair::obstacle) std::swap(a, b);
        const auto one = std::size_t(a.index), other = std::size_t(b.index);
        if (b.kind == ContactPair::obstacle) {
            override_with(written, model.with_obstacle(one, other));
            continue;
        }
        override_with(written, model.between(one, other));
        if (one != other) override_with(written, model.between(other, one));
    }
    return model;
}

}  // namespace rivulet::scene
