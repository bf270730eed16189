#pragma once

#include <rivulet/base/mat3.h>
#include <rivulet/base/pack.h>

namespace rivulet::elastic {

/// Parallel transport of `v` from the unit tangent `from` to the unit tangent `to`: the smallest rotation
/// that takes one to the other. v + w×v + w×(w×v)/(1+c), w = from×to, c = from·to. For opposite tangents,
/// where no rotation is the smallest, the result is finite but means nothing.
template <class T>
Vec3<T> parallel_transport(const Vec3<T>& v, const Vec3<T>& from, const Vec3<T>& to) {
    const Vec3<T> w = cross(from, to);
    const Vec3<T> wv = cross(w, v);
    return v + wv + (T(1.0) / max(T(1.0) + dot(from, to), T(1e-12))) * cross(w, wv);
}

/// Angle from `u` to `v`, both across the unit `axis`, counted right-handed about it, in (-π, π].
template <class T>
T signed_angle(const Vec3<T>& u, const Vec3<T>& v, const Vec3<T>& axis) {
    using std::atan2;
    return atan2(dot(cross(u, v), axis), dot(u, v));
}

/// `v` (across the unit `axis`) turned about the axis.
template <class T>
Vec3<T> turned(const Vec3<T>& v, const Vec3<T>& axis, const T& angle) {
    using std::cos, std::sin;
    return cos(angle) * v + sin(angle) * cross(axis, v);
}

/// `v` made a unit vector across the unit `axis`: takes away what rounding has left along it.
template <class T>
Vec3<T> squared_up(const Vec3<T>& v, const Vec3<T>& axis) {
    return normalized(v - dot(v, axis) * axis);
}

}  // namespace rivulet::elastic
