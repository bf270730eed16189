#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace rivulet::world {

/// How long the next step may be: rooms add what limits it, each under its name.
class StepLimits {
 public:
    struct Limit {
        std::string_view name;
        double seconds;
    };

    void clear() { limits_.clear(); }
    void add(std::string_view name, double seconds) { limits_.push_back({name, seconds}); }
    /// What moves at `speed` [m/s] may cross `way` [m].
    void add_speed(std::string_view name, double speed, double way) {
        if (speed > 0) add(name, way / speed);
    }

    double shortest() const {
        double least = std::numeric_limits<double>::infinity();
        for (const Limit& limit : limits_) least = std::min(least, limit.seconds);
        return least;
    }
    const std::vector<Limit>& limits() const { return limits_; }

 private:
    std::vector<Limit> limits_;
};

}  // namespace rivulet::world
