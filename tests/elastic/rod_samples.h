#pragma once

#include <array>
#include <functional>

#include <rivulet/base/random.h>
#include <rivulet/elastic/rod_stencil.h>

namespace rivulet::elastic::samples {

/// A random joint: base frames, rest shape, stiffness, and eleven unknowns away from the base.
struct JointSample {
    std::array<EdgeBase<double>, 2> base;
    BendRest<double> bend;
    TwistRest<double> twist;
    std::array<double, 11> unknowns;
};

/// `hop`: how far (about, rad) the tangents are from the base ones; `turn`: angle between the two edges.
inline JointSample random_joint(std::uint64_t seed, double hop, double turn) {
    const Random r(seed, 17);
    JointSample s;
    const Vec3d a = r.direction(0), side = squared_up(r.direction(1), a);
    const Vec3d b = std::cos(turn) * a + std::sin(turn) * side;
    const double la = r.uniform(2, 0.5, 1.5), lb = r.uniform(3, 0.5, 1.5);
    const Vec3d x1 = r.uniform3(4), x0 = x1 - la * a, x2 = x1 + lb * b;
    const Vec3d ta = normalized(a + hop * r.direction(5)), tb = normalized(b + hop * r.direction(6));
    const Vec3d da = squared_up(r.direction(7), ta);
    s.base = {EdgeBase<double>{ta, da}, EdgeBase<double>{tb, squared_up(parallel_transport(da, ta, tb), tb)}};
    s.bend = {r.uniform(10, 0.5, 2),
              r.uniform(11, 0.5, 2),
              {r.uniform(12, -1, 1), r.uniform(13, -1, 1), r.uniform(14, -1, 1), r.uniform(15, -1, 1)}};
    s.twist = {r.uniform(16, 0.5, 2), r.uniform(17, -1, 1)};
    s.unknowns = {x0.x, x0.y, x0.z, r.uniform(18, -2, 2), x1.x, x1.y, x1.z, r.uniform(19, -2, 2),
                  x2.x, x2.y, x2.z};
    return s;
}

enum class Part { bend, twist, both };

template <class T>
JointEnergy<T> evaluate_joint(const std::array<T, 11>& u, const std::array<EdgeBase<T>, 2>& base,
                              const BendRest<T>& bend, const TwistRest<T>& twist, Part part, const T& exact) {
    const Vec3<T> x0{u[0], u[1], u[2]}, x1{u[4], u[5], u[6]}, x2{u[8], u[9], u[10]};
    const RodEdge<T> before = place_edge(x1 - x0, u[3], base[0]), after = place_edge(x2 - x1, u[7], base[1]);
    const Joint<T> joint = make_joint(before, after);
    JointEnergy<T> out;
    if (part != Part::twist) add_bend(joint, before, after, bend, exact, out);
    if (part != Part::bend)
        add_twist(joint, before, after, u[7] - u[3] + reference_twist(before, after), twist, exact, out);
    follow_hop(before, after, exact, out);
    return out;
}

/// Value, gradient and Hessian of a joint by the unknowns of its stencil.
template <class T>
struct StencilEnergy {
    T value{};
    T gradient[kStencilUnknowns]{};
    T hessian[kStencilUnknowns][kStencilUnknowns]{};
};

template <class T>
StencilEnergy<T> expand(const JointEnergy<T>& j) {
    StencilEnergy<T> out;
    out.value = j.value;
    scatter_gradient(j, [&](int r, const T& v) { out.gradient[r] = v; });
    scatter_hessian(j, [&](int r, int c, const T& v) { out.hessian[r][c] = out.hessian[c][r] = v; });
    return out;
}

inline StencilEnergy<double> evaluate(const JointSample& s, Part part, double exact = 1) {
    return expand(evaluate_joint<double>(s.unknowns, s.base, s.bend, s.twist, part, exact));
}

}  // namespace rivulet::elastic::samples
