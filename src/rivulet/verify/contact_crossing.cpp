#include <cmath>
#include <functional>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/contact/edge_pair.h>
#include <rivulet/verify/contact_audit.h>
#include <rivulet/verify/contact_rig.h>

/// Nothing passes through anything.
namespace rivulet::verify {
namespace {

constexpr double kRadius = 50e-6, kStep = 1e-3;

strand::StrandMaterial hair() {
    return {};
}

/// Two straight hairs that fly at each other, drawn by chance.
struct Throw {
    strand::EndKind root;
    double speed;
    Vec3d towards, middle[2], along[2];

    Throw(std::uint64_t number, const Vec3d& place) {
        const Random random(31, number);
        root = random.uniform(0) < 0.3 ? strand::EndKind::clamp : strand::EndKind::free;
        speed = 50 * random.uniform(1) * random.uniform(2);
        towards = random.direction(3);
        for (const int k : {0, 1}) {
            const double side = k == 0 ? -1 : 1;
            along[k] = random.direction(k == 0 ? 4 : 5) * 0.02;
            middle[k] = place + towards * (side * (2e-3 + 0.5 * speed * kStep * random.uniform(6))) +
                        towards * (side * 1e-2) + random.direction(7) * (2e-3 * side);
        }
    }
    bool begins_apart() const {
        const auto hair_at = [&](int k) { return contact::Segment{middle[k] - along[k], 2.0 * along[k]}; };
        return length(contact::nearest_places(hair_at(0), hair_at(1)).between) > 2 * kRadius;
    }
};

/// Each pair in a place of its own. Few are drawn that lie in each other; they are drawn again.
void throw_pair(ContactRig& rig, std::size_t number, const Vec3d& place) {
    Throw drawn(number, place);
    for (std::uint64_t again = 1; !drawn.begins_apart(); ++again)
        drawn = Throw(number + 1'000'000 * again, place);
    strand::MakeOptions options;
    options.root = drawn.root;
    for (const int k : {0, 1}) {
        const std::size_t first = rig.strands().vertex_count();
        rig.add_strand(line(drawn.middle[k] - drawn.along[k], drawn.middle[k] + drawn.along[k], 8), kRadius,
                       options);
        if (drawn.root == strand::EndKind::clamp && k == 0) continue;
        for (std::size_t v = first; v < rig.strands().vertex_count(); ++v)
            rig.strands().velocity[v] = drawn.towards * (k == 0 ? drawn.speed : -drawn.speed);
    }
}

struct Watched {
    std::int64_t crossings = 0;
    StepTally tally;
};

Watched watch(ContactRig& rig, int steps, const std::function<void(int)>& drive = {}) {
    CrossingAudit audit;
    Watched found;
    for (int k = 0; k < steps; ++k) {
        if (drive) drive(k);
        const std::vector<Vec3d> before = rig.strands().position;
        found.tally.add(rig.step(kStep));
        audit.look(rig.strands(), before);
    }
    found.crossings = audit.crossings();
    return found;
}

Watched thrown_pairs(std::size_t pairs) {
    ContactRig rig(hair(), 0.3);
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t column = i % 32, row = i / 32 % 32, floor = i / 1024;
        throw_pair(rig, i, Vec3d{double(column), double(row), double(floor)} * 0.5);
    }
    rig.model.gravity = {};
    return watch(rig, 60);
}

/// A hair shot at a net of hairs that are held at both ends, faster than a mesh per step.
Watched bullet_and_net(int threads, double speed, int steps) {
    ContactRig rig(hair(), 0.3);
    strand::MakeOptions held, loose;
    held.tip = strand::EndKind::clamp, loose.root = strand::EndKind::free;
    constexpr double mesh = 5e-3;
    const double half = 0.5 * mesh * (threads + 1);
    for (int i = 0; i < threads; ++i) {
        const double at = mesh * (i - 0.5 * (threads - 1));
        rig.add_strand(
            line({-half, 1.01 * kRadius, at}, {half, 1.01 * kRadius, at}, 3 * std::size_t(threads)), kRadius,
            held);
        rig.add_strand(
            line({at, -1.01 * kRadius, -half}, {at, -1.01 * kRadius, half}, 3 * std::size_t(threads)),
            kRadius, held);
    }
    const std::size_t first = rig.strands().vertex_count();
    rig.add_strand(line({-8e-3, 5e-3, -3e-3}, {8e-3, 9e-3, 4e-3}, 8), kRadius, loose);
    for (std::size_t v = first; v < rig.strands().vertex_count(); ++v)
        rig.strands().velocity[v] = {0, -speed, 0};
    return watch(rig, steps);
}

/// Whole number of turns of two strands about each other, both closed far away on either side.
double closed_linking(const strand::StrandState& s) {
    const auto closed = [&](std::size_t strand, double side) {
        std::vector<Vec3d> points(s.position.begin() + std::ptrdiff_t(s.begin(strand)),
                                  s.position.begin() + std::ptrdiff_t(s.end(strand)));
        const Vec3d first = points.front(), last = points.back();
        points.push_back(last + Vec3d{0, 1, 0});
        points.push_back({side, last.y + 1, 0});
        points.push_back({side, first.y - 1, 0});
        points.push_back(first - Vec3d{0, 1, 0});
        points.push_back(first);
        return points;
    };
    return linking(closed(0, -1), closed(1, 1));
}

struct Twisted {
    double before = 0, after = 0;
    Watched watched;
};

/// Two hairs wound about each other and held at both ends; one of them is shaken and comes back.
Twisted shaken_pair(int turns, int steps) {
    ContactRig rig(hair(), 0.3);
    strand::MakeOptions options;
    options.tip = strand::EndKind::clamp;
    const double height = 0.02 * turns, apart = 4 * kRadius;
    for (const double side : {-1.0, 1.0}) {
        std::vector<Vec3d> points;
        for (int i = 0; i <= 16 * turns; ++i) {
            const double at = i / (16.0 * turns), angle = 2 * std::numbers::pi * turns * at;
            points.push_back({side * apart * std::cos(angle), height * at, side * apart * std::sin(angle)});
        }
        rig.add_strand(points, kRadius, options);
    }
    Twisted found;
    found.before = closed_linking(rig.strands());
    const Vec3d root = rig.model.strands.roots.position[0];
    found.watched = watch(rig, steps, [&](int k) {
        const double phase = 4 * std::numbers::pi * (k + 1) / steps;
        rig.hold_root(0, root + Vec3d{0, 0, 4e-3 * std::sin(phase)});
    });
    found.after = closed_linking(rig.strands());
    return found;
}

Outcome run_no_tunnelling(const Options& o) {
    Outcome out;
    using Kind = Quantity::Kind;
    const auto report = [&](const std::string& name, const Watched& w) {
        out.quantities.push_back({"crossings of " + name, double(w.crossings), 0, 0, Kind::absolute});
        out.remark += name + ": " + w.tally.text() + "; ";
    };
    report("thrown pairs", thrown_pairs(o.quick ? 200 : 1000));
    report("a bullet and a net", bullet_and_net(o.quick ? 4 : 10, 20, o.quick ? 20 : 60));
    const Twisted pair = shaken_pair(2, o.quick ? 80 : 400);
    report("a shaken pair", pair.watched);
    out.quantities.push_back({"linking number of the pair, start", std::abs(pair.before), 2, 1e-6});
    out.quantities.push_back({"linking number of the pair, end", pair.after, pair.before, 1e-6});
    return out;
}

}  // namespace

std::vector<Case> contact_crossing_cases() {
    return {{"contact", "no_tunnelling", "every step watched: axes never cross", run_no_tunnelling}};
}

}  // namespace rivulet::verify
