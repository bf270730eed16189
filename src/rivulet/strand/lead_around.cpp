#include <rivulet/strand/lead_around.h>

#include <algorithm>
#include <vector>

#include <rivulet/base/parallel.h>

namespace rivulet::strand {
namespace {

constexpr int kSamples = 6, kMostTurns = 40;
/// Part of the radius kept besides it: what is led lies beside the wall, not on it.
constexpr double kExtra = 0.5;

/// The end of a segment that starts at `from` and would end at `to`, turned until the segment is outside.
Vec3d turned_out(const Vec3d& from, Vec3d to, double clear, const ClearanceAt& obstacles) {
    const double whole = length(to - from);
    for (int turn = 0; turn < kMostTurns; ++turn) {
        double deepest = 0;
        Vec3d out;
        for (int i = 1; i <= kSamples; ++i) {
            const double part = double(i) / kSamples;
            const Clearance c = obstacles(from + (to - from) * part);
            // What is near the start moves little with the end, and the segment before has seen to it.
            const double lack = (clear - c.distance) / part;
            if (lack > deepest) deepest = lack, out = c.normal;
        }
        if (deepest <= 0) break;
        to = from + normalized_or(to + out * deepest - from, out) * whole;
    }
    return to;
}

/// A point, outside.
Vec3d moved_out(Vec3d p, double clear, const ClearanceAt& obstacles) {
    for (int turn = 0; turn < kMostTurns; ++turn) {
        const Clearance c = obstacles(p);
        if (c.distance >= clear) break;
        p += c.normal * (clear - c.distance);
    }
    return p;
}

}  // namespace

std::size_t lead_around(Curves& curves, bool rooted, const ClearanceAt& obstacles) {
    std::vector<std::uint8_t> led(curves.strand_count(), 0);
    parallel_for(curves.strand_count(), [&](std::size_t k) {
        const std::size_t begin = curves.first_vertex(k), end = begin + curves.vertex_count(k);
        std::vector<Vec3d> edge(end - begin);
        for (std::size_t v = begin; v + 1 < end; ++v)
            edge[v - begin] = curves.position[v + 1] - curves.position[v];
        if (!rooted) {
            const Vec3d out =
                moved_out(curves.position[begin], (1 + kExtra) * curves.radius[begin], obstacles);
            if (out != curves.position[begin]) led[k] = 1;
            curves.position[begin] = out;
        }
        for (std::size_t v = begin + (rooted ? 3 : 1); v < end; ++v) {
            const Vec3d from = curves.position[v - 1], to = from + edge[v - 1 - begin];
            const Vec3d out = turned_out(from, to, (1 + kExtra) * curves.radius[v], obstacles);
            if (out != to) led[k] = 1;
            if (led[k]) curves.position[v] = out;
        }
    });
    return static_cast<std::size_t>(std::count(led.begin(), led.end(), std::uint8_t{1}));
}

}  // namespace rivulet::strand
