#include <rivulet/contact/bridge_life.h>
#include <rivulet/contact/bridge_range.h>

namespace rivulet::contact {
namespace {

/// Least gap in [low, high] at which the state is no longer, or already, `state`; the ends differ in that.
double edge_of(const BridgeSolids& solids, double area, BridgeState state, double low, double high) {
    const bool at_high = solve_bridge(solids, high, area, 1).state == state;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        ((solve_bridge(solids, middle, area, 1).state == state) == at_high ? high : low) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

BridgeRange bridge_range(const BridgeSolids& solids, double area) {
    BridgeRange range{0, break_gap(0.5 * (solids.angle1 + solids.angle2), area)};
    const BridgeState open = solve_bridge(solids, range.to, area, 1).state;
    const BridgeState closed = solve_bridge(solids, 0, area, 1).state;
    if (closed == BridgeState::parted) return {0, 0};
    if (open == BridgeState::engulfed) return {range.to, range.to};
    if (open == BridgeState::parted) range.to = edge_of(solids, area, BridgeState::parted, 0, range.to);
    if (closed == BridgeState::engulfed)
        range.from = edge_of(solids, area, BridgeState::engulfed, 0, range.to);
    return range;
}

}  // namespace rivulet::contact
