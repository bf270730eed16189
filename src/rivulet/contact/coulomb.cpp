#include <rivulet/contact/coulomb.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rivulet::contact {
namespace {

using std::abs;
using std::max;
using std::sqrt;

/// What r_T is by s: -(p + s c)/(det + s trace + s²), see the header.
template <class T>
struct Sliding {
    T p1, p2, c1, c2;  ///< adj(M) c, and c
    T trace, det;      ///< of M
    T w1, w2, normal;  ///< coupling and W_NN
    T beta;            ///< -free_N > 0

    Sliding(const Mat3<T>& w, const Vec3<T>& free)
        : w1(w(0, 1)), w2(w(0, 2)), normal(w(0, 0)), beta(-free.x) {
        const T m11 = w(1, 1) - w1 * w1 / normal, m22 = w(2, 2) - w2 * w2 / normal;
        const T m12 = w(1, 2) - w1 * w2 / normal;
        c1 = free.y + w1 * (beta / normal), c2 = free.z + w2 * (beta / normal);
        trace = m11 + m22;
        // NOTE: positive by theory; the bound only matters for W worse than round-off can hold.
        det = max(m11 * m22 - m12 * m12, trace * trace * T(1e-24));
        p1 = m22 * c1 - m12 * c2, p2 = m11 * c2 - m12 * c1;
    }

    struct Value {
        T value, slope;
    };
    Value secular(const T& s, const T& q) const {
        const T y1 = p1 + s * c1, y2 = p2 + s * c2, square = y1 * y1 + y2 * y2, size = sqrt(square);
        const T d = det + s * (trace + s), pull = (w1 * y1 + w2 * y2) / beta;
        const T along = (y1 * c1 + y2 * c2) / square;
        const T rise = T(2.0) * s + trace + (w1 * c1 + w2 * c2) / beta;
        return {(d + pull) / size - q, (rise - along * (d + pull)) / size};
    }
    /// A sliding impulse on the cone for this s.
    Vec3<T> impulse(const T& s, const T& friction) const {
        const T y1 = p1 + s * c1, y2 = p2 + s * c2, size = sqrt(y1 * y1 + y2 * y2);
        const T e1 = -y1 / size, e2 = -y2 / size;
        // Two ways to the normal impulse: by v_N = 0 unless that cancels, else by the length of r_T.
        const T denominator = normal + friction * (w1 * e1 + w2 * e2);
        const T along = select(T(2.0) * denominator > normal, beta / denominator,
                               size / ((det + s * (trace + s)) * friction));
        return {along, friction * along * e1, friction * along * e2};
    }
};

template <class T>
T middle(const T& low, const T& high, const T& least) {
    const T from = max(low, least);
    return select(high > T(4.0) * from, sqrt(from * high), T(0.5) * (low + high));
}

/// The root s in a bracket; lanes without `wanted` are left alone.
template <class T, class M>
T find_sliding(const Sliding<T>& k, const T& friction, const M& wanted) {
    const T q = k.normal / (friction * k.beta), size = sqrt(k.c1 * k.c1 + k.c2 * k.c2);
    const T pull = sqrt(k.w1 * k.w1 + k.w2 * k.w2) / k.beta, least = k.det / k.trace;
    T low = 0.0, high = size * (q + pull);
    // Far out 1/|r_T| is (s + c·M c/c²)/|c|, and c·M c = trace c² - c·adj(M) c.
    const T stiff = k.trace - (k.p1 * k.c1 + k.p2 * k.c2) / (size * size);
    T s = size * q - (k.w1 * k.c1 + k.w2 * k.c2) / k.beta - stiff;
    s = select(s > low, select(s < high, s, middle(low, high, least)), T(0.0));
    M open = wanted;
    for (int iteration = 0; iteration < 100 && any(open); ++iteration) {
        const auto at = k.secular(s, q);
        const auto under = at.value < T(0.0);
        low = select(open & under, s, low), high = select(open & !under, s, high);
        const T newton = s - at.value / at.slope;
        const auto inside = (newton > low) & (newton < high);
        const T next = select(inside, newton, middle(low, high, least));
        const T change = abs(next - s);
        s = select(open, next, s);
        // A Newton step this short leaves its square; a bisection must close the bracket.
        const T close = select(inside, T(1e-10), T(4e-16));
        open = open & (change > close * (s + least));
    }
    return s;
}

template <class T>
Vec3<T> solve(const Mat3<T>& w, const Vec3<T>& free, const T& friction) {
    const auto touching = free.x < T(0.0);
    const T zero = 0.0;
    if (!any(touching)) return {zero, zero, zero};
    // Lanes that take off go along as if they came in with unit velocity.
    const Vec3<T> approach{select(touching, free.x, T(-1.0)), free.y, free.z};
    const Sliding<T> sliding(w, approach);

    const T t1 = -sliding.p1 / sliding.det, t2 = -sliding.p2 / sliding.det;
    const T normal = (sliding.beta - sliding.w1 * t1 - sliding.w2 * t2) / sliding.normal;
    const auto sticks = sqrt(t1 * t1 + t2 * t2) <= friction * normal;
    const auto slides = touching & !sticks & (friction > zero);
    Vec3<T> r{sliding.beta / sliding.normal, zero, zero};
    if (any(slides)) {
        const Vec3<T> slid = sliding.impulse(find_sliding(sliding, friction, slides), friction);
        for (int i = 0; i < 3; ++i) r[i] = select(slides, slid[i], r[i]);
    }
    const Vec3<T> stuck{normal, t1, t2};
    for (int i = 0; i < 3; ++i) r[i] = select(touching, select(sticks, stuck[i], r[i]), zero);
    return r;
}

}  // namespace

