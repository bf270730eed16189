#pragma once

#include <vector>

#include <rivulet/liquid/rheology.h>

namespace rivulet::liquid {

/// Rows of diss. table 15.2 as printed, in SI: shear modulus, von Mises yield stress, consistency, flow
/// index.
struct PrintedRow {
    const char* name;
    double shear_modulus, yield, consistency, flow_index;
    FlowCurve curve() const { return von_mises_to_flow_curve(yield, consistency, flow_index); }
    /// Printed is tau_Y of s <= sqrt(2/3) tau_Y, and the consistency of the norms.
    NormLaw law() const { return {std::sqrt(2.0 / 3.0) * yield, consistency, flow_index}; }
};
inline std::vector<PrintedRow> printed_rows() {
    return {{"mud", 100, 1.6813, 0.6496, 0.5173},
            {"oyster sauce", 400, 2.65, 1.61, 0.62},
            {"shaving cream", 290, 31.9, 27.2, 0.22},
            {"chocolate", 400, 30, 2.8, 0.98}};
}

}  // namespace rivulet::liquid
