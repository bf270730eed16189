#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include <rivulet/base/pack.h>
#include <rivulet/base/vec3.h>
#include <rivulet/linear/banded_ldlt.h>

namespace rivulet::strand {

using linear::MaskOf;

/// Strands of one vertex count that are solved side by side: one for double, four for Pack. An empty lane
/// repeats the strand of another.
template <class T>
struct Lanes {
    static constexpr std::size_t kCount = std::is_same_v<T, Pack> ? std::size_t{Pack::kWidth} : 1;
    std::array<std::size_t, kCount> strand;

    /// value(lane) of every lane.
    template <class F>
    static T gather(F&& value) {
        if constexpr (kCount == 1)
            return value(std::size_t{0});
        else
            return Pack(value(std::size_t{0}), value(std::size_t{1}), value(std::size_t{2}),
                        value(std::size_t{3}));
    }
    template <class F>
    static Vec3<T> gather3(F&& value) {
        return {gather([&](std::size_t l) { return value(l).x; }),
                gather([&](std::size_t l) { return value(l).y; }),
                gather([&](std::size_t l) { return value(l).z; })};
    }
    static double get(const T& v, std::size_t lane) {
        if constexpr (kCount == 1)
            return v;
        else
            return v[static_cast<int>(lane)];
    }
    static bool get(const MaskOf<T>& v, std::size_t lane) {
        if constexpr (kCount == 1)
            return v;
        else
            return v[static_cast<int>(lane)];
    }
};

}  // namespace rivulet::strand
