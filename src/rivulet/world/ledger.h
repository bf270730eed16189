#pragma once

#include <algorithm>

#include <rivulet/base/fields.h>
#include <rivulet/base/parallel.h>

namespace rivulet::world {

/// What has entered and left. Present volumes are never stored: they are recounted from the arrays.
/// Sums are kept as (sum, rest) so that posting a million drops loses nothing.
struct LedgerState {
    double initial = 0;  // m^3 at time 0
    double in = 0, in_rest = 0;
    double out = 0, out_rest = 0;

    void post_in(double volume) { post(in, in_rest, volume); }
    void post_out(double volume) { post(out, out_rest, volume); }
    double total_in() const { return in + in_rest; }
    double total_out() const { return out + out_rest; }

    /// (present + out - in - initial) / max(initial + in, tiny): round-off when nothing is lost.
    double error(double present) const {
        CompensatedSum s;
        for (double v : {present, out, out_rest, -in, -in_rest, -initial}) s.add(v);
        return s.value() / std::max(initial + total_in(), 1e-300);
    }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"ledger/initial", "m^3", Centring::scalar, kCheckpoint}, s.initial);
        visit(FieldInfo{"ledger/in", "m^3", Centring::scalar, kCheckpoint}, s.in);
        visit(FieldInfo{"ledger/in_rest", "m^3", Centring::scalar, kCheckpoint}, s.in_rest);
        visit(FieldInfo{"ledger/out", "m^3", Centring::scalar, kCheckpoint}, s.out);
        visit(FieldInfo{"ledger/out_rest", "m^3", Centring::scalar, kCheckpoint}, s.out_rest);
    }

 private:
    static void post(double& sum, double& rest, double volume) {
        CompensatedSum s{sum, rest};
        s.add(volume);
        sum = s.sum;
        rest = s.rest;
    }
};

}  // namespace rivulet::world
