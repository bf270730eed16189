#include <rivulet/strand/air_drag.h>

#include <rivulet/base/parallel.h>

namespace rivulet::strand {

void add_air_drag(const StrandState& s, const Air& air, std::span<const Vec3d> wind, std::span<Vec3d> force,
                  std::span<Mat3d> slope) {
    if (wind.empty()) return;
    const auto wind_at = [&](std::size_t i) -> const Vec3d& { return wind.size() == 1 ? wind[0] : wind[i]; };
    parallel_for(s.strand_count(), [&](std::size_t k) {
        for (std::size_t i = s.begin(k); i + 1 < s.end(k); ++i) {
            const Vec3d edge = s.position[i + 1] - s.position[i];
            const double l = length(edge);
            const Vec3d speed = 0.5 * ((wind_at(i) - s.velocity[i]) + (wind_at(i + 1) - s.velocity[i + 1]));
            const double diameter = s.radius[i] + s.radius[i + 1];
            const Mat3d half = (0.5 * l) * resistance(air, diameter, edge / l, speed);
            for (const std::size_t v : {i, i + 1}) {
                force[v] += half * wind_at(v);
                slope[v] -= half;
            }
        }
    });
}

}  // namespace rivulet::strand
