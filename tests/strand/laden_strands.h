#pragma once

#include <string>
#include <vector>

#include "strand/strand_samples.h"

#include <rivulet/strand/loads.h>
#include <rivulet/strand/solve.h>

namespace rivulet::strand::samples {

/// Strands with everything that can act on them, in arrays that `loads` shows.
struct Laden {
    std::string name;
    StrandState state;
    std::vector<StrandMaterial> materials{rubber()};
    std::vector<Vec3d> impulse, force;
    std::vector<Mat3d> slope;
    std::vector<double> angular_impulse, torque, film_mass, film_friction, film_inertia, film_speed,
        film_force, film_tension;
    std::vector<std::uint8_t> film_dammed;
    Vec3d gravity{0, -9.81, 0};
    double dt = 0.004;

    Laden(std::string name_, StrandState state_) : name(std::move(name_)), state(std::move(state_)) {
        const std::size_t n = state.vertex_count();
        impulse.resize(n);
        angular_impulse.resize(n);
    }
    Loads loads() const {
        return {gravity,
                impulse,
                force,
                slope,
                angular_impulse,
                torque,
                {film_mass, film_friction, film_inertia, film_dammed, film_speed, film_force, film_tension}};
    }
    /// A film of up to `ratio` times the mass of a vertex, from no friction to a lot of it.
    void wet(double ratio) {
        const Random r(17, 1);
        for (std::size_t i = 0; i < state.vertex_count(); ++i) {
            film_mass.push_back(ratio * 3.1e-5 * r.uniform(i));
            film_friction.push_back(i % 3 == 0 ? 0 : 0.02 * r.uniform(100 + i));
            film_inertia.push_back(1e-11 * r.uniform(200 + i));
        }
    }
};

/// One of each kind, moved by some steps to where nothing is special any more.
inline std::vector<Laden> laden_strands() {
    std::vector<Laden> all;
    const auto add = [&](std::string name, const Curves& curves) -> Laden& {
        all.emplace_back(std::move(name), make_strands(curves));
        stir(all.back().state, 0.3, 5);
        return all.back();
    };
    add("straight", straight(15, 0.15, 1e-3));
    add("curly", curls(5, true));
    Laden& heavy = add("heavily loaded", curls(4));
    const Random r(5, 5);
    for (std::size_t i = 0; i < heavy.state.vertex_count(); ++i) {
        const Vec3d d = r.direction(i);
        heavy.force.push_back(Vec3d{0.02, -0.01, 0} + 0.005 * r.direction(100 + i));
        heavy.slope.push_back(-2e-3 * (Mat3d::identity() + outer(d, d)));
    }
    Laden& twisted = add("twisted", curls(4));
    twisted.torque.assign(twisted.state.vertex_count(), 0.0);
    for (std::size_t s = 0; s < 4; ++s) twisted.torque[twisted.state.end(s) - 2] = 3e-5;
    add("wet", curls(4)).wet(20);
    return all;
}

inline SolveOptions to_the_end() {
    SolveOptions options;
    options.tolerance = 1e-10;
    return options;
}

}  // namespace rivulet::strand::samples
