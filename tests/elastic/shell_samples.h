#pragma once

#include <rivulet/base/random.h>
#include <rivulet/elastic/plate.h>
#include <rivulet/elastic/rod_frame.h>

namespace rivulet::elastic::samples {

/// A triangle of cloth, bent and stretched: rest shape, laws, and where corners and directors are.
struct ShellSample {
    RestTriangle rest;
    Orthotropic stretch, bend;
    Stiffening stiffening;
    Voigt strain_target, curvature_target;
    std::array<Vec3d, 3> x, director;
    std::array<double, 3> forward{1, -1, 1};

    Vec3d along(std::size_t i) const { return forward[i] * (x[(i + 2) % 3] - x[(i + 1) % 3]); }
    double membrane_value_here() const {
        return membrane_value(rest, stretch, stiffening, green_strain(deformation(rest, x)), strain_target);
    }
    MembraneEnergy membrane_here() const {
        const Deformation f = deformation(rest, x);
        const Voigt s = membrane_stress(stretch, stiffening, green_strain(f), strain_target);
        return membrane(rest, stretch, stiffening, f, strain_target, s);
    }
    double plate_value_here() const {
        return plate_value(rest, bend, curvature(rest, plate_turns(x, director)), curvature_target);
    }
    PlateShape shape() const { return plate_shape(x, director, forward); }

    /// With the corners displaced and the directors carried along and turned.
    ShellSample moved(const std::array<double, kPlateUnknowns>& by) const {
        ShellSample s = *this;
        for (std::size_t u = 0; u < 9; ++u) s.x[u / 3][int(u % 3)] += by[u];
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d to = normalized(s.along(i));
            s.director[i] = turned(parallel_transport(director[i], normalized(along(i)), to), to, by[9 + i]);
        }
        return s;
    }
};

/// Stretched by up to `strained`, directors turned from the normal by up to `bent` [rad].
inline ShellSample random_shell(std::uint64_t seed, double strained, double bent) {
    const Random r(seed, 23);
    ShellSample s;
    std::array<Vec2d, 3> p{Vec2d{0, 0}, Vec2d{r.uniform(0, 0.8, 1.4), r.uniform(1, -0.3, 0.3)},
                           Vec2d{r.uniform(2, -0.2, 0.7), r.uniform(3, 0.7, 1.3)}};
    s.rest = rest_triangle(p);
    s.stretch = {r.uniform(4, 1, 3), r.uniform(5, 1, 3), r.uniform(6, -0.8, 0.8), r.uniform(7, 0.1, 1)};
    s.bend = {r.uniform(8, 1, 3), r.uniform(9, 1, 3), r.uniform(10, -0.8, 0.8), r.uniform(11, 0.1, 1)};
    s.stiffening = {0.05, r.uniform(12, 0, 10)};
    for (std::size_t k = 0; k < 3; ++k) {
        s.strain_target[k] = r.uniform(20 + k, -0.1, 0.1);
        s.curvature_target[k] = r.uniform(30 + k, -0.5, 0.5);
    }
    const Vec3d a = r.direction(13), b = squared_up(r.direction(14), a);
    for (std::size_t i = 0; i < 3; ++i)
        s.x[i] = p[i].x * a + p[i].y * b + strained * r.uniform(40 + i, 0, 1) * r.direction(15 + i) + 0.3 * a;
    const Vec3d n = normalized(cross(s.x[1] - s.x[0], s.x[2] - s.x[0]));
    for (std::size_t i = 0; i < 3; ++i)
        s.director[i] = turned(n, normalized(s.along(i)), r.uniform(50 + i, -bent, bent));
    return s;
}

}  // namespace rivulet::elastic::samples
