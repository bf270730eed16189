#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <rivulet/base/random.h>

namespace rivulet::soak {

/// Random numbers one after another.
class Dice {
 public:
    explicit Dice(std::uint64_t seed) : random_(seed, 0) {}

    double between(double low, double high) { return random_.uniform(next_++, low, high); }
    bool chance(double p) { return between(0, 1) < p; }
    std::size_t below(std::size_t n) {
        return std::min(n - 1, static_cast<std::size_t>(between(0, 1) * static_cast<double>(n)));
    }
    template <class T>
    const T& one_of(const std::vector<T>& list) {
        return list[below(list.size())];
    }
    /// Every power of ten between two positive numbers is equally likely.
    double magnitude(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

 private:
    Random random_;
    std::uint64_t next_ = 0;
};

}  // namespace rivulet::soak
