#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/error.h>
#include <rivulet/obstacle/rigid_motion.h>

namespace rivulet::obstacle {
namespace {

using geometry::Pose;

class Checker {
 public:
    explicit Checker(std::string key) : key_(std::move(key)) {}

    [[noreturn]] void refuse(const char* member, std::string message, std::string hint) const {
        throw InputError(Problem{{}, 0, 0, key_ + "." + member, std::move(message), std::move(hint)});
    }
    void finite(const char* member, double v) const {
        if (!std::isfinite(v)) refuse(member, "must be a finite number", "");
    }
    void finite(const char* member, const Vec3d& v) const {
        if (!is_finite(v)) refuse(member, "must be finite numbers", "");
    }
    Vec3d axis(const Vec3d& v) const {
        const double l = length(v);
        if (!(l > 0) || !std::isfinite(l)) refuse("axis", "must not be zero", "e.g. [0, 1, 0]");
        return v / l;
    }
    template <class T>
    void keys(const Keys<T>& k) const {
        if (k.time.empty() || k.time.size() != k.value.size())
            refuse("keys", "needs at least one [time, value] pair", "e.g. [[\"0 s\", ...], [\"1 s\", ...]]");
        for (std::size_t i = 0; i < k.time.size(); ++i) {
            finite("keys", k.time[i]);
            finite("keys", k.value[i]);
            if (i > 0 && !(k.time[i - 1] < k.time[i]))
                refuse("keys", "times must increase; key " + std::to_string(i + 1) + " does not",
                       "sort the keys by time");
        }
    }
    void interval(double start, double stop) const {
        finite("start", start);
        if (!(start <= stop)) refuse("stop", "must not be before start", "");
    }

 private:
    std::string key_;
};

/// Turns a point, which motions before this one move by passage.travel, and shifts it.
void turn_about(const Vec3d& axis, const Vec3d& pivot, double turn, double shift, Passage& passage) {
    passage.travel += shift + turn * (length(cross(axis, passage.place - pivot)) + passage.travel);
    passage.turn += turn;
}

}  // namespace

double sine_variation(double a, double b) {
    // Up by 2 between an extreme and the next.
    const auto climbed = [](double x) {
        const double extremes = std::floor(x / std::numbers::pi + 0.5);
        return 2 * extremes + (std::fmod(extremes, 2) == 0 ? std::sin(x) : -std::sin(x));
    };
    return std::max(0.0, climbed(b) - climbed(a));
}

Pose TransformTrack::at(double t) const {
    if (!(t > time.front())) return pose.front();
    if (t >= time.back()) return pose.back();
    const auto after = std::upper_bound(time.begin(), time.end(), t);
    const auto k = static_cast<std::size_t>(after - time.begin()) - 1;
    return geometry::interpolate(pose[k], pose[k + 1], (t - time[k]) / (time[k + 1] - time[k]));
}

void TransformTrack::carry(double from, double to, Passage& passage) const {
    double travel = 0;
    for (std::size_t k = 0; k + 1 < time.size(); ++k) {
        const double part = (std::min(to, time[k + 1]) - std::max(from, time[k])) / (time[k + 1] - time[k]);
        if (!(part > 0)) continue;
        const Vec3d turn = geometry::rotation_vector(pose[k + 1].rotation * transpose(pose[k].rotation));
        travel += part * (length(pose[k + 1].translation - pose[k].translation) +
                          length(cross(turn, pose[k].apply_direction(passage.place))) +
                          length(turn) * passage.travel);
        passage.turn += part * length(turn);
    }
    passage.travel += travel;
}

RigidMotion::RigidMotion(const std::vector<Motion>& motions, const std::string& key) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
        const Motion& m = motions[i];
        const std::string here = key + "[" + std::to_string(i) + "]";
        const Checker check(here);
        switch (m.type) {
            case MotionType::translate:
                check.keys(m.offset);
                steps_.push_back(Translate{VectorKeyCurve(m.offset)});
                break;
            case MotionType::rotate:
                check.keys(m.angle);
                check.finite("pivot", m.pivot);
                steps_.push_back(
                    Rotate{KeyCurve(m.angle.time, m.angle.value, m.angle.ease), check.axis(m.axis), m.pivot});
                break;
            case MotionType::spin:
                check.finite("rate", m.rate);
                check.finite("pivot", m.pivot);
                check.interval(m.start, m.stop);
                steps_.push_back(Spin{m.rate, m.start, m.stop, check.axis(m.axis), m.pivot});
                break;
            case MotionType::oscillate:
                check.finite("amplitude", m.amplitude);
                check.finite("angle_amplitude", m.angle_amplitude);
                check.finite("phase", m.phase);
                check.finite("pivot", m.pivot);
                check.interval(m.start, m.stop);
                if (!(m.period > 0) || !std::isfinite(m.period)) check.refuse("period", "must be > 0", "");
                steps_.push_back(Oscillate{m.period, m.phase, m.start, m.stop, m.angle_amplitude, m.amplitude,
                                           check.axis(m.axis), m.pivot});
                break;
            case MotionType::transforms:
                steps_.push_back(read_transforms(m.file, here + ".file"));
                files_.push_back(m.file);
                break;
            case MotionType::meshes:
                break;
        }
    }
}

