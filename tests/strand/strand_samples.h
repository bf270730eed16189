#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/strand/make.h>
#include <rivulet/strand/material.h>

namespace rivulet::strand::samples {

/// Soft enough that everything moves, stiff enough that it is a rod: E 1 MPa.
inline StrandMaterial rubber() {
    StrandMaterial m;
    m.density = 1000;
    m.youngs_modulus = 1e6;
    m.poisson_ratio = 0.5;
    return m;
}

inline void add_curl(Curves& curves, std::size_t vertices, const Vec3d& root, double length,
                     double curl_radius, double pitch, double phase, double radius) {
    std::vector<Vec3d> x;
    for (std::size_t i = 0; i < vertices; ++i) {
        const double t = length * double(i) / double(vertices - 1);
        const double a = 2 * std::numbers::pi * t / pitch + phase;
        x.push_back(root + Vec3d{t, curl_radius * std::cos(a), curl_radius * std::sin(a)});
    }
    const std::vector<double> r(vertices, radius);
    curves.add_strand(x, r);
}

/// Curls of different phase, and of different vertex counts when `mixed`.
inline Curves curls(std::size_t strands, bool mixed = false) {
    Curves c;
    for (std::size_t s = 0; s < strands; ++s) {
        const std::size_t n = mixed ? 2 + (7 * s) % 23 : 16;
        add_curl(c, n, {0, 0.02 * double(s), 0}, 0.15, 0.004 + 0.001 * double(s % 5), 0.05, 0.7 * double(s),
                 1e-3);
    }
    return c;
}

inline Curves straight(std::size_t segments, double length, double radius,
                       const Vec3d& direction = {1, 0, 0}) {
    std::vector<Vec3d> x;
    for (std::size_t i = 0; i <= segments; ++i)
        x.push_back((length * double(i) / double(segments)) * direction);
    Curves c;
    c.add_strand(x, std::vector<double>(x.size(), radius));
    return c;
}

/// Random velocities and twist velocities.
inline void stir(StrandState& s, double speed, double spin) {
    const Random r(11, 5);
    for (std::size_t i = 0; i < s.vertex_count(); ++i) {
        s.velocity[i] = speed * r.direction(i);
        s.twist_velocity[i] = spin * r.normal(1000000 + i);
    }
    for (std::size_t k = 0; k < s.strand_count(); ++k) s.twist_velocity[s.end(k) - 1] = 0;
}

}  // namespace rivulet::strand::samples
