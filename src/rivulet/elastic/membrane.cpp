#include <rivulet/elastic/membrane.h>

#include <algorithm>

#include <rivulet/elastic/sym3.h>

namespace rivulet::elastic {

namespace {

double beyond(const Stiffening& s, double strain) {
    return s.gain > 0 ? std::max(0.0, strain - s.from) : 0.0;
}

/// The law's slope at a strain: what stiffening adds on the diagonal.
Orthotropic tangent(const Orthotropic& law, const Stiffening& s, const Voigt& strain) {
    Orthotropic out = law;
    if (s.gain > 0) {
        out.warp += law.warp * s.gain * beyond(s, strain[0]) / s.from;
        out.weft += law.weft * s.gain * beyond(s, strain[1]) / s.from;
    }
    return out;
}

}  // namespace

RestTriangle rest_triangle(const std::array<Vec2d, 3>& p) {
    RestTriangle out;
    const double twice = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
    out.area = 0.5 * twice;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec2d &a = p[(i + 1) % 3], &b = p[(i + 2) % 3];
        const double x = b.x - a.x, y = b.y - a.y;
        const double l = std::hypot(x, y);
        out.slope[i] = {-y / twice, x / twice};
        out.side[i] = l;
        out.outward[i] = {y / l, -x / l};
        const Vec2d& n = out.outward[i];
        const double per = l / out.area;
        out.curvature_of_turn[i] = {per * n.x * n.x, per * n.y * n.y, per * 2 * n.x * n.y};
    }
    return out;
}

Voigt strain_change(const RestTriangle& rest, const Deformation& f, const std::array<Vec3d, 3>& by) {
    const Deformation d = deformation(rest, by);
    return {dot(f.warp, d.warp), dot(f.weft, d.weft), dot(f.warp, d.weft) + dot(f.weft, d.warp)};
}

Voigt membrane_stress(const Orthotropic& law, const Stiffening& s, const Voigt& strain, const Voigt& target) {
    Voigt stress = law.times({strain[0] - target[0], strain[1] - target[1], strain[2] - target[2]});
    if (s.gain > 0) {
        const double warp = beyond(s, strain[0]), weft = beyond(s, strain[1]);
        stress[0] += law.warp * s.gain * warp * warp / (2 * s.from);
        stress[1] += law.weft * s.gain * weft * weft / (2 * s.from);
    }
    return stress;
}

double membrane_value(const RestTriangle& rest, const Orthotropic& law, const Stiffening& s,
                      const Voigt& strain, const Voigt& target) {
    const Voigt excess{strain[0] - target[0], strain[1] - target[1], strain[2] - target[2]};
    double density = 0.5 * dot(excess, law.times(excess));
    if (s.gain > 0) {
        const double warp = beyond(s, strain[0]), weft = beyond(s, strain[1]);
        density += s.gain / (6 * s.from) * (law.warp * warp * warp * warp + law.weft * weft * weft * weft);
    }
    return rest.area * density;
}

MembraneEnergy membrane(const RestTriangle& rest, const Orthotropic& law, const Stiffening& stiffening,
                        const Deformation& f, const Voigt& target, const Voigt& across) {
    MembraneEnergy out;
    const Voigt strain = green_strain(f);
    const Voigt s = membrane_stress(law, stiffening, strain, target);
    const Orthotropic c = tangent(law, stiffening, strain);
    out.value = membrane_value(rest, law, stiffening, strain, target);
    const Vec3d along_warp = s[0] * f.warp + s[2] * f.weft, along_weft = s[2] * f.warp + s[1] * f.weft;
    // Slopes of E11, E22, 2 E12 by corner i, and stresses per displacement along them.
    std::array<std::array<Vec3d, 3>, 3> slope, answer;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec2d& b = rest.slope[i];
        out.gradient[i] = rest.area * (b.x * along_warp + b.y * along_weft);
        slope[i] = {b.x * f.warp, b.y * f.weft, b.x * f.weft + b.y * f.warp};
        answer[i] = {rest.area * (c.warp * slope[i][0] + c.coupling * slope[i][1]),
                     rest.area * (c.coupling * slope[i][0] + c.weft * slope[i][1]),
                     rest.area * c.shear * slope[i][2]};
    }
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i; j < 3; ++j) {
            const Vec2d &b = rest.slope[i], &d = rest.slope[j];
            const double geometric = rest.area * (across[0] * b.x * d.x + across[1] * b.y * d.y +
                                                  across[2] * (b.x * d.y + b.y * d.x));
            Mat3d& h = out.hessian[i][j];
            h = geometric * Mat3d::identity();
            for (std::size_t k = 0; k < 3; ++k) add_outer(h, 1.0, slope[i][k], answer[j][k]);
            if (j > i) out.hessian[j][i] = transpose(h);
        }
    return out;
}

Voigt stress_above(double least, const Voigt& s) {
    const double mean = 0.5 * (s[0] + s[1]), half = 0.5 * (s[0] - s[1]);
    const double radius = std::hypot(half, s[2]);
    if (mean - radius >= least) return s;
    if (mean + radius <= least || radius == 0) return {least, least, 0};
    // Principal stresses `most` and `least` in the same directions.
    const double most = mean + radius, middle = 0.5 * (most + least), wide = 0.5 * (most - least) / radius;
    return {middle + wide * half, middle - wide * half, wide * s[2]};
}

double least_stress(const RestTriangle& rest, double density, double dt) {
    // Largest eigenvalue of Σ b⊗b, which has those of the matrix b_i·b_j.
    double xx = 0, yy = 0, xy = 0;
    for (const Vec2d& b : rest.slope) {
        xx += b.x * b.x;
        yy += b.y * b.y;
        xy += b.x * b.y;
    }
    const double most = 0.5 * (xx + yy) + std::hypot(0.5 * (xx - yy), xy);
    constexpr double kKept = 0.1;  // part of the inertia that stays
    return -(1 - kKept) * density / (3 * dt * dt * most);
}

}  // namespace rivulet::elastic
