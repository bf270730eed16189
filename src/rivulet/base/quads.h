#pragma once

#include <cstring>

#include <rivulet/base/pack.h>

namespace rivulet {

/// A pack as groups of four lanes: one of doubles, two of single precision. For kernels in which four lanes
/// hold neighbours of one thing, and a register as many things as it has groups.
template <class P>
inline constexpr int kQuads = P::kWidth / 4;

namespace quads_detail {

template <class P, int... Lane>
P shuffle(const P& a, const P& b) {
    if constexpr (P::kWidth == 4)
        return P(__builtin_shufflevector(a.v, b.v, Lane...));
    else {
        // Lanes of b are counted from 4 in each group, from 8 in all.
        constexpr auto at = [](int lane, int group) { return (lane < 4 ? lane : lane + 4) + 4 * group; };
        return P(__builtin_shufflevector(a.v, b.v, at(Lane, 0)..., at(Lane, 1)...));
    }
}

}  // namespace quads_detail

/// Four numbers, in every group.
template <class P>
[[gnu::always_inline]] inline P repeat_quad(typename P::Real a, typename P::Real b, typename P::Real c,
                                            typename P::Real d) {
    if constexpr (P::kWidth == 4)
        return P(typename P::Lanes{a, b, c, d});
    else
        return P(typename P::Lanes{a, b, c, d, a, b, c, d});
}
/// Those in memory.
template <class P>
P repeat_quad(const typename P::Real* from) {
    using Four [[gnu::vector_size(4 * sizeof(typename P::Real))]] = typename P::Real;
    if constexpr (P::kWidth == 4) {
        Four four;
        std::memcpy(&four, from, sizeof four);
        return P(four);
    } else {
#if defined(__AVX__)
        return P((typename P::Lanes)_mm256_broadcast_ps(reinterpret_cast<const __m128*>(from)));
#else
        Four four;
        std::memcpy(&four, from, sizeof four);
        return P(__builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3));
#endif
    }
}

/// Adds the sum of the groups to four numbers in memory.
template <class P>
void add_quads(const P& a, typename P::Real* to) {
    using Four [[gnu::vector_size(4 * sizeof(typename P::Real))]] = typename P::Real;
    Four four;
    std::memcpy(&four, to, sizeof four);
    if constexpr (P::kWidth == 4)
        four += a.v;
    else
        four += __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3) + __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7);
    std::memcpy(to, &four, sizeof four);
}

/// Lane `lane` of each group, in all lanes of the group.
template <int Lane, class P>
P spread_lane(const P& a) {
    return quads_detail::shuffle<P, Lane, Lane, Lane, Lane>(a, a);
}

/// The same for a lane known when it runs.
template <class P>
P spread_lane(const P& a, int lane) {
#if defined(__AVX__)
    if constexpr (P::kWidth == 8)
        return P((typename P::Lanes)_mm256_permutevar_ps((__m256)a.v, _mm256_set1_epi32(lane)));
#endif
    return P::generate([&](int i) { return a[i / 4 * 4 + lane]; });
}

/// Group g of the result: the sums over group g of a, b, c, d.
template <class P>
P quad_sums(const P& a, const P& b, const P& c, const P& d) {
    using quads_detail::shuffle;
    const P ab = shuffle<P, 0, 4, 1, 5>(a, b) + shuffle<P, 2, 6, 3, 7>(a, b);
    const P cd = shuffle<P, 0, 4, 1, 5>(c, d) + shuffle<P, 2, 6, 3, 7>(c, d);
    return shuffle<P, 0, 1, 4, 5>(ab, cd) + shuffle<P, 2, 3, 6, 7>(ab, cd);
}

/// Rows and columns of the four by four numbers in each group change places.
template <class P>
void transpose_quads(P& a, P& b, P& c, P& d) {
    using quads_detail::shuffle;
    const P low_ab = shuffle<P, 0, 4, 1, 5>(a, b), high_ab = shuffle<P, 2, 6, 3, 7>(a, b);
    const P low_cd = shuffle<P, 0, 4, 1, 5>(c, d), high_cd = shuffle<P, 2, 6, 3, 7>(c, d);
    a = shuffle<P, 0, 1, 4, 5>(low_ab, low_cd);
    b = shuffle<P, 2, 3, 6, 7>(low_ab, low_cd);
    c = shuffle<P, 0, 1, 4, 5>(high_ab, high_cd);
    d = shuffle<P, 2, 3, 6, 7>(high_ab, high_cd);
}

}  // namespace rivulet
