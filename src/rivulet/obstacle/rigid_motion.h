#pragma once

#include <string>
#include <variant>
#include <vector>

#include <rivulet/geometry/pose.h>
#include <rivulet/obstacle/description.h>
#include <rivulet/obstacle/key_curve.h>

namespace rivulet::obstacle {

/// A point carried by motions over an interval: bounds on how far it goes, back and forth included, which its
/// displacement does not show.
struct Passage {
    Vec3d place;        // at the start of the interval; at first in the rest frame [m]
    double travel = 0;  // length of its path at most [m]
    double turn = 0;    // sum of all turns of its frame at most [rad]
    Jumps jumps{};      // neither of the two has these
};

/// ∫|cos| from phase a to b ≥ a: how far a sine goes up and down.
double sine_variation(double a, double b);

/// Poses at given times, held outside; between two of them the origin moves straight and the turn is even,
/// the short way round.
struct TransformTrack {
    std::vector<double> time;
    std::vector<geometry::Pose> pose;

    geometry::Pose at(double t) const;
    /// Adds what it does to a point; leaves its place.
    void carry(double from, double to, Passage& passage) const;
};

/// Reads lines "time m00 m01 .. m33" (row-major 4x4, acting on columns); empty lines and lines that start
/// with # are skipped. Times must increase and matrices be rigid. InputError with file and line otherwise.
TransformTrack read_transforms(const std::string& path, const std::string& key);

/// Everything in a motion list that moves a shape as a whole, checked and ready to evaluate: a pure function
/// of time.
class RigidMotion {
 public:
    RigidMotion() = default;
    /// Throws InputError; `key` is the place of the list, e.g. obstacle.paddle.motion. Entries of type
    /// `meshes` are left to the caller.
    RigidMotion(const std::vector<Motion>& motions, const std::string& key);

    /// Pose at time t [s]: the motions applied in list order.
    geometry::Pose at(double t) const;
    /// Takes a point through all motions in the interval. For one motion the bounds are what happens.
    void carry(double from, double to, Passage& passage) const;
    bool is_still() const { return steps_.empty(); }
    const std::vector<std::string>& files() const { return files_; }

 private:
    struct Translate {
        VectorKeyCurve offset;
    };
    struct Rotate {
        KeyCurve angle;
        Vec3d axis, pivot;
    };
    struct Spin {
        double rate, start, stop;
        Vec3d axis, pivot;
    };
    struct Oscillate {
        double period, phase, start, stop, angle;
        Vec3d amplitude, axis, pivot;
    };
    using Step = std::variant<Translate, Rotate, Spin, Oscillate, TransformTrack>;
    struct PoseOfStep;
    struct Carry;

    std::vector<Step> steps_;
    std::vector<std::string> files_;
};

}  // namespace rivulet::obstacle
