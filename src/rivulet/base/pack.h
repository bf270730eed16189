#pragma once

#include <cmath>
#include <cstdint>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace rivulet {

/// Four doubles that are computed side by side. Always four wide, whatever the hardware, and every lane gets
/// the bits a plain double would get: elementary functions call the scalar library lane by lane. Kernels are
/// templates over the scalar and use only what is declared here for both `Pack` and `double`:
/// + - * /, comparison to a Mask, `select`, `any`, `all`, `sqrt`, `abs`, `min`, `max`, `sin`, `cos`, `atan2`,
/// ...
struct Pack {
    static constexpr int kWidth = 4;
    using Lanes = double __attribute__((vector_size(32)));
    using Bits = std::int64_t __attribute__((vector_size(32)));

    Lanes v{};

    Pack() = default;
    Pack(double s) : v{s, s, s, s} {}
    explicit Pack(Lanes lanes) : v(lanes) {}
    Pack(double a, double b, double c, double d) : v{a, b, c, d} {}

    double operator[](int i) const { return v[i]; }
    void set(int i, double s) { v[i] = s; }

    Pack& operator+=(const Pack& o) { return v += o.v, *this; }
    Pack& operator-=(const Pack& o) { return v -= o.v, *this; }
    Pack& operator*=(const Pack& o) { return v *= o.v, *this; }
    Pack& operator/=(const Pack& o) { return v /= o.v, *this; }
};

struct Mask {
    Pack::Bits v{};
    bool operator[](int i) const { return v[i] != 0; }
};

inline Pack operator+(Pack a, const Pack& b) {
    return a += b;
}
inline Pack operator-(Pack a, const Pack& b) {
    return a -= b;
}
inline Pack operator*(Pack a, const Pack& b) {
    return a *= b;
}
inline Pack operator/(Pack a, const Pack& b) {
    return a /= b;
}
inline Pack operator-(const Pack& a) {
    return Pack(-a.v);
}

/// a b + c, rounded once.
inline Pack multiply_add(const Pack& a, const Pack& b, const Pack& c) {
#if defined(__FMA__)
    return Pack((Pack::Lanes)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v));
#else
    return {std::fma(a[0], b[0], c[0]), std::fma(a[1], b[1], c[1]), std::fma(a[2], b[2], c[2]),
            std::fma(a[3], b[3], c[3])};
#endif
}

inline Mask operator<(const Pack& a, const Pack& b) {
    return {a.v < b.v};
}
inline Mask operator<=(const Pack& a, const Pack& b) {
    return {a.v <= b.v};
}
inline Mask operator>(const Pack& a, const Pack& b) {
    return {a.v > b.v};
}
inline Mask operator>=(const Pack& a, const Pack& b) {
    return {a.v >= b.v};
}
constexpr Mask operator==(const Pack& a, const Pack& b) {
    return {a.v == b.v};
}
inline Mask operator&(const Mask& a, const Mask& b) {
    return {a.v & b.v};
}
inline Mask operator|(const Mask& a, const Mask& b) {
    return {a.v | b.v};
}
inline Mask operator!(const Mask& a) {
    return {~a.v};
}

inline Pack select(const Mask& m, const Pack& yes, const Pack& no) {
    return Pack(m.v ? yes.v : no.v);
}
inline bool any(const Mask& m) {
#if defined(__AVX__)
    return _mm256_movemask_pd((__m256d)m.v) != 0;
#else
    return (m[0] || m[1]) || (m[2] || m[3]);
#endif
}
inline bool all(const Mask& m) {
#if defined(__AVX__)
    return _mm256_movemask_pd((__m256d)m.v) == 15;
#else
    return (m[0] && m[1]) && (m[2] && m[3]);
#endif
}

/// Applies a scalar function lane by lane: the same bits as the scalar kernel.
template <class F>
Pack map_lanes(const Pack& a, F&& f) {
    return {f(a[0]), f(a[1]), f(a[2]), f(a[3])};
}

/// Square roots are rounded correctly by IEEE 754: the four-wide instruction gives the scalar's bits.
inline Pack sqrt(const Pack& a) {
#if defined(__AVX__)
    return Pack((Pack::Lanes)_mm256_sqrt_pd((__m256d)a.v));
#else
    return map_lanes(a, [](double x) { return std::sqrt(x); });
#endif
}
inline Pack abs(const Pack& a) {
    return Pack((Pack::Lanes)((Pack::Bits)a.v & INT64_MAX));
}
inline Pack sin(const Pack& a) {
    return map_lanes(a, [](double x) { return std::sin(x); });
}
inline Pack cos(const Pack& a) {
    return map_lanes(a, [](double x) { return std::cos(x); });
}
inline Pack acos(const Pack& a) {
    return map_lanes(a, [](double x) { return std::acos(x); });
}
inline Pack atan(const Pack& a) {
    return map_lanes(a, [](double x) { return std::atan(x); });
}
inline Pack exp(const Pack& a) {
    return map_lanes(a, [](double x) { return std::exp(x); });
}
inline Pack log(const Pack& a) {
    return map_lanes(a, [](double x) { return std::log(x); });
}
inline Pack atan2(const Pack& a, const Pack& b) {
    return {std::atan2(a[0], b[0]), std::atan2(a[1], b[1]), std::atan2(a[2], b[2]), std::atan2(a[3], b[3])};
}
inline Pack min(const Pack& a, const Pack& b) {
    return select(b < a, b, a);
}
inline Pack max(const Pack& a, const Pack& b) {
    return select(a < b, b, a);
}

// The same vocabulary for plain doubles, so that one template serves both.
inline double select(bool m, double yes, double no) {
    return m ? yes : no;
}
inline bool any(bool m) {
    return m;
}
inline bool all(bool m) {
    return m;
}
inline double min(double a, double b) {
    return b < a ? b : a;
}
inline double max(double a, double b) {
    return a < b ? b : a;
}
inline double multiply_add(double a, double b, double c) {
    return std::fma(a, b, c);
}

}  // namespace rivulet
