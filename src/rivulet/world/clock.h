#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <rivulet/base/fields.h>

namespace rivulet::world {

/// Where the run stands, and what the step-size controller remembers.
struct ClockState {
    std::int64_t step = 0;                                   // steps done
    std::int64_t frame = 0;                                  // frames reached; frame k is at k / fps exactly
    double time = 0;                                         // s
    double step_limit = std::numeric_limits<double>::max();  // back-off after a failed step, s

    template <class Self, class Visit>
    static void fields(Self& s, Visit&& visit) {
        visit(FieldInfo{"step", "", Centring::scalar, kCheckpoint | kFrame}, s.step);
        visit(FieldInfo{"clock/frame", "", Centring::scalar, kCheckpoint}, s.frame);
        visit(FieldInfo{"time", "s", Centring::scalar, kCheckpoint | kFrame}, s.time);
        visit(FieldInfo{"clock/step_limit", "s", Centring::scalar, kCheckpoint}, s.step_limit);
    }
};

inline double frame_time(std::int64_t frame, double fps) {
    return static_cast<double>(frame) / fps;
}

/// Cells that anything may cross in one step, unless the scene says otherwise.
inline constexpr double kUsualCourant = 1;

/// The last frame k with k / fps not after `end` [s].
inline std::int64_t last_frame_before(double end, double fps) {
    auto frame = static_cast<std::int64_t>(std::floor(end * fps));
    // The product may round across a whole number; the definition is by k / fps.
    while (frame_time(frame, fps) > end) --frame;
    while (frame_time(frame + 1, fps) <= end) ++frame;
    return frame;
}

/// Equal steps that end exactly on the frame: `remaining` is cut into the fewest parts not longer than
/// `wanted`. NOTE: the 1e-9 keeps round-off in `remaining` from adding a sliver of a step.
inline double fitted_step(double remaining, double wanted) {
    const double parts = std::max(1.0, std::ceil(remaining / wanted - 1e-9));
    return remaining / parts;
}

/// True when the step of length dt that starts at `time` ends on the next frame.
inline bool ends_frame(double time, double dt, double next_frame_time) {
    return time + dt >= next_frame_time - 1e-9 * dt;
}

}  // namespace rivulet::world
