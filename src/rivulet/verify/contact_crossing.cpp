#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/contact/detector.h>
#include <rivulet/contact/strand_edges.h>
#include <rivulet/verify/contact_rig.h>

/// Nothing passes through anything.
namespace rivulet::verify {
namespace {

constexpr double kRadius = 50e-6, kStep = 1e-3;

strand::StrandMaterial hair() {
    return {};
}

/// Watches every step of a rig: how often axes of strands crossed each other or went into walls on the
/// straight way between two states.
class Audit {
 public:
    explicit Audit(ContactRig& rig) : rig_(rig) {}

    world::StepCounts step(double dt) {
        const std::vector<Vec3d> before = rig_.strands().position;
        const world::StepCounts counts = rig_.step(dt);
        strand::StrandState& s = rig_.strands();
        edges_.prepare(s, 0, {}, {});
        std::vector<Vec3d> velocity(before.size());
        for (std::size_t v = 0; v < before.size(); ++v) velocity[v] = s.position[v] - before[v];
        std::vector<Vec3d> after = before;
        std::swap(after, s.position);
        edges_.move(s, velocity, 1);
        // NOTE: axes that come within a twentieth of the thickness count as crossed.
        contact::DetectionSettings settings;
        detector_.detect(edges_.list(s, 0.05), {}, settings, found_);
        for (const contact::Contact& c : found_) crossings += c.hit;
        std::swap(after, s.position);
        retries += counts.retries, zones += counts.contact_zones;
        rounds = std::max(rounds, counts.contact_rounds), contacts = std::max(contacts, counts.contacts);
        residual = std::max(residual, counts.contact_residual);
        return counts;
    }

    std::int64_t crossings = 0, retries = 0, zones = 0, rounds = 0, contacts = 0;
    double residual = 0;

 private:
    ContactRig& rig_;
    contact::StrandEdges edges_;
    contact::Detector detector_;
    std::vector<contact::Contact> found_;
};

/// Two straight hairs that fly at each other, each pair in a place of its own.
void throw_pair(ContactRig& rig, std::size_t number, const Vec3d& place) {
    const Random random(31, number);
    strand::MakeOptions options;
    options.root = random.uniform(0) < 0.3 ? strand::EndKind::clamp : strand::EndKind::free;
    const double speed = 50 * random.uniform(1) * random.uniform(2);
    const Vec3d towards = random.direction(3);
    for (const double side : {-1.0, 1.0}) {
        const Vec3d along = random.direction(side < 0 ? 4 : 5) * 0.02;
        const Vec3d middle = place + towards * (side * (2e-3 + 0.5 * speed * kStep * random.uniform(6))) +
                             towards * (side * 1e-2) + random.direction(7) * (2e-3 * side);
        const std::size_t first = rig.strands().vertex_count();
        rig.add_strand(line(middle - along, middle + along, 8), kRadius, options);
        if (options.root == strand::EndKind::clamp && side < 0) continue;
        for (std::size_t v = first; v < rig.strands().vertex_count(); ++v)
            rig.strands().velocity[v] = towards * (-side * speed);
    }
}

Outcome run_no_tunnelling(const Options& o) {
    ContactRig rig(hair(), 0.3);
    const std::size_t pairs = o.quick ? 200 : 1000;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t column = i % 32, row = i / 32 % 32, floor = i / 1024;
        throw_pair(rig, i, Vec3d{double(column), double(row), double(floor)} * 0.5);
    }
    rig.model.gravity = {};
    Audit audit(rig);
    for (int k = 0; k < 60; ++k) audit.step(kStep);
    Outcome out;
    using Kind = Quantity::Kind;
    out.quantities.push_back({"crossings of thrown pairs", double(audit.crossings), 0, 0, Kind::absolute});
    out.remark = "contacts at most " + std::to_string(audit.contacts) + ", rounds at most " +
                 std::to_string(audit.rounds) + ", zones " + std::to_string(audit.zones) + ", steps halved " +
                 std::to_string(audit.retries) + ", residual " + std::to_string(audit.residual);
    return out;
}

}  // namespace

std::vector<Case> contact_crossing_cases() {
    return {{"contact", "no_tunnelling", "every step watched: axes never cross", run_no_tunnelling}};
}

}  // namespace rivulet::verify
