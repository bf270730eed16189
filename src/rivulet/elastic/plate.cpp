#include <rivulet/elastic/plate.h>

#include <algorithm>

namespace rivulet::elastic {

namespace {

/// 2 tan(φ/2) = 2 sin φ/(1 + cos φ).
double half_tangent(const Vec3d& director, const Vec3d& outward, const Vec3d& normal) {
    return 2 * dot(director, outward) / std::max(1 + dot(director, normal), 1e-12);
}

/// ∂φ_i/∂x_j = (∇N_j · m_i) n and ∂φ_i/∂θ_i: by displacements along n, and turns.
std::array<double, 6> slope_of_turn(const PlateShape& s, std::size_t i) {
    std::array<double, 6> row{};
    for (std::size_t j = 0; j < 3; ++j) row[j] = dot(s.slope[j], s.outward[i]);
    row[3 + i] = s.forward[i];
    return row;
}

/// d(2 tan φ/2)/dφ
double steepness(double turn) {
    return 1 + 0.25 * turn * turn;
}

/// Moments at the sides [N*m]: the energy's slope by 2 tan(φ_i/2).
std::array<double, 3> side_moments(const RestTriangle& rest, const Orthotropic& law, const PlateShape& shape,
                                   const Voigt& target) {
    const Voigt bent = curvature(rest, shape.turn);
    const Voigt moment = law.times({bent[0] - target[0], bent[1] - target[1], bent[2] - target[2]});
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = rest.area * dot(moment, rest.curvature_of_turn[i]);
    return out;
}

/// Adds w ∂²φ_i/∂x∂x, with g_j = ∇N_j · m_i, c_j = −1, 1, 0 of the side's first, second and the other corner:
///   −g_k n⊗∇N_j − g_j ∇N_k⊗n − c_j c_k/(2 l²) (n⊗m + m⊗n).
/// The derivative of the slopes above has n⊗m with c_j c_k/l² instead: carried along two ways of moving one
/// after the other, a director ends in two places; the function itself, with one transport, has their mean.
void add_turning_of_slopes(const PlateShape& s, std::size_t i, double w, PlateHessian& out) {
    const std::array<double, 3> g{dot(s.slope[0], s.outward[i]), dot(s.slope[1], s.outward[i]),
                                  dot(s.slope[2], s.outward[i])};
    std::array<double, 3> c{};
    c[(i + 1) % 3] = -1;
    c[(i + 2) % 3] = 1;
    const Vec3d &n = s.normal, &m = s.outward[i];
    for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) {
            const double swing = 0.5 * c[j] * c[k] / (s.side[i] * s.side[i]);
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    out[3 * j + std::size_t(a)][3 * k + std::size_t(b)] -=
                        w * (g[k] * n[a] * s.slope[j][b] + g[j] * s.slope[k][a] * n[b] +
                             swing * (n[a] * m[b] + m[a] * n[b]));
        }
}

}  // namespace

PlateShape plate_shape(const std::array<Vec3d, 3>& x, const std::array<Vec3d, 3>& director,
                       const std::array<double, 3>& forward) {
    PlateShape s;
    const Vec3d twice = cross(x[1] - x[0], x[2] - x[0]);
    const double area2 = length(twice);
    s.normal = twice / area2;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d along = x[(i + 2) % 3] - x[(i + 1) % 3];
        s.side[i] = length(along);
        const Vec3d across = cross(along, s.normal);
        s.outward[i] = across / s.side[i];
        s.slope[i] = across / -area2;
        s.turn[i] = half_tangent(director[i], s.outward[i], s.normal);
    }
    s.forward = forward;
    return s;
}

std::array<double, 3> plate_turns(const std::array<Vec3d, 3>& x, const std::array<Vec3d, 3>& director) {
    const Vec3d normal = normalized(cross(x[1] - x[0], x[2] - x[0]));
    std::array<double, 3> turn;
    for (std::size_t i = 0; i < 3; ++i)
        turn[i] =
            half_tangent(director[i], cross(normalized(x[(i + 2) % 3] - x[(i + 1) % 3]), normal), normal);
    return turn;
}

Voigt curvature(const RestTriangle& rest, const std::array<double, 3>& turn) {
    Voigt bent{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) bent[k] += turn[i] * rest.curvature_of_turn[i][k];
    return bent;
}

double plate_value(const RestTriangle& rest, const Orthotropic& law, const Voigt& bent, const Voigt& target) {
    const Voigt excess{bent[0] - target[0], bent[1] - target[1], bent[2] - target[2]};
    return 0.5 * rest.area * dot(excess, law.times(excess));
}

PlateEnergy plate(const RestTriangle& rest, const Orthotropic& law, const PlateShape& shape,
                  const Voigt& target) {
    PlateEnergy out;
    out.value = plate_value(rest, law, curvature(rest, shape.turn), target);
    const std::array<double, 3> moment = side_moments(rest, law, shape, target);
    std::array<std::array<double, 6>, 3> slope;  // of 2 tan(φ_i/2)
    for (std::size_t i = 0; i < 3; ++i) {
        slope[i] = slope_of_turn(shape, i);
        for (double& s : slope[i]) s *= steepness(shape.turn[i]);
        for (std::size_t a = 0; a < 6; ++a) out.gradient[a] += moment[i] * slope[i][a];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const Voigt answer = law.times(rest.curvature_of_turn[i]);
        std::array<double, 6> row{};
        for (std::size_t k = 0; k < 3; ++k) {
            const double w = rest.area * dot(answer, rest.curvature_of_turn[k]);
            for (std::size_t a = 0; a < 6; ++a) row[a] += w * slope[k][a];
        }
        for (std::size_t a = 0; a < 6; ++a)
            for (std::size_t b = 0; b < 6; ++b) out.hessian[a][b] += slope[i][a] * row[b];
    }
    return out;
}

PlateHessian plate_hessian(const RestTriangle& rest, const Orthotropic& law, const PlateShape& shape,
                           const Voigt& target) {
    auto reduced = plate(rest, law, shape, target).hessian;
    const std::array<double, 3> moment = side_moments(rest, law, shape, target);
    PlateHessian out{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::array<double, 6> slope = slope_of_turn(shape, i);
        const double bow = moment[i] * 0.5 * shape.turn[i] * steepness(shape.turn[i]);  // d²(2 tan φ/2)/dφ²
        for (std::size_t a = 0; a < 6; ++a)
            for (std::size_t b = 0; b < 6; ++b) reduced[a][b] += bow * slope[a] * slope[b];
        add_turning_of_slopes(shape, i, moment[i] * steepness(shape.turn[i]), out);
    }
    const auto part = [&](std::size_t u) { return u < 9 ? shape.normal[int(u % 3)] : 1.0; };
    const auto index = [](std::size_t u) { return u < 9 ? u / 3 : u - 6; };
    for (std::size_t a = 0; a < kPlateUnknowns; ++a)
        for (std::size_t b = 0; b < kPlateUnknowns; ++b)
            out[a][b] += reduced[index(a)][index(b)] * part(a) * part(b);
    return out;
}

}  // namespace rivulet::elastic
