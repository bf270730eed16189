#include <rivulet/scene/fall.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <rivulet/geometry/mesh_library.h>
#include <rivulet/liquid/source.h>
#include <rivulet/scene/box_samples.h>

namespace rivulet::scene {
namespace {

/// Walks out of a shape along a direction; the first place outside.
Vec3d way_out(const geometry::Shape& shape, Vec3d x, const Vec3d& direction, double cell) {
    for (int step = 0; step < 1000; ++step) {
        const double d = shape.distance(x);
        if (d >= 0) break;
        x += direction * std::max(-d, 0.5 * cell);
    }
    return x;
}

/// How far a straight way is free, at most `most`; walls thinner than `least` may be missed [m].
double way_to_wall(const geometry::SolidField& solids, const Vec3d& from, const Vec3d& way, double least,
                   double most) {
    double gone = 0;
    while (gone < most) {
        const double free = solids.distance(from + way * gone, 0);
        if (free <= 0) return gone;
        gone += std::max(free, least);
    }
    return most;
}

class Falls {
 public:
    Falls(const world::Model& model, std::vector<geometry::Shape> fills)
        : model_(model), solids_(model.obstacles.field_over(0, 1 / model.fps)), fills_(std::move(fills)) {
        down_ = normalized_or(model.gravity, {0, -1, 0});
        // Nothing falls farther than in the whole time, or than out of the region that is kept.
        most_ = 0.5 * length(model.gravity) * model.end_time * model.end_time + model.cell;
    }

    Fall of_fill(std::size_t i, const Liquid& liquid, bool thick) const {
        const geometry::Shape& shape = fills_[i];
        Fall fall;
        fall.speed = length(liquid.velocity);
        fall.thick = thick;
        bool held = true;
        double lowest = most_;
        const Vec3d size = shape.bounds().size();
        const double share = size.x * size.y * size.z / (kSamples * kSamples * kSamples);
        for_samples(shape.bounds(), [&](const Vec3d& x) {
            if (shape.distance(x) >= 0) return;
            fall.volume += share;
            if (solids_.distance(x, 0) < 0) return;
            held = held && is_held(shape, x);
            const double below = drop(x);
            fall.height = std::max(fall.height, below);
            lowest = std::min(lowest, below);
        });
        if (held || thick) fall.height = held ? 0 : lowest;
        if (thick) fall.stop = fall.duration(length(model_.gravity));
        if (!held && !thick) run_off(fall, shape.bounds(), fall.volume, lowest);
        return fall;
    }
    Fall of_inflow(const liquid::Inflow& inflow, std::size_t index) const {
        const liquid::InflowSource source(inflow, index, model_.cell, model_.seed,
                                          static_cast<std::uint64_t>(model_.liquid.most_particles));
        Fall fall;
        fall.start = inflow.start;
        fall.speed = source.speed();
        fall.height = drop(inflow.shape->bounds().centre());
        fall.thick = is_thick(model_.liquid.materials[inflow.material]);
        const double time = std::min(inflow.stop, model_.end_time) - inflow.start;
        const double flows = std::max(0.0, source.cross_section() * source.speed() * time);
        if (!fall.thick) run_off(fall, inflow.shape->bounds(), inflow.total > 0 ? inflow.total : flows);
        return fall;
    }

