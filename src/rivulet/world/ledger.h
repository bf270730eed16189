#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/liquid_tally.h>
#include <rivulet/base/members.h>

namespace rivulet::world {

/// What has entered and left, for each liquid of the scene. Present volumes are never stored: they are
/// recounted from the arrays. Sums are kept as (sum, rest) so that posting a million drops loses nothing.
struct LedgerState {
    std::vector<double> initial;  // m^3 at time 0
    std::vector<double> in, in_rest;
    std::vector<double> out, out_rest;

    /// Starts with what is there.
    void open(const LiquidTally& present) {
        *this = {};
        make_room(present.size());
        for (std::size_t i = 0; i < present.size(); ++i) initial[i] = present.of(i).value();
    }
    void post_in(std::size_t liquid, double volume) {
        make_room(liquid + 1);
        post(in[liquid], in_rest[liquid], {volume, 0});
    }
    void post_out(const LiquidTally& taken) {
        make_room(taken.size());
        for (std::size_t i = 0; i < taken.size(); ++i) post(out[i], out_rest[i], taken.of(i));
    }
    double total_initial() const { return total(initial, {}); }
    double total_in() const { return total(in, in_rest); }
    double total_out() const { return total(out, out_rest); }

    /// (present + out - in - initial) / max(initial + in, tiny) of one liquid: round-off when nothing is
    /// lost.
    double error_of(std::size_t liquid, const LiquidTally& present) const {
        CompensatedSum s = present.of(liquid);
        if (liquid >= initial.size()) return s.value() / kTiny;
        for (double v : {out[liquid], out_rest[liquid], -in[liquid], -in_rest[liquid], -initial[liquid]})
            s.add(v);
        return s.value() / std::max(initial[liquid] + in[liquid] + in_rest[liquid], kTiny);
    }
    /// The worst of all liquids.
    double error(const LiquidTally& present) const {
        double worst = 0;
        for (std::size_t i = 0; i < std::max(initial.size(), present.size()); ++i) {
            const double e = error_of(i, present);
            if (std::isnan(e)) return e;
            if (std::abs(e) > std::abs(worst)) worst = e;
        }
        return worst;
    }

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"ledger/initial", "m^3", Centring::other, kCheckpoint}, s.initial);
        visit(FieldInfo{"ledger/in", "m^3", Centring::other, kCheckpoint}, s.in);
        visit(FieldInfo{"ledger/in_rest", "m^3", Centring::other, kCheckpoint}, s.in_rest);
        visit(FieldInfo{"ledger/out", "m^3", Centring::other, kCheckpoint}, s.out);
        visit(FieldInfo{"ledger/out_rest", "m^3", Centring::other, kCheckpoint}, s.out_rest);
    }

 private:
    static constexpr double kTiny = 1e-300;  // m^3

    void make_room(std::size_t liquids) {
        if (liquids <= initial.size()) return;
        for (auto* list : {&initial, &in, &in_rest, &out, &out_rest}) list->resize(liquids);
    }
    static void post(double& sum, double& rest, const CompensatedSum& volume) {
        CompensatedSum s{sum, rest};
        s.add(volume.sum);
        s.add(volume.rest);
        sum = s.sum;
        rest = s.rest;
    }
    static double total(const std::vector<double>& sums, const std::vector<double>& rests) {
        CompensatedSum all;
        for (double v : sums) all.add(v);
        for (double v : rests) all.add(v);
        return all.value();
    }
};

/// Liquid present now in a World (or any aggregate of states), recounted from the arrays of every member that
/// offers held_liquid.
template <class States>
LiquidTally present_liquid(const States& states) {
    LiquidTally all;
    for_each_member(states, [&](const auto& state) {
        if constexpr (requires { held_liquid(state, all); }) held_liquid(state, all);
    });
    return all;
}

}  // namespace rivulet::world
