#pragma once

#include <rivulet/base/mat3.h>

namespace rivulet::elastic {

/// Symmetric 3×3 matrix, upper triangle.
template <class T>
struct Sym3 {
    T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

    /// += s v⊗v
    void add_square(const T& s, const Vec3<T>& v) {
        const Vec3<T> w = s * v;
        xx += w.x * v.x;
        xy += w.x * v.y;
        xz += w.x * v.z;
        yy += w.y * v.y;
        yz += w.y * v.z;
        zz += w.z * v.z;
    }
    /// += s (u⊗v + v⊗u)
    void add_pair(const T& s, const Vec3<T>& u, const Vec3<T>& v) {
        const Vec3<T> w = s * u;
        xx += T(2.0) * (w.x * v.x);
        xy += w.x * v.y + w.y * v.x;
        xz += w.x * v.z + w.z * v.x;
        yy += T(2.0) * (w.y * v.y);
        yz += w.y * v.z + w.z * v.y;
        zz += T(2.0) * (w.z * v.z);
    }
    void add_identity(const T& s) {
        xx += s;
        yy += s;
        zz += s;
    }
    const T& operator()(int i, int j) const {
        if (i > j) return (*this)(j, i);
        return i == 0 ? (j == 0 ? xx : j == 1 ? xy : xz) : i == 1 ? (j == 1 ? yy : yz) : zz;
    }
};

/// a += s u⊗v
template <class T>
void add_outer(Mat3<T>& a, const T& s, const Vec3<T>& u, const Vec3<T>& v) {
    const Vec3<T> w = s * u;
    for (int i = 0; i < 3; ++i) {
        a(i, 0) += w[i] * v.x;
        a(i, 1) += w[i] * v.y;
        a(i, 2) += w[i] * v.z;
    }
}

/// a += [v]×
template <class T>
void add_cross_matrix(Mat3<T>& a, const Vec3<T>& v) {
    a(0, 1) -= v.z;
    a(0, 2) += v.y;
    a(1, 0) += v.z;
    a(1, 2) -= v.x;
    a(2, 0) -= v.y;
    a(2, 1) += v.x;
}

}  // namespace rivulet::elastic
