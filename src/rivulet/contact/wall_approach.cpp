#include <rivulet/contact/wall_approach.h>

namespace rivulet::contact {
namespace {

using geometry::SolidSample;

/// Part of a free distance used at once: sampled mesh distances may be too large by a quarter beyond their
/// narrow band.
constexpr double kSafety = 0.75;
constexpr int kMostWallSteps = 64;
constexpr double kCoarse = 0.25;  // of touch: resolution of searches on shapes that are not convex

bool is_convex_solid(const Wall& wall) {
    const geometry::Solid& s = wall.field->solid(wall.solid);
    return !s.deforming && !s.liquid_inside && s.shape->is_convex_primitive();
}
bool has_convex_free_side(const Wall& wall) {
    return wall.field->leaves_convex_domain(wall.solid);
}
bool turns(const Wall& wall) {
    return wall.field->solid(wall.solid).motion.turn() != Vec3d{};
}

/// How long the edge is safe at `level`, as a fraction of the step.
struct SafeStep {
    const Wall& wall;
    const MovingEdge& edge;
    double s, level;

    /// Distances change no faster than the fastest end moves as seen from the wall.
    double by_speed(double bound) const {
        const auto now = edge.positions(s);
        const auto end = edge.positions(1);
        double rate = 0;
        for (int i = 0; i < 2; ++i)
            rate = std::max(rate, wall.field->approach_bound(wall.solid, now[i], end[i], s, 1));
        const double free = kSafety * (bound - level);
        return free >= 2 * rate ? 2 : free / rate;
    }
    /// A convex solid that does not turn stays behind its tangent plane at the nearest point.
    double by_plane(double place) const {
        const auto now = edge.positions(s);
        const Vec3d p = now[0] + (now[1] - now[0]) * place;
        const SolidSample at = wall.field->sample_of(wall.solid, p, s);
        const Vec3d shift = wall.field->solid(wall.solid).motion.centre_shift();
        double step = 2;
        for (int i = 0; i < 2; ++i) {
            const double height = dot(at.normal, now[i] - p) + at.distance - level;
            const double rate = dot(at.normal, shift - edge.shift[i]);
            if (rate > 0 && height < step * rate) step = height / rate;
        }
        return step;
    }
    /// On a convex free side that does not turn, the distance of each end is concave in time.
    double by_chord() const {
        const auto now = edge.positions(s);
        const auto end = edge.positions(1);
        double step = 2;
        for (int i = 0; i < 2; ++i) {
            const double d0 = wall.field->distance_to(wall.solid, now[i], s) - level;
            const double d1 = wall.field->distance_to(wall.solid, end[i], 1) - level;
            if (d1 < 0) step = std::min(step, (1 - s) * d0 / (d0 - d1));
        }
        return step;
    }
};

/// A minimum found by halving is within the resolution; this goes on to it by golden section.
LineMinimum polish(const Wall& wall, const std::array<Vec3d, 2>& edge, double s, const LineMinimum& rough,
                   double reach) {
    const auto value = [&](double x) {
        return wall.field->distance_to(wall.solid, edge[0] + (edge[1] - edge[0]) * x, s);
    };
    double from = std::max(0.0, rough.place - reach), to = std::min(1.0, rough.place + reach);
    LineMinimum best = rough;
    for (int i = 0; i < 16; ++i) {
        const double x = from + 0.382 * (to - from), y = from + 0.618 * (to - from);
        const double dx = value(x), dy = value(y);
        if (dx < best.value) best = {x, dx};
        if (dy < best.value) best = {y, dy};
        (dx < dy ? to : from) = dx < dy ? y : x;
    }
    return best;
}

/// When the point of the edge at this place touches the wall by itself; `s` when it does not. What is near at
/// the end of the step may have gone through the wall before: the side is that of the start.
double own_time(const Wall& wall, const MovingEdge& edge, double place, double s, const Reach& reach) {
    const Vec3d at = edge.at[0] + (edge.at[1] - edge.at[0]) * place;
    const Vec3d shift = edge.shift[0] + (edge.shift[1] - edge.shift[0]) * place;
    const WallMoment own = approach_of_wall(wall, {{at, at}, {shift, shift}}, reach);
    return own.hit ? std::min(own.time, s) : s;
}

/// Adds the minima of one moment that the ends do not bear already, at places of their own.
void add_touches(const Wall& wall, const MovingEdge& edge, double s, const Reach& reach, WallTouches& out) {
    const auto now = edge.positions(s);
    const double long_ = length(now[1] - now[0]), coarse = kCoarse * reach.touch;
    if (!(long_ > 0)) return;
    const double ceiling = reach.touch + reach.margin + reach.tolerance;
    const bool convex = is_convex_solid(wall);
    const LineMinima minima =
        minima_along(wall, now, s, ceiling + coarse, convex ? 0.1 * reach.tolerance : coarse);
    const double d0 = wall.field->distance_to(wall.solid, now[0], s);
    const double d1 = wall.field->distance_to(wall.solid, now[1], s);
    for (int i = 0; i < minima.count && out.count < WallTouches::kMost; ++i) {
        LineMinimum m = minima.at[static_cast<std::size_t>(i)];
        if (!convex) m = polish(wall, now, s, m, 2 * coarse / long_);
        const double borne = d0 + (d1 - d0) * m.place;
        if (m.value > ceiling || !(m.value < borne - 0.01 * reach.touch)) continue;
        bool known = false;
        for (int k = 0; k < out.count; ++k)
            known |= std::abs(out.at[static_cast<std::size_t>(k)].place - m.place) * long_ < 2 * reach.touch;
        if (!known)
            out.at[static_cast<std::size_t>(out.count++)] =
                touch_at(wall, edge, m.place, own_time(wall, edge, m.place, s, reach));
    }
}

}  // namespace

LineMinima minima_along(const Wall& wall, const std::array<Vec3d, 2>& edge, double s, double ceiling,
                        double resolution) {
    const Vec3d along = edge[1] - edge[0];
    const double far = length(along);
    const auto value = [&](double x) { return wall.field->distance_to(wall.solid, edge[0] + along * x, s); };
    if (far == 0 || has_convex_free_side(wall)) {
        LineMinima ends;
        ends.least = {0, value(0)};
        if (far > 0) {
            const double other = value(1);
            if (other < ends.least.value) ends.least = {1, other};
        }
        ends.bound = ends.least.value;
        if (ends.bound < ceiling) ends.count = 1, ends.at[0] = ends.least;
        return ends;
    }
    const LineSearch search{far, ceiling, resolution};
    if (!is_convex_solid(wall)) return lipschitz_minima(value, search);
    return convex_minimum(
        [&](double x) {
            const SolidSample at = wall.field->sample_of(wall.solid, edge[0] + along * x, s);
            return LineSample{at.distance, dot(at.normal, along)};
        },
        search);
}

/// Minima with a bound that proves at least a quarter of what is free above `level`, or whose resolution is
/// `finest`: coarse far from the wall, finer as the search finds how near it is.
static LineMinima proven_minima(const Wall& wall, const std::array<Vec3d, 2>& edge, double s, double level,
                                double finest) {
    double free = std::min(wall.field->distance_to(wall.solid, edge[0], s),
                           wall.field->distance_to(wall.solid, edge[1], s)) -
                  level;
    for (;;) {
        const double resolution = std::max(0.25 * free, finest);
        const LineMinima minima = minima_along(wall, edge, s, level + std::max(0.5 * free, 0.0), resolution);
        const double least = minima.least.value - level;
        if (minima.bound - level >= 0.25 * least || resolution == finest) return minima;
        free = std::min(least, 0.5 * free);
    }
}

WallMoment approach_of_wall(const Wall& wall, const MovingEdge& edge, const Reach& reach) {
    assert(reach.touch > 0 && reach.tolerance > 0);
    const bool convex = is_convex_solid(wall), convex_free = has_convex_free_side(wall),
               turning = turns(wall);
    const bool exact = convex || convex_free || edge.at[0] == edge.at[1];
    const double floor = exact ? 0.1 * reach.tolerance : kCoarse * reach.touch;
    const double tolerance = exact ? reach.tolerance : 2 * floor;
    WallMoment out;
    double s = 0;
    for (int step = 0;; ++step) {
        const double level = reach.touch + (out.near ? 0 : reach.margin);
        const LineMinima minima = proven_minima(wall, edge.positions(s), s, level, floor);
        const double distance = minima.least.value;
        const bool spent = step == kMostWallSteps;
        if (!out.near && (spent || distance <= reach.touch + reach.margin + tolerance))
            out.near = true, out.distance = 2 * std::abs(distance) + 1;
        out.hit = out.near && (spent || distance <= reach.touch + tolerance);
        if (out.hit || (out.near && distance < out.distance)) out.time = s, out.distance = distance;
        if (out.hit || s >= 1) return out;
        const SafeStep safe{wall, edge, s, reach.touch + (out.near ? 0 : reach.margin)};
        double go = safe.by_speed(minima.bound);
        if (convex && !turning) go = std::max(go, safe.by_plane(minima.least.place));
        if (convex_free && !turning) go = std::max(go, safe.by_chord());
        if (!out.near && s + go >= 1) return out;
        s = std::min(1.0, s + std::max(go, 0.0));
    }
}

WallTouch touch_at(const Wall& wall, const MovingEdge& edge, double place, double s) {
    const auto now = edge.positions(s);
    const SolidSample at = wall.field->sample_of(wall.solid, now[0] + (now[1] - now[0]) * place, s);
    return {place, s, at.distance, at.normal, at.velocity};
}

WallTouches touches_between_ends(const Wall& wall, const MovingEdge& edge, const WallMoment& moment,
                                 const Reach& reach) {
    WallTouches out;
    if (!moment.near || has_convex_free_side(wall)) return out;
    add_touches(wall, edge, moment.time, reach, out);
    if (moment.time < 1) add_touches(wall, edge, 1, reach, out);
    return out;
}

}  // namespace rivulet::contact
