#include <rivulet/world/liquid_flight.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/parallel.h>
#include <rivulet/liquid/particles.h>

namespace rivulet::world {
namespace {

/// Cells that particles may fly in a step whose length they do not limit.
constexpr double kLongestFlight = 8;

/// Drops of thin liquid keep nothing together: no tension, no memory or yield stress, no bulk modulus, and a
/// viscosity below that from which on pressure needs it (8 μ Δt/(ρ Δx²) of ½).
void find_flying_liquids(const Model& model, double dt, LiquidScratch& s) {
    constexpr double kThick = 0.5;
    s.flies.clear();
    for (const liquid::LiquidMaterial& m : model.liquid.materials) {
        const bool thin =
            m.yield_stress == 0 && 8 * m.viscosity * dt < kThick * m.density * model.cell * model.cell;
        s.flies.push_back(thin && !model.liquid.surface_tension && !s.remembers && !s.compression.any());
    }
}

/// A sink that is open in the step comes within `touch` of the path.
bool near_sink(const liquid::Sink& sink, const geometry::Bounds& path, const StepView& view, double touch) {
    return sink.start <= view.time + view.dt && view.time < sink.stop &&
           sink.shape->distance(path.centre()) <= touch + 0.5 * length(path.size());
}

/// Whether more particles than fly together are already in one piece with the fastest.
bool fastest_is_crowded(const liquid::LiquidState& now, double cell) {
    struct Fastest {
        double squared = -1;
        std::size_t particle = 0;
    };
    const auto faster = [](const Fastest& a, const Fastest& b) { return b.squared > a.squared ? b : a; };
    const Fastest fastest = ordered_reduce(
        now.size(), 8192, Fastest{},
        [&](std::size_t begin, std::size_t end) {
            Fastest f;
            for (std::size_t p = begin; p < end; ++p) f = faster(f, {squared_length(now.velocity[p]), p});
            return f;
        },
        faster);
    const Vec3d x = now.position[fastest.particle];
    const double touch = liquid::kTouch * cell;
    const std::size_t together = ordered_reduce(
        now.size(), 8192, std::size_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::size_t n = 0;
            for (std::size_t p = begin; p < end; ++p) {
                const Vec3d d = now.position[p] - x;
                n += std::abs(d.x) <= touch && std::abs(d.y) <= touch && std::abs(d.z) <= touch;
            }
            return n;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
    return together > liquid::kMostFlying;
}

}  // namespace

void find_flying(const Model& model, const liquid::LiquidState& now, const geometry::SolidField& solids,
                 const StepView& view, double fastest, LiquidScratch& s) {
    find_flying_liquids(model, view.dt, s);
    const double touch = liquid::kTouch * model.cell;
    s.flight.find(now, model.cell, model.period, view, fastest, s.flies, [&](const geometry::Bounds& path) {
        if (solids.near(path, touch)) return true;
        const auto& sinks = model.liquid.sinks;
        return std::any_of(sinks.begin(), sinks.end(),
                           [&](const liquid::Sink& sink) { return near_sink(sink, path, view, touch); }) ||
               std::any_of(s.sources.begin(), s.sources.end(), [&](const liquid::InflowSource& source) {
                   const geometry::Bounds held = source.held(now, view.time);
                   return !held.is_empty() && held.squared_distance(path) <= touch * touch;
               });
    });
}

double fastest_on_grid(const liquid::LiquidState& now, double fastest, const LiquidScratch& s) {
    if (s.flight.found().empty()) return fastest;
    double most = 0;
    std::size_t begin = 0;
    const auto look_until = [&](std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) most = std::max(most, squared_length(now.velocity[p]));
        begin = end + 1;
    };
    for (const std::uint32_t p : s.flight.found()) look_until(p);
    look_until(now.size());
    return std::sqrt(most);
}

double limiting_speed(const Model& model, const liquid::LiquidState& now, double time, LiquidScratch& s) {
    const double fastest = liquid::max_speed(now);
    const bool limits = fastest * model.step.max > model.step.courant * model.cell;
    if (!limits || fastest_is_crowded(now, model.cell)) return fastest;
    const double longest = std::min(model.step.max, kLongestFlight * model.cell / fastest);
    if (!(longest > 0)) return fastest;
    const StepView view{time, longest, 0, model.gravity, model.seed};
    find_flying(model, now, model.obstacles.field_over(time, longest), view, fastest, s);
    return std::max(fastest_on_grid(now, fastest, s), fastest * (model.step.courant / kLongestFlight));
}

}  // namespace rivulet::world
