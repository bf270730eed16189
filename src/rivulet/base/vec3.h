#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>

namespace rivulet {

/// Three components of any scalar: double, float, int, or a Pack of doubles.
template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    constexpr T& operator[](int i) {
        assert(i >= 0 && i < 3);
        return i == 0 ? x : i == 1 ? y : z;
    }
    constexpr const T& operator[](int i) const {
        assert(i >= 0 && i < 3);
        return i == 0 ? x : i == 1 ? y : z;
    }

    constexpr Vec3& operator+=(const Vec3& o) { return x += o.x, y += o.y, z += o.z, *this; }
    constexpr Vec3& operator-=(const Vec3& o) { return x -= o.x, y -= o.y, z -= o.z, *this; }
    constexpr Vec3& operator*=(const T& s) { return x *= s, y *= s, z *= s, *this; }
    constexpr bool operator==(const Vec3&) const = default;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
using Vec3i = Vec3<int>;

template <class T>
constexpr Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b) {
    return a += b;
}
template <class T>
constexpr Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b) {
    return a -= b;
}
template <class T>
constexpr Vec3<T> operator-(const Vec3<T>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
constexpr Vec3<T> operator*(Vec3<T> a, const T& s) {
    return a *= s;
}
template <class T>
constexpr Vec3<T> operator*(const T& s, Vec3<T> a) {
    return a *= s;
}
template <class T>
constexpr Vec3<T> operator/(const Vec3<T>& a, const T& s) {
    return {a.x / s, a.y / s, a.z / s};
}

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
constexpr T squared_length(const Vec3<T>& a) {
    return dot(a, a);
}
template <class T>
T length(const Vec3<T>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}
/// The zero vector divides by zero: callers with possibly degenerate input use `normalized_or`.
template <class T>
Vec3<T> normalized(const Vec3<T>& a) {
    return a / length(a);
}
inline Vec3d normalized_or(const Vec3d& a, const Vec3d& fallback) {
    const double l = length(a);
    return l > 0 && std::isfinite(l) ? a / l : fallback;
}
/// Some unit vector across a given unit vector, chosen without branches on nearly equal components.
inline Vec3d any_perpendicular(const Vec3d& unit) {
    const Vec3d axis = std::abs(unit.x) < 0.57   ? Vec3d{1, 0, 0}
                       : std::abs(unit.y) < 0.57 ? Vec3d{0, 1, 0}
                                                 : Vec3d{0, 0, 1};
    return normalized(cross(unit, axis));
}
inline bool is_finite(const Vec3d& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
constexpr Vec3d component_min(const Vec3d& a, const Vec3d& b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
constexpr Vec3d component_max(const Vec3d& a, const Vec3d& b) {
    return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
constexpr Vec3d to_double(const Vec3i& a) {
    return {double(a.x), double(a.y), double(a.z)};
}

}  // namespace rivulet
