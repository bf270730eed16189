#include <rivulet/world/strand_model.h>

#include <cmath>
#include <numbers>

namespace rivulet::world {

strand::CarrierPlace EndCarrier::at(double t, const obstacle::ObstacleSet& obstacles) const {
    strand::CarrierPlace place;
    place.pose = motion.at(t);
    if (obstacle >= 0) {
        const auto i = static_cast<std::size_t>(obstacle);
        place.pose = geometry::compose(obstacles.pose_at(i, t), place.pose);
        place.vertex = obstacles.vertices_at(i, t);
    }
    for (const obstacle::KeyCurve& curve : twist) place.twist += curve.at(t);
    place.released = t >= release;
    return place;
}

obstacle::Reach EndCarrier::reach(const geometry::Bounds& rest, const obstacle::ObstacleSet& obstacles,
                                  double from, double to) const {
    obstacle::Reach reach = obstacle::reach_of_box(rest, obstacles, obstacle, motion, from, to);
    for (const obstacle::KeyCurve& curve : twist) {
        reach.turn += curve.variation(from, to);
        reach.include_jumps(curve.jumps(from, to));
    }
    return reach;
}

Vec3d Wind::at(double t) const {
    return velocity * (1 + gust * std::sin(2 * std::numbers::pi * t / gust_period));
}

void drive_ends(const StrandModel& model, const obstacle::ObstacleSet& obstacles, double t,
                strand::StrandState& strands) {
    const auto places = [&](const std::vector<EndCarrier>& carriers) {
        std::vector<strand::CarrierPlace> out;
        for (const EndCarrier& carrier : carriers) out.push_back(carrier.at(t, obstacles));
        return out;
    };
    strand::place_ends(model.roots, places(model.carriers), strands.root_target);
    strand::place_ends(model.tips, places(model.tip_carriers), strands.tip_target);
}

}  // namespace rivulet::world
