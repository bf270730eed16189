#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <rivulet/base/vec3.h>

namespace rivulet {

/// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011): a pure function of (seed, stream,
/// index), so a particle's numbers depend neither on the order of work nor on the number of threads.
class Random {
 public:
    Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

    /// Four independent 32-bit words for this index.
    std::array<std::uint32_t, 4> words(std::uint64_t index) const {
        std::array<std::uint32_t, 4> c{low(index), high(index), low(stream_), high(stream_)};
        std::uint32_t k0 = low(seed_), k1 = high(seed_);
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t p0 = std::uint64_t{0xD2511F53} * c[0], p1 = std::uint64_t{0xCD9E8D57} * c[2];
            c = {high(p1) ^ c[1] ^ k0, low(p1), high(p0) ^ c[3] ^ k1, low(p0)};
            k0 += 0x9E3779B9;
            k1 += 0xBB67AE85;
        }
        return c;
    }
    /// Uniform in [0, 1) with 53 bits.
    double uniform(std::uint64_t index) const {
        const auto w = words(index);
        return to_unit(w[0], w[1]);
    }
    double uniform(std::uint64_t index, double from, double to) const {
        return from + (to - from) * uniform(index);
    }
    /// Three uniforms in [0, 1), of 32 bits each.
    Vec3d uniform3(std::uint64_t index) const {
        const auto w = words(index);
        return {w[0] * 0x1p-32, w[1] * 0x1p-32, w[2] * 0x1p-32};
    }
    /// Standard normal deviate (Box-Muller).
    double normal(std::uint64_t index) const {
        const auto w = words(index);
        const double r = std::sqrt(-2 * std::log(1 - to_unit(w[0], w[1])));
        return r * std::cos(2 * std::numbers::pi * to_unit(w[2], w[3]));
    }
    /// Uniform on the unit sphere.
    Vec3d direction(std::uint64_t index) const {
        const Vec3d u = uniform3(index);
        const double z = 2 * u.x - 1, r = std::sqrt(1 - z * z), a = 2 * std::numbers::pi * u.y;
        return {r * std::cos(a), r * std::sin(a), z};
    }

 private:
    static std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
    static std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }
    static double to_unit(std::uint32_t a, std::uint32_t b) {
        return static_cast<double>((std::uint64_t{a} << 21) ^ (b >> 11)) * 0x1p-53;
    }
    std::uint64_t seed_, stream_;
};

}  // namespace rivulet
