#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include <rivulet/obstacle/description.h>

namespace rivulet::obstacle {

/// A time this near to a key of `hold` is at it [s]: steps and frames end at times that were added up.
inline constexpr double kAtKey = 1e-9;

/// When something jumps in an interval: the first and the last time, if at all.
struct Jumps {
    double first = std::numeric_limits<double>::infinity(), last = -first;  // s
    void include(const Jumps& other) {
        first = std::min(first, other.first);
        last = std::max(last, other.last);
    }
    bool any() const { return first <= last; }
    bool several() const { return last - first > kAtKey; }
};

/// A number over time through key frames, held before the first and after the last. `smooth` is the monotone
/// cubic of Fritsch and Carlson 1980, flat at both ends so that the velocity is continuous where the hold
/// begins: it never goes beyond its keys.
class KeyCurve {
 public:
    KeyCurve() = default;
    /// At least one key, times strictly increasing, everything finite.
    KeyCurve(std::vector<double> time, std::vector<double> value, Ease ease);
    double at(double t) const;
    /// Length of the way up and down between two times, ∫|d at/dt| dt; jumps of `hold` take no time and do
    /// not count.
    double variation(double from, double to) const;
    /// Jumps of `hold` after `from`, up to and with `to`.
    Jumps jumps(double from, double to) const;

 private:
    std::vector<double> time_, value_, slope_;
    Ease ease_ = Ease::smooth;
};

/// The same for each component of a vector.
class VectorKeyCurve {
 public:
    VectorKeyCurve() = default;
    explicit VectorKeyCurve(const Keys<Vec3d>& keys);
    Vec3d at(double t) const { return {component_[0].at(t), component_[1].at(t), component_[2].at(t)}; }
    /// Bound on the length of the path between two times: sum over the components, at most √3 times as long.
    double variation(double from, double to) const {
        double sum = 0;
        for (const KeyCurve& c : component_) sum += c.variation(from, to);
        return sum;
    }
    Jumps jumps(double from, double to) const {
        Jumps all;
        for (const KeyCurve& c : component_) all.include(c.jumps(from, to));
        return all;
    }

 private:
    std::array<KeyCurve, 3> component_;
};

}  // namespace rivulet::obstacle