Vec3d solve_coulomb(const Mat3d& w, const Vec3d& free, double friction) {
    assert(w(0, 0) > 0 && friction >= 0 && is_finite(free));
    return solve<double>(w, free, friction);
}
Vec3<Pack> solve_coulomb(const Mat3<Pack>& w, const Vec3<Pack>& free, const Pack& friction) {
    return solve<Pack>(w, free, friction);
}

Vec3d project_on_cone(const Vec3d& r, double friction) {
    const double across = std::hypot(r.y, r.z);
    if (across <= friction * r.x) return r;
    if (friction * across <= -r.x) return {0, 0, 0};
    const double normal = (r.x + friction * across) / (1 + friction * friction);
    const double scale = friction * normal / across;
    return {normal, scale * r.y, scale * r.z};
}

double coulomb_residual(const Vec3d& impulse, const Vec3d& velocity, double friction, double rho) {
    assert(rho > 0 && friction >= 0);
    Vec3d shifted = velocity;
    shifted.x += friction * std::hypot(velocity.y, velocity.z);
    return length(impulse - project_on_cone(impulse - rho * shifted, friction));
}

BridgedContact absorb_bridge(const Mat3d& w, const Vec3d& free, double step, double force, double slope) {
    assert(step > 0);
    const Vec3d answer = w.column(0);
    // Sherman & Morrison: the inverse is I - W n nᵀ κ/(1 + κ W_NN), so that what is along the normal is
    // divided by the bracket; written as that division, since the difference would cancel for a stiff bridge.
    const double stiffness = step * step * std::max(slope, 0.0);
    const double bracket = 1 + stiffness * answer.x, gain = stiffness / bracket;
    const Vec3d pulled = free - (step * force) * answer;
    BridgedContact out{w, pulled - (gain * pulled.x) * answer};
    out.free.x = pulled.x / bracket;
    for (int i = 1; i < 3; ++i) {
        out.w(0, i) = out.w(i, 0) = w(0, i) / bracket;
        for (int j = 1; j < 3; ++j) out.w(i, j) -= gain * (answer[i] * answer[j]);
    }
    out.w(0, 0) = answer.x / bracket;
    return out;
}

double bridge_impulse(double step, double force, double slope, double normal_velocity) {
    return -step * (force + step * std::max(slope, 0.0) * normal_velocity);
}

}  // namespace rivulet::contact
