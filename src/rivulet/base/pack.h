#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace rivulet {

/// `Width` numbers that are computed side by side: always as many, whatever the hardware, and every lane gets
/// the bits a plain number would get: elementary functions call the scalar library lane by lane. Kernels are
/// templates over the scalar and use only what is declared here for both packs and `double`:
/// + - * /, comparison to a mask, `select`, `any`, `all`, `sqrt`, `abs`, `min`, `max`, `sin`, `cos`, `atan2`,
/// ...
template <class Scalar, int Width>
struct PackOf {
    static_assert(Width * sizeof(Scalar) == 32, "one register");
    static constexpr int kWidth = Width;
    using Real = Scalar;
    using Integer = std::conditional_t<sizeof(Scalar) == 8, std::int64_t, std::int32_t>;
    using Lanes [[gnu::vector_size(32)]] = Scalar;
    using Bits [[gnu::vector_size(32)]] = Integer;

    struct Mask {
        Bits v{};
        bool operator[](int i) const { return v[i] != 0; }

        friend Mask operator&(const Mask& a, const Mask& b) { return {a.v & b.v}; }
        friend Mask operator|(const Mask& a, const Mask& b) { return {a.v | b.v}; }
        friend Mask operator!(const Mask& a) { return {~a.v}; }
        friend bool any(const Mask& m) { return m.signs() != 0; }
        friend bool all(const Mask& m) { return m.signs() == (1 << Width) - 1; }

     private:
        int signs() const {
#if defined(__AVX__)
            if constexpr (Width == 4)
                return _mm256_movemask_pd((__m256d)v);
            else
                return _mm256_movemask_ps((__m256)v);
#else
            int bits = 0;
            for (int i = 0; i < Width; ++i) bits |= int(v[i] != 0) << i;
            return bits;
#endif
        }
    };

    Lanes v{};

    PackOf() = default;
    PackOf(double s) : v(Lanes{} + Scalar(s)) {}
    explicit PackOf(Lanes lanes) : v(lanes) {}
    template <class... More>
    requires(sizeof...(More) + 2 == Width) PackOf(Scalar a, Scalar b, More... more)
        : v{a, b, Scalar(more)...} {}
    /// Lane i: f(i).
    template <class F>
    static PackOf generate(F&& f) {
        PackOf out;
        for (int i = 0; i < Width; ++i) out.v[i] = Scalar(f(i));
        return out;
    }

    Scalar operator[](int i) const {
        return v[i];
    }
    void set(int i, Scalar s) {
        v[i] = s;
    }

    PackOf& operator+=(const PackOf& o) {
        return v += o.v, *this;
    }
    PackOf& operator-=(const PackOf& o) {
        return v -= o.v, *this;
    }
    PackOf& operator*=(const PackOf& o) {
        return v *= o.v, *this;
    }
    PackOf& operator/=(const PackOf& o) {
        return v /= o.v, *this;
    }
    friend PackOf operator+(PackOf a, const PackOf& b) {
        return a += b;
    }
    friend PackOf operator-(PackOf a, const PackOf& b) {
        return a -= b;
    }
    friend PackOf operator*(PackOf a, const PackOf& b) {
        return a *= b;
    }
    friend PackOf operator/(PackOf a, const PackOf& b) {
        return a /= b;
    }
    friend PackOf operator-(const PackOf& a) {
        return PackOf(-a.v);
    }

    /// a b + c, rounded once.
    friend PackOf multiply_add(const PackOf& a, const PackOf& b, const PackOf& c) {
#if defined(__FMA__)
        if constexpr (Width == 4)
            return PackOf((Lanes)_mm256_fmadd_pd((__m256d)a.v, (__m256d)b.v, (__m256d)c.v));
        else
            return PackOf((Lanes)_mm256_fmadd_ps((__m256)a.v, (__m256)b.v, (__m256)c.v));
#else
        return generate([&](int i) { return std::fma(a[i], b[i], c[i]); });
#endif
    }

    friend Mask operator<(const PackOf& a, const PackOf& b) {
        return {a.v < b.v};
    }
    friend Mask operator<=(const PackOf& a, const PackOf& b) {
        return {a.v <= b.v};
    }
    friend Mask operator>(const PackOf& a, const PackOf& b) {
        return {a.v > b.v};
    }
    friend Mask operator>=(const PackOf& a, const PackOf& b) {
        return {a.v >= b.v};
    }
    friend constexpr Mask operator==(const PackOf& a, const PackOf& b) {
        return {a.v == b.v};
    }
    friend PackOf select(const Mask& m, const PackOf& yes, const PackOf& no) {
        return PackOf(m.v ? yes.v : no.v);
    }

    /// Applies a scalar function lane by lane: the same bits as the scalar kernel.
    template <class F>
    friend PackOf map_lanes(const PackOf& a, F&& f) {
        return generate([&](int i) { return f(a[i]); });
    }
    /// Square roots are rounded correctly by IEEE 754: the wide instruction gives the scalar's bits.
    friend PackOf sqrt(const PackOf& a) {
#if defined(__AVX__)
        if constexpr (Width == 4)
            return PackOf((Lanes)_mm256_sqrt_pd((__m256d)a.v));
        else
            return PackOf((Lanes)_mm256_sqrt_ps((__m256)a.v));
#else
        return map_lanes(a, [](Scalar x) { return std::sqrt(x); });
#endif
    }
    friend PackOf abs(const PackOf& a) {
        return PackOf((Lanes)((Bits)a.v & std::numeric_limits<Integer>::max()));
    }
    friend PackOf sin(const PackOf& a) {
        return map_lanes(a, [](Scalar x) { return std::sin(x); });
    }
    friend PackOf cos(const PackOf& a) {
        return map_lanes(a, [](Scalar x) { return std::cos(x); });
    }
    friend PackOf atan(const PackOf& a) {
        return map_lanes(a, [](Scalar x) { return std::atan(x); });
    }
    friend PackOf exp(const PackOf& a) {
        return map_lanes(a, [](Scalar x) { return std::exp(x); });
    }
    friend PackOf log(const PackOf& a) {
        return map_lanes(a, [](Scalar x) { return std::log(x); });
    }
    friend PackOf atan2(const PackOf& a, const PackOf& b) {
        return generate([&](int i) { return std::atan2(a[i], b[i]); });
    }
    friend PackOf min(const PackOf& a, const PackOf& b) {
        return select(b < a, b, a);
    }
    friend PackOf max(const PackOf& a, const PackOf& b) {
        return select(a < b, b, a);
    }
};

using Pack = PackOf<double, 4>;
using Mask = Pack::Mask;
/// Half the digits, twice as many at once.
using SinglePack = PackOf<float, 8>;

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
