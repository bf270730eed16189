#pragma once

#include <rivulet/contact/bridge.h>

namespace rivulet::contact {

/// Shortest and widest gap between which a bridge of this area exists and has not broken [m]: `from` is 0
/// unless a solid drowns at contact, `to` the break gap unless the liquid leaves a solid before. Empty when
/// to <= from.
struct BridgeRange {
    double from = 0, to = 0;
};
BridgeRange bridge_range(const BridgeSolids& solids, double area);

}  // namespace rivulet::contact
