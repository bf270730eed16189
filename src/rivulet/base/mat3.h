#pragma once

#include <rivulet/base/vec3.h>

#include <cassert>

namespace rivulet {

/// Row-major 3×3 matrix of any scalar. Zero by default; `Mat3<T>::identity()`.
template <class T>
struct Mat3 {
    T m[3][3]{};

    constexpr T& operator()(int i, int j) {
        assert(i >= 0 && i < 3 && j >= 0 && j < 3);
        return m[i][j];
    }
    constexpr const T& operator()(int i, int j) const {
        assert(i >= 0 && i < 3 && j >= 0 && j < 3);
        return m[i][j];
    }

    static constexpr Mat3 diagonal(const Vec3<T>& d) {
        Mat3 r;
        for (int i = 0; i < 3; ++i) r.m[i][i] = d[i];
        return r;
    }
    static constexpr Mat3 identity() { return diagonal({T(1.0), T(1.0), T(1.0)}); }
    static constexpr Mat3 from_rows(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
        return {{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
    }
    static constexpr Mat3 from_columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
        return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
    }
    constexpr Vec3<T> row(int i) const { return {m[i][0], m[i][1], m[i][2]}; }
    constexpr Vec3<T> column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }

    constexpr Mat3& operator+=(const Mat3& o) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m[i][j] += o.m[i][j];
        return *this;
    }
    constexpr Mat3& operator-=(const Mat3& o) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m[i][j] -= o.m[i][j];
        return *this;
    }
    constexpr Mat3& operator*=(const T& s) {
        for (auto& row_of : m)
            for (auto& v : row_of) v *= s;
        return *this;
    }
    constexpr bool operator==(const Mat3&) const = default;
};

using Mat3d = Mat3<double>;

template <class T>
constexpr Mat3<T> operator+(Mat3<T> a, const Mat3<T>& b) {
    return a += b;
}
template <class T>
constexpr Mat3<T> operator-(Mat3<T> a, const Mat3<T>& b) {
    return a -= b;
}
template <class T>
constexpr Mat3<T> operator*(Mat3<T> a, const T& s) {
    return a *= s;
}
template <class T>
constexpr Mat3<T> operator*(const T& s, Mat3<T> a) {
    return a *= s;
}
template <class T>
constexpr Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
    return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
            a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
            a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}
template <class T>
constexpr Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
    Mat3<T> r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
}
template <class T>
constexpr Mat3<T> transpose(const Mat3<T>& a) {
    Mat3<T> r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r.m[i][j] = a.m[j][i];
    return r;
}
template <class T>
constexpr T trace(const Mat3<T>& a) {
    return a.m[0][0] + a.m[1][1] + a.m[2][2];
}
template <class T>
constexpr T determinant(const Mat3<T>& a) {
    return dot(a.row(0), cross(a.row(1), a.row(2)));
}
/// Inverse by cofactors; a singular matrix gives non-finite entries.
template <class T>
constexpr Mat3<T> inverse(const Mat3<T>& a) {
    const Vec3<T> r0 = a.row(0), r1 = a.row(1), r2 = a.row(2);
    const T inv = T(1.0) / dot(r0, cross(r1, r2));
    return Mat3<T>::from_columns(cross(r1, r2) * inv, cross(r2, r0) * inv, cross(r0, r1) * inv);
}
template <class T>
constexpr Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
    return Mat3<T>::from_rows(a.x * b, a.y * b, a.z * b);
}
/// [v]× : cross_matrix(v) * w == cross(v, w).
template <class T>
constexpr Mat3<T> cross_matrix(const Vec3<T>& v) {
    return {{{T(0.0), -v.z, v.y}, {v.z, T(0.0), -v.x}, {-v.y, v.x, T(0.0)}}};
}
/// A : B, the sum of products of entries.
template <class T>
constexpr T contract(const Mat3<T>& a, const Mat3<T>& b) {
    return dot(a.row(0), b.row(0)) + dot(a.row(1), b.row(1)) + dot(a.row(2), b.row(2));
}

}  // namespace rivulet
