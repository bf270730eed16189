#include <rivulet/scene/forecast.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/liquid/particle_spacing.h>
#include <rivulet/obstacle/step_limit.h>
#include <rivulet/scene/box_samples.h>
#include <rivulet/scene/costs.h>
#include <rivulet/scene/fall.h>
#include <rivulet/scene/meeting.h>
#include <rivulet/world/liquid_limits.h>
#include <rivulet/world/strand_step.h>

namespace rivulet::scene {
namespace {

/// Cells of the grid beyond those full of liquid, over the 2/3 power of these: blocks reach past its surface.
/// Seen over the shipped scenes: 60 to 110 in tanks, 90 to 240 of thick streams, 150 to 800 of thin ones.
constexpr double kSkinAtRest = 90, kSkinHeaped = 130, kSkinSplashed = 250;
/// Cells for each particle and second that its drops fly apart; before that, for each cell of the level
/// circle that the splash has reached: 19 where 113 mL fall by 10 cm on a plane with cells of 3 mm.
constexpr double kScattering = 250, kSheet = 19;
constexpr double kMostCellsPerParticle = 343;  // a lone particle takes its block and those around
constexpr double kCostlyViscosity = 0.01;      // Pa*s; thinner liquids hardly cost more than water
constexpr double kFactorAtLeast = 1.8;         // other machines, other loads
/// Liquid is flung faster than what pushes it. In a shaken tank it comes near the speed of long waves,
/// sqrt(g depth), however slowly the tank moves.
constexpr double kPushed = 1.5, kSloshing = 0.6;
/// Contacts for each vertex from which on they cost as much as the strands themselves.
constexpr double kCrowded = 0.07;
/// Part of the steps in which drips of thick liquid are on their way.
constexpr double kDripping = 0.5;
/// What is caught in a splash takes longer to leave than a free fall.
constexpr double kDelay = 1.5;

class Forecaster {
 public:
    Forecaster(const Scene& scene, const Built& built)
        : scene_(scene),
          built_(built),
          model_(built.model),
          falls_(falls_of(scene, built.model)),
          strands_(built.model),
          gravity_(length(built.model.gravity)) {
        for (const Vec3d& x : built.world.liquid.position) domain_.include(x);
        if (!domain_.is_empty())
            depth_ = std::abs(dot(domain_.size(), normalized_or(model_.gravity, {0, -1, 0})));
        for (const Vec3d& x : built.world.strands.position) domain_.include(x);
        for (std::size_t i = 0; i < model_.liquid.inflows.size(); ++i) add_stream(i);
    }

    Forecast run(std::int64_t frames) {
        const double frame = 1 / model_.fps;
        Forecast out;
        out.particles_at_start = double(built_.world.liquid.size());
        out.vertices = double(built_.world.strands.vertex_count());
        const Meetings meetings = meetings_expected(model_, built_.world);
        out.contacts = meetings.later;
        double most_cells = 0;
        for (std::int64_t k = 0; k < frames; ++k) {
            const double t = double(k) * frame, particles = particles_at(t + frame);
            const double cells = cells_at(t + frame);
            const double steps = std::ceil(frame / longest_step(t, particles) - 1e-9);
            out.steps += steps;
            out.core_seconds += steps * (seconds_per_step(particles, cells, out.vertices) +
                                         seconds_of(meetings, t + 0.5 * frame));
            out.particles_most = std::max(out.particles_most, particles);
            out.disk_bytes += frame_bytes(particles, out.vertices);
            most_cells = std::max(most_cells, cells);
        }
        out.particles_most = std::max(out.particles_most, out.particles_at_start);
        out.memory_bytes = kBytesAtLeast + kBytesPerParticle * out.particles_most +
                           kBytesPerVertex * out.vertices + kBytesPerContact * out.contacts +
                           kBytesPerCell * std::max(0.0, most_cells - out.particles_most) +
                           (is_costly() ? kBytesPerThickCell * most_cells : 0);
        out.disk_bytes += scene_.checkpoint.keep * (kCheckpointBytesPerParticle * out.particles_most +
                                                    kCheckpointBytesPerVertex * out.vertices);
        judge(out);
        return out;
    }