struct RigidMotion::PoseOfStep {
    double t;

    Pose operator()(const Translate& m) const { return {Mat3d::identity(), m.offset.at(t)}; }
    Pose operator()(const Rotate& m) const {
        return geometry::rotation_about_pivot(m.axis, m.angle.at(t), m.pivot);
    }
    Pose operator()(const Spin& m) const {
        return geometry::rotation_about_pivot(m.axis, m.rate * (std::clamp(t, m.start, m.stop) - m.start),
                                              m.pivot);
    }
    Pose operator()(const Oscillate& m) const {
        const double turns = (std::clamp(t, m.start, m.stop) - m.start) / m.period;
        const double wave = std::sin(2 * std::numbers::pi * turns + m.phase) - std::sin(m.phase);
        Pose pose{Mat3d::identity(), {}};
        if (m.angle != 0) pose = geometry::rotation_about_pivot(m.axis, m.angle * wave, m.pivot);
        pose.translation += m.amplitude * wave;
        return pose;
    }
    Pose operator()(const TransformTrack& track) const { return track.at(t); }
};

struct RigidMotion::Carry {
    double from, to;
    Passage& passage;

    void operator()(const Translate& m) const {
        passage.travel += m.offset.variation(from, to);
        passage.jumps.include(m.offset.jumps(from, to));
    }
    void operator()(const Rotate& m) const {
        passage.jumps.include(m.angle.jumps(from, to));
        turn_about(m.axis, m.pivot, m.angle.variation(from, to), 0, passage);
    }
    void operator()(const Spin& m) const {
        turn_about(m.axis, m.pivot, std::abs(m.rate) * active(m), 0, passage);
    }
    void operator()(const Oscillate& m) const {
        const double pace = 2 * std::numbers::pi / m.period,
                     begin = pace * (std::clamp(from, m.start, m.stop) - m.start) + m.phase,
                     wave = sine_variation(begin, begin + pace * active(m));
        turn_about(m.axis, m.pivot, std::abs(m.angle) * wave, length(m.amplitude) * wave, passage);
    }
    void operator()(const TransformTrack& track) const { track.carry(from, to, passage); }

    /// How long a motion acts in the interval [s].
    template <class M>
    double active(const M& m) const {
        return std::clamp(to, m.start, m.stop) - std::clamp(from, m.start, m.stop);
    }
};

Pose RigidMotion::at(double t) const {
    Pose pose;
    for (const Step& step : steps_) pose = geometry::compose(std::visit(PoseOfStep{t}, step), pose);
    return pose;
}

void RigidMotion::carry(double from, double to, Passage& passage) const {
    for (const Step& step : steps_) {
        std::visit(Carry{from, to, passage}, step);
        passage.place = std::visit(PoseOfStep{from}, step).apply(passage.place);
    }
}

}  // namespace rivulet::obstacle