 private:
    /// What hits something may fly aside by its height, and fall on from there; `volume` in all. Of a fill
    /// that is let go: what of it is `lowest` meets it first.
    void run_off(Fall& fall, const geometry::Bounds& box, double volume,
                 std::optional<double> lowest = std::nullopt) const {
        if (is_walled_in(box.centre()) || is_caught(box.centre(), volume)) return;
        const double gravity = length(model_.gravity);
        if (lowest) {
            fall.scatters = true;
            fall.spread = std::sqrt(fall.speed * fall.speed + 2 * gravity * fall.height);
            Fall first = fall;
            first.height = *lowest;
            fall.impact = first.duration(gravity);
            if (model_.liquid.keep) fall.room = level_area(model_.liquid.keep->size());
        }
        const Vec3d side = any_perpendicular(down_), other = cross(down_, side);
        const double aside = fall.height + length(box.size());
        for (const Vec3d& way : {side, -side, other, -other}) {
            const Vec3d from = box.centre() + way * aside;
            if (solids_.distance(from, 0) <= 0) continue;
            fall.height = std::max(fall.height, drop(from));
            fall.leaves = fall.leaves || (model_.liquid.keep && drop(from) >= way_to_edge(from));
        }
    }
    double way_to_edge(const Vec3d& x) const {
        const auto& keep = model_.liquid.keep;
        if (!keep) return most_;
        const double edge = dot(keep->centre() - x, down_) + 0.5 * std::abs(dot(keep->size(), down_));
        return std::clamp(edge, 0.0, most_);
    }
    double drop(const Vec3d& x) const { return height_over_solids(solids_, x, down_, way_to_edge(x)); }
    /// Solid, or other liquid, on all sides but the upper one.
    bool is_held(const geometry::Shape& shape, const Vec3d& x) const {
        const Vec3d side = any_perpendicular(down_), other = cross(down_, side);
        for (const Vec3d& way : {down_, side, -side, other, -other}) {
            const Vec3d beyond = way_out(shape, x, way, model_.cell) + way * model_.cell;
            if (solids_.distance(beyond, 0) > 0 && !in_liquid(beyond)) return false;
        }
        return true;
    }
    /// In a container, so that drops cannot fly away.
    bool is_walled_in(const Vec3d& x) const {
        for (std::size_t i = 0; i < solids_.size(); ++i) {
            const geometry::Solid& solid = solids_.solid(i);
            if (solid.liquid_inside && !solid.shape->is_half_space() && solids_.distance_to(i, x, 0) > 0)
                return true;
        }
        return false;
    }
    /// Falls into a vessel that holds all of it.
    bool is_caught(const Vec3d& x, double volume) const {
        const double fallen = drop(x);
        if (fallen >= way_to_edge(x)) return false;
        return held_over(solids_, x + down_ * fallen, down_, model_.cell, volume) >= volume;
    }
    double level_area(const Vec3d& size) const {
        const double height = std::abs(dot(size, down_));
        return height > 0 ? size.x * size.y * size.z / height : 1e30;
    }
    bool in_liquid(const Vec3d& x) const {
        return std::any_of(fills_.begin(), fills_.end(),
                           [&](const geometry::Shape& s) { return s.distance(x) < 0; });
    }

    const world::Model& model_;
    geometry::SolidField solids_;
    std::vector<geometry::Shape> fills_;
    Vec3d down_;
    double most_ = 0;
};

}  // namespace

bool is_thick(const liquid::LiquidMaterial& material) {
    return material.remembers() || material.viscosity >= kThick;
}

double Fall::duration(double gravity) const {
    return gravity > 0 ? (std::sqrt(speed * speed + 2 * gravity * height) - speed) / gravity : 0;
}

double Fall::speed_at(double t, double gravity) const {
    if (t < start || t > stop) return 0;
    return std::min(speed + gravity * (t - start), std::sqrt(speed * speed + 2 * gravity * height));
}

double height_over_solids(const geometry::SolidField& solids, const Vec3d& from, const Vec3d& down,
                          double most) {
    constexpr int kSteps = 200;
    double fallen = 0;
    for (int i = 0; i < kSteps && fallen < most; ++i) {
        const double free = solids.distance(from + down * fallen, 0);
        if (free <= 1e-4 * most) return fallen;
        fallen += free;
    }
    return std::min(fallen, most);
}

double held_over(const geometry::SolidField& solids, const Vec3d& floor, const Vec3d& down, double cell,
                 double asked) {
    constexpr int kWays = 8, kMostLevels = 200;
    const Vec3d side = any_perpendicular(down), other = cross(down, side);
    const double size = std::cbrt(asked), level = std::max(0.5 * cell, size / 16),
                 farthest = 20 * size + cell;
    double held = 0;
    for (int k = 0; k < kMostLevels && held < asked; ++k) {
        const Vec3d x = floor - down * ((k + 0.5) * level);
        if (solids.distance(x, 0) <= 0) continue;  // not yet over a floor that slants
        double area = 0;
        for (int way = 0; way < kWays; ++way) {
            const double angle = 2 * std::numbers::pi * way / kWays;
            const Vec3d aside = side * std::cos(angle) + other * std::sin(angle);
            const double free = way_to_wall(solids, x, aside, 0.5 * level, farthest);
            if (free >= farthest) return held;
            area += std::numbers::pi / kWays * free * free;
        }
        held += area * level;
    }
    return held;
}

std::vector<Fall> falls_of(const Scene& scene, const world::Model& model) {
    geometry::MeshLibrary meshes(0.5 * model.cell);
    std::vector<geometry::Shape> fills;
    for (const Liquid& liquid : scene.liquids)
        fills.emplace_back(liquid.fill, "", meshes.loader("liquid." + liquid.name + ".fill"));
    const Falls falls(model, std::move(fills));
    std::vector<Fall> out;
    for (std::size_t i = 0; i < scene.liquids.size(); ++i)
        out.push_back(falls.of_fill(i, scene.liquids[i],
                                    is_thick(scene.materials[std::size_t(scene.liquids[i].material)])));
    for (std::size_t i = 0; i < model.liquid.inflows.size(); ++i)
        out.push_back(falls.of_inflow(model.liquid.inflows[i], i));
    return out;
}

}  // namespace rivulet::scene
