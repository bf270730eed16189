#pragma once

#include <initializer_list>

#include <rivulet/base/pack.h>

namespace rivulet {

/// Exponential and logarithm of a pack at once, within two units of round-off; a lane's bits do not depend on
/// the others. For hot loops: the functions of pack.h call the scalar library lane by lane.

/// e^x; x below -708 and above 709 count as these. NaN stays NaN.
inline Pack fast_exp(const Pack& argument) {
    const Pack x = max(min(argument, Pack(709.0)), Pack(-708.0));
    // x = n log 2 + r with |r| <= log(2)/2. Adding 1.5 * 2^52 rounds to an integer and leaves it in the low
    // bits.
    const Pack shift = 6755399441055744.0;
    const Pack shifted = multiply_add(x, 1.4426950408889634, shift), n = shifted - shift;
    const Pack r = multiply_add(n, -1.9082149292705877e-10, multiply_add(n, -0.6931471803691238, x));
    // Taylor series to r^13, even and odd terms side by side.
    const Pack q = r * r;
    Pack even = 1.0 / 479001600, odd = 1.0 / 6227020800;
    for (const double c : {1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 0.5, 1.0})
        even = multiply_add(even, q, c);
    for (const double c : {1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1.0})
        odd = multiply_add(odd, q, c);
    const Pack p = multiply_add(odd, r, even);
    return Pack((Pack::Lanes)((Pack::Bits)p.v + ((Pack::Bits)shifted.v << 52)));
}

/// The same with half the digits: between e^-87 and e^88, Taylor series to r^7.
inline SinglePack fast_exp(const SinglePack& argument) {
    const SinglePack x = max(min(argument, SinglePack(88.0)), SinglePack(-87.0));
    const SinglePack shift = 12582912.0;  // 1.5 * 2^23
    const SinglePack shifted = multiply_add(x, 1.4426950408889634, shift), n = shifted - shift;
    const SinglePack r = multiply_add(n, 2.12194440e-4, multiply_add(n, -0.693359375, x));
    const SinglePack q = r * r;
    SinglePack even = 1.0 / 720, odd = 1.0 / 5040;
    for (const double c : {1.0 / 24, 0.5, 1.0}) even = multiply_add(even, q, c);
    for (const double c : {1.0 / 120, 1.0 / 6, 1.0}) odd = multiply_add(odd, q, c);
    const SinglePack p = multiply_add(odd, r, even);
    return SinglePack((SinglePack::Lanes)((SinglePack::Bits)p.v + ((SinglePack::Bits)shifted.v << 23)));
}

/// log x for normal positive x, NaN for what is not positive. Method and coefficients: log of fdlibm, with
/// x = 2^k (1 + f), s = f / (2 + f).
inline Pack fast_log(const Pack& x) {
    using Words = std::uint64_t __attribute__((vector_size(32)));
    constexpr std::uint64_t kOne = 0x3ff0000000000000, kRootHalf = 0x3fe6a09e667f3bcd,
                            kTwo52 = 0x4330000000000000;
    const Words bits = (Words)x.v + (kOne - kRootHalf);
    const Pack k = Pack((Pack::Lanes)((bits >> 52) | kTwo52)) - Pack(4503599627370496.0 + 1023);
    const Pack f = Pack((Pack::Lanes)((bits & 0x000fffffffffffff) + kRootHalf)) - Pack(1.0);
    const Pack s = f / (Pack(2.0) + f), z = s * s, w = z * z;
    Pack odd = 0.1479819860511658591, even = 0.1531383769920937332;
    for (const double c : {0.1818357216161805012, 0.2857142874366239149, 0.6666666666666735130})
        odd = multiply_add(odd, w, c);
    for (const double c : {0.2222219843214978396, 0.3999999999940941908}) even = multiply_add(even, w, c);
    const Pack rest = multiply_add(odd, z, even * w), half_square = Pack(0.5) * f * f;
    const Pack low = multiply_add(s, half_square + rest, k * Pack(1.9082149292705877e-10));
    const Pack log = multiply_add(k, 0.6931471803691238, f - (half_square - low));
    return select(x > Pack(0.0), log, Pack(__builtin_nan("")));
}

/// The same with half the digits; the series of log((1 + s)/(1 - s)) to s^9.
inline SinglePack fast_log(const SinglePack& x) {
    using Words = std::uint32_t __attribute__((vector_size(32)));
    constexpr std::uint32_t kOne = 0x3f800000, kRootHalf = 0x3f3504f3;
    const Words bits = (Words)x.v + (kOne - kRootHalf);
    const SinglePack k(__builtin_convertvector((SinglePack::Bits)(bits >> 23) - 127, SinglePack::Lanes));
    const SinglePack f = SinglePack((SinglePack::Lanes)((bits & 0x007fffff) + kRootHalf)) - SinglePack(1.0);
    const SinglePack s = f / (SinglePack(2.0) + f), z = s * s, half_square = SinglePack(0.5) * f * f;
    SinglePack rest = 2.0 / 9;
    for (const double c : {2.0 / 7, 2.0 / 5, 2.0 / 3}) rest = multiply_add(rest, z, c);
    const SinglePack low = multiply_add(s, half_square + rest * z, k * SinglePack(-2.12194440e-4));
    const SinglePack log = multiply_add(k, 0.693359375, f - (half_square - low));
    return select(x > SinglePack(0.0), log, SinglePack(__builtin_nan("")));
}

}  // namespace rivulet