 private:
    struct Stream {
        double particles_per_second, at_once, most;
    };

    void add_stream(std::size_t i) {
        const liquid::Inflow& inflow = model_.liquid.inflows[i];
        domain_.include(inflow.shape->bounds());
        const liquid::InflowSource& source = sources_.emplace_back(
            inflow, i, model_.cell, model_.seed, static_cast<std::uint64_t>(model_.liquid.most_particles));
        const double each = std::pow(liquid::particle_spacing(model_.cell, inflow.particles_per_cell), 3);
        double filled = 0;  // share of its box that the shape takes
        for_samples(inflow.shape->bounds(), [&](const Vec3d& x) { filled += inflow.shape->distance(x) < 0; });
        const Vec3d size = inflow.shape->bounds().size();
        const double volume = filled / std::pow(kSamples, 3) * size.x * size.y * size.z;
        streams_.push_back({source.cross_section() * source.speed() / each,
                            inflow.rate > 0 ? 0 : volume / each,
                            inflow.total > 0 ? inflow.total / each : 1e30});
    }

    double particles_of_stream(std::size_t i, double t) const {
        const liquid::Inflow& inflow = model_.liquid.inflows[i];
        if (t <= inflow.start) return 0;
        const Stream& s = streams_[i];
        const double flowed = s.particles_per_second * (std::min(t, inflow.stop) - inflow.start);
        const Fall& fall = falls_[scene_.liquids.size() + i];
        const double there = std::min(s.at_once + flowed, s.most);
        if (!fall.leaves) return there;
        return std::min(there, s.at_once + s.particles_per_second * kDelay * fall.duration(gravity_));
    }
    double particles_at(double t) const {
        double sum = double(built_.world.liquid.size());
        for (std::size_t i = 0; i < streams_.size(); ++i) sum += particles_of_stream(i, t);
        return sum;
    }
    static double skin_of(const Fall& fall) {
        return fall.height == 0 ? kSkinAtRest : fall.thick ? kSkinHeaped : kSkinSplashed;
    }
    double scattered_cells(const Fall& fall, double particles, double time) const {
        if (!fall.scatters || time <= 0) return 0;
        const double circle = std::numbers::pi * std::pow(fall.spread * time, 2);
        const double sheet = kSheet * std::min(circle, fall.room) / std::pow(model_.cell, 2);
        return std::min(kScattering * time * particles, sheet);
    }
    double cells_at(double t) const {
        double full = 0, skin = 0, scattered = 0;
        const auto add = [&](double cells, const Fall& fall) {
            full += cells, skin += cells * skin_of(fall);
        };
        for (std::size_t i = 0; i < scene_.liquids.size(); ++i) {
            const Fall& fall = falls_[i];
            const double cells = fall.volume / std::pow(model_.cell, 3);
            add(cells, fall);
            scattered += scattered_cells(fall, cells * scene_.liquids[i].particles_per_cell, t - fall.impact);
        }
        for (std::size_t i = 0; i < streams_.size(); ++i)
            add(particles_of_stream(i, t) / model_.liquid.inflows[i].particles_per_cell,
                falls_[scene_.liquids.size() + i]);
        if (full == 0) return 0;
        return std::min(full + skin / full * std::pow(full, 2.0 / 3) + scattered,
                        kMostCellsPerParticle * particles_at(t));
    }

