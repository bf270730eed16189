#pragma once

#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/geometry/shape_description.h>

namespace rivulet::obstacle {

enum class Ease { smooth, linear, hold };

/// Key frames of one value, times in s, strictly increasing. Held before the first and after the last.
template <class T>
struct Keys {
    std::vector<double> time;
    std::vector<T> value;
    Ease ease = Ease::smooth;  // smooth: monotone cubic per component
};

enum class MotionType { translate, rotate, spin, oscillate, transforms, meshes };

/// One entry of an entity's motion list. Motions apply in list order, first to last; each type uses its own
/// members.
struct Motion {
    MotionType type = MotionType::translate;
    Keys<Vec3d> offset;             // translate [m]
    Keys<double> angle;             // rotate [rad]
    Vec3d axis{0, 1, 0}, pivot;     // rotate, spin, oscillate (rotation)
    double rate = 0;                // spin [rad/s]
    double start = 0, stop = 1e30;  // spin, oscillate: active between these times, held outside [s]
    Vec3d amplitude;                // oscillate, translation [m]
    double angle_amplitude = 0;     // oscillate, rotation about axis through pivot [rad]
    double period = 1, phase = 0;   // oscillate: amplitude*(sin(2*pi*(t-start)/period + phase) - sin(phase))
    std::string file;  // transforms: text, "time m00 .. m33" (row-major 4x4) per line; meshes: pattern with
                       // #### or {frame}
    double fps = 24;   // meshes: frames per second of the files
    int first_frame = 0, last_frame = 0;  // meshes
};

enum class Side { outside, inside };  // where the liquid and the strands are
enum class WallCondition { slip, no_slip, friction };

struct Wall {
    WallCondition condition = WallCondition::slip;
    double friction = 0;   // Coulomb coefficient, condition friction
    bool separate = true;  // liquid may leave the wall
    double adhesion = 0;   // pressure that holds liquid on the wall [Pa]
};

/// An obstacle as a scene describes it.
struct ObstacleDescription {
    std::string name;
    geometry::ShapeDescription shape;
    Side side = Side::outside;
    Wall wall;
    std::vector<Motion> motion;
    int parent = -1;  // index of the obstacle whose motion this one rides on; -1: none
    Vec3d color{0.6, 0.6, 0.6};
    bool visible = true;
};

}  // namespace rivulet::obstacle
