#include <rivulet/world/submerged_speed.h>

#include <algorithm>
#include <cmath>

namespace rivulet::world {
namespace {

constexpr double kKernel = 1.5;  // cells that a point of a strand reaches

Vec3i block_corner(const Vec3d& in_cells) {
    const auto corner = [](double x) { return grid::kBlockEdge * int(std::floor(x / grid::kBlockEdge)); };
    return {corner(in_cells.x), corner(in_cells.y), corner(in_cells.z)};
}

/// Whether a place is one where blocks can be.
bool on_grid(const Vec3d& in_cells) {
    const double most = double(grid::kFarthestBlock) * grid::kBlockEdge;
    return is_finite(in_cells) && std::abs(in_cells.x) < most && std::abs(in_cells.y) < most &&
           std::abs(in_cells.z) < most;
}

}  // namespace

double SubmergedSpeed::fastest(const strand::StrandState& strands, const liquid::LiquidState& liquid,
                               double cell, const Vec3i& period, double least) {
    place_.clear(), speed_.clear();
    for (std::size_t v = 0; v < strands.vertex_count(); ++v) {
        const double speed = length(strands.velocity[v]);
        if (speed > least && on_grid(strands.position[v] / cell))
            place_.push_back(strands.position[v]), speed_.push_back(speed);
    }
    if (place_.empty() || liquid.size() == 0) return 0;
    builder_.start(cell, period);
    builder_.add_points(place_);
    builder_.build(around_);
    mark_liquid(liquid);
    double most = 0;
    for (std::size_t i = 0; i < place_.size(); ++i)
        if (speed_[i] > most && near_liquid(place_[i])) most = speed_[i];
    return most;
}

void SubmergedSpeed::mark_liquid(const liquid::LiquidState& liquid) {
    wet_.assign(around_.size(), 0);
    const double inverse = 1 / around_.cell;
    Vec3i last{1, 1, 1};  // no corner of a block: particles come block by block, one search does for many
    for (const Vec3d& x : liquid.position) {
        const Vec3d place = around_.wrapped(x) * inverse;
        if (!on_grid(place)) continue;
        const Vec3i corner = block_corner(place);
        if (corner == last) continue;
        last = corner;
        if (const std::int32_t b = around_.find(corner); b >= 0) wet_[std::size_t(b)] = 1;
    }
}

bool SubmergedSpeed::near_liquid(const Vec3d& x) const {
    const Vec3d place = x / around_.cell;
    for (int side = 0; side < 8; ++side) {
        const Vec3d there =
            place + kKernel * Vec3d{side & 1 ? 1.0 : -1.0, side & 2 ? 1.0 : -1.0, side & 4 ? 1.0 : -1.0};
        const std::int32_t b = around_.find(block_corner(there));
        if (b >= 0 && wet_[std::size_t(b)]) return true;
    }
    return false;
}

}  // namespace rivulet::world
