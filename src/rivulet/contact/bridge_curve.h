#pragma once

#include <rivulet/contact/bridge_table.h>

namespace rivulet::contact {

/// One bridge at every gap: its liquid is given, the gap is not. Without a table there is none.
struct BridgeCurve {
    const BridgeTable* table = nullptr;
    double unit = 1;  ///< of the table's lengths [m]
    double area = 0;  ///< [m²]
    double tension = 0;

    explicit operator bool() const { return table != nullptr && area > 0; }
    /// As it acts, per length: faded before it breaks. Overlap counts as contact.
    BridgePull at(double gap) const {
        if (!*this) return {};
        const double u = unit, x = gap > 0 ? gap / u : 0;
        BridgePull p = faded(table->at(x, area / (u * u), tension), x);
        p.slope /= u, p.wetted *= u, p.reach *= u;
        return p;
    }
    double reach() const { return *this ? table->reach(area / (unit * unit)) * unit : 0; }
};

}  // namespace rivulet::contact
