#pragma once

#include <cstdint>

#include <rivulet/base/random.h>

namespace rivulet::render {

struct Sample2 {
    float u, v;  // in [0, 1)
};

/// Well-spread random numbers of one path: the first two Sobol dimensions with hashed Owen scrambling
/// (Laine and Karras 2011, Burley 2020), a fresh scramble per pixel and pair of dimensions. A pure function
/// of (seed, pixel, path, pair), for up to 65 536 paths in a pixel.
class Sampler {
 public:
    Sampler(std::uint64_t seed, std::uint64_t pixel, std::uint32_t path)
        : random_(seed, pixel), path_(reverse(path)) {}

    Sample2 next() {
        const auto key = random_.words(pair_++);
        const std::uint32_t index = reverse(scramble(path_, key[0])) & 0xFFFFu;
        return {unit(reverse(scramble(index, key[1]))),
                unit(reverse(scramble(reverse(second(index)), key[2])))};
    }

 private:
    static std::uint32_t reverse(std::uint32_t x) {
        x = __builtin_bswap32(x);
        x = ((x & 0x0F0F0F0Fu) << 4) | ((x >> 4) & 0x0F0F0F0Fu);
        x = ((x & 0x33333333u) << 2) | ((x >> 2) & 0x33333333u);
        return ((x & 0x55555555u) << 1) | ((x >> 1) & 0x55555555u);
    }
    /// A permutation in which a bit depends on lower bits only: a tree shuffle of reversed digits.
    static std::uint32_t scramble(std::uint32_t x, std::uint32_t key) {
        x += key;
        x ^= x * 0x6C50B47Cu;
        x ^= x * 0xB82F1E52u;
        x ^= x * 0xC7AFE638u;
        return x ^ (x * 0x8D22F6E6u);
    }
    /// Second Sobol dimension: rows of Pascal's triangle modulo 2.
    static std::uint32_t second(std::uint32_t index) {
        std::uint32_t result = 0, direction = 1u << 31;
        for (; index != 0; index >>= 1, direction ^= direction >> 1)
            if (index & 1) result ^= direction;
        return result;
    }
    static float unit(std::uint32_t x) { return static_cast<float>(x >> 8) * 0x1p-24f; }

    Random random_;
    std::uint32_t path_;
    std::uint64_t pair_ = 0;
};

}  // namespace rivulet::render