    /// As the step chooses it, but for the speed of the liquid, which is a guess.
    double longest_step(double t, double particles) {
        limits_.clear();
        limits_.add("step.max", model_.step.max);
        world::limit_step(model_, particles > 0 ? std::optional(liquid_speed(t)) : std::nullopt, sources_,
                          limits_);
        limits_.add("obstacles", obstacle::longest_step(model_.obstacles, t, model_.step.max,
                                                        model_.step.courant * model_.cell, domain_));
        limits_.add("roots", strands_.longest_step(built_.world.strands, t, model_.step.max));
        return std::max(limits_.shortest(), model_.step.min);
    }
    double liquid_speed(double t) {
        double speed = 0;
        for (const Fall& fall : falls_) speed = std::max(speed, fall.speed_at(t, gravity_));
        // What obstacles have set in motion goes on.
        const geometry::SolidField solids = model_.obstacles.field_over(t, 1 / model_.fps);
        for (std::size_t i = 0; i < solids.size(); ++i) {
            const double pushes = solids.max_speed_of(i, domain_);
            pushed_ = std::max(pushed_, kPushed * pushes);
            if (pushes > 0 && solids.solid(i).liquid_inside)
                pushed_ = std::max(pushed_, kSloshing * std::sqrt(gravity_ * depth_));
        }
        return std::max(speed, pushed_);
    }

    bool is_costly() const {
        return std::any_of(scene_.materials.begin(), scene_.materials.end(),
                           [](const auto& m) { return m.remembers() || m.viscosity > kCostlyViscosity; });
    }
    double seconds_per_step(double particles, double cells, double vertices) const {
        return kSecondsPerStep +
               (particles > 0         ? 1
                : drips_on_the_grid() ? kDripping
                                      : 0) *
                   kSecondsPerLiquidStep +
               kSecondsPerParticleStep * particles +
               (kSecondsPerCellStep + (is_costly() ? kSecondsPerThickCellStep : 0)) * cells +
               kSecondsPerVertexStep * vertices;
    }
    double seconds_of(const Meetings& meetings, double t) const {
        if (meetings.at(t) < 0.5) return 0;
        const strand::StrandState& strands = built_.world.strands;
        const double each =
            std::min(kSecondsPerContactStep, kSecondsPerStrandOfContactStep * double(strands.strand_count()));
        return kSecondsPerTouchingStep + kSecondsPerTouchingVertexStep * double(strands.vertex_count()) +
               meetings.dearness * each * meetings.at(t);
    }
    /// Thick drips stay on the grid while they fall.
    bool drips_on_the_grid() const {
        const auto& area = built_.world.film.area;
        return model_.film.weighs && model_.film.drips && is_costly() &&
               std::any_of(area.begin(), area.end(), [](double a) { return a > 0; });
    }
    double frame_bytes(double particles, double vertices) const {
        const double wide = scene_.output.precision == Precision::double_ ? 2 : 1;
        return wide * (kFrameBytesPerParticle * particles + kFrameBytesPerVertex * vertices);
    }

    void judge(Forecast& out) const {
        const auto any = [&](auto&& is) { return std::any_of(falls_.begin(), falls_.end(), is); };
        out.factor = kFactorAtLeast;
        const auto less_sure = [&](bool why, double by, const char* text) {
            if (!why) return;
            out.factor *= by;
            out.reasons.emplace_back(text);
        };
        less_sure(any([](const Fall& f) { return f.height > 0; }), 1.4, "how liquid splashes is not known");
        less_sure(any([](const Fall& f) { return f.scatters; }), 1.4, "nothing keeps its drops together");
        less_sure(any([](const Fall& f) { return f.leaves; }) || !scene_.sinks.empty(), 1.2,
                  "some of it leaves");
        less_sure(pushed_ > 0 && out.particles_most > 0, 1.2, "obstacles stir it");
        less_sure(out.contacts > kCrowded * out.vertices, 1.6, "how strands meet is not known");
        out.factor = std::min(out.factor, 3.0);
    }

    const Scene& scene_;
    const Built& built_;
    const world::Model& model_;
    std::vector<Fall> falls_;
    std::vector<liquid::InflowSource> sources_;
    std::vector<Stream> streams_;
    world::StepLimits limits_;
    world::StrandStep strands_;
    double gravity_, depth_ = 0, pushed_ = 0;
    geometry::Bounds domain_;
};

}  // namespace

Forecast forecast(const Scene& scene, const Built& built, std::int64_t frames) {
    const std::int64_t all = built.model.last_frame();
    return Forecaster(scene, built).run(frames < 0 ? all : std::min(frames, all));
}

}  // namespace rivulet::scene
