#include <rivulet/obstacle/mesh_sequence.h>
#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

using obstacle::Ease;
using obstacle::Motion;
using obstacle::MotionType;
using Words = std::vector<std::pair<std::string, Ease>>;

constexpr int kMostFrames = 100'000;

Words eases() {
    return {{"smooth", Ease::smooth}, {"linear", Ease::linear}, {"hold", Ease::hold}};
}

Fields<Motion> translate_fields() {
    return Fields<Motion>("translate", "Moves along keys.")
        .keys("keys", &Motion::offset, "m", "Offset at each time; held outside the keys.")
        .required()
        .choice(
            "ease", [](Motion& m) -> Ease& { return m.offset.ease; }, eases(),
            "Between keys: smooth (monotone cubic), linear, or hold: then a jump, within one step.");
}

Fields<Motion> rotate_fields() {
    return Fields<Motion>("rotate", "Turns along keys.")
        .keys("keys", &Motion::angle, "rad", "Angle at each time; held outside the keys.")
        .required()
        .choice(
            "ease", [](Motion& m) -> Ease& { return m.angle.ease; }, eases(),
            "Between keys: smooth (monotone cubic), linear, or hold: then a jump, within one step.")
        .direction("axis", &Motion::axis, "Axis, right-handed.")
        .vector("pivot", &Motion::pivot, "m", "A point on the axis.");
}

Fields<Motion> spin_fields() {
    return Fields<Motion>("spin", "Turns at a constant rate.")
        .quantity("rate", &Motion::rate, "rad/s", "Angular velocity.")
        .required()
        .direction("axis", &Motion::axis, "Axis, right-handed.")
        .vector("pivot", &Motion::pivot, "m", "A point on the axis.")
        .interval("active", &Motion::start, &Motion::stop, "s", "When it turns; held outside.");
}

Fields<Motion> oscillate_fields() {
    return Fields<Motion>("oscillate", "Swings to and fro like a sine.")
        .vector("amplitude", &Motion::amplitude, "m", "Largest offset.")
        .quantity("angle_amplitude", &Motion::angle_amplitude, "rad", "Largest angle about the axis.")
        .direction("axis", &Motion::axis, "Axis of the rotation, right-handed.")
        .vector("pivot", &Motion::pivot, "m", "A point on the axis.")
        .quantity("period", &Motion::period, "s", "Time of one swing.")
        .required()
        .positive()
        .quantity("phase", &Motion::phase, "rad", "Phase at the start.")
        .interval("active", &Motion::start, &Motion::stop, "s", "When it swings; held outside.")
        .check([](const Motion& m, Check& check) {
            if (m.amplitude == Vec3d{} && m.angle_amplitude == 0)
                check.fail("amplitude", "an oscillation needs amplitude or angle_amplitude");
        });
}

Fields<Motion> transforms_fields() {
    return Fields<Motion>("transforms", "Follows a list of transforms from a file.")
        .file("file", &Motion::file, "Text file: time and a row-major 4x4 matrix per line.")
        .required();
}

void check_frames(const Motion& m, Check& check) {
    if (obstacle::frame_file(m.file, 0).empty())
        return check.fail("file", "the file's name must contain #### or {frame}",
                          "for example \"walk/pose_####.obj\"");
    if (m.last_frame < m.first_frame) return check.fail("last_frame", "must not be before first_frame");
    if (m.last_frame - m.first_frame >= kMostFrames) return check.fail("last_frame", "too many frames");
    for (int frame = m.first_frame; frame <= m.last_frame; ++frame)
        if (!check.reader().depend_on(check.where("file"), check.path_of("file"),
                                      obstacle::frame_file(m.file, frame)))
            return;
}

Fields<Motion> meshes_fields() {
    return Fields<Motion>("meshes", "Deforms through a sequence of meshes with the same triangles.")
        .file("file", &Motion::file,
              "Files of the sequence, all in one folder: #### or {frame} stands for the number.", true)
        .required()
        .number("fps", &Motion::fps, "Meshes per second.")
        .range(0.001, 1e6)
        .integer("first_frame", &Motion::first_frame, "Number of the mesh at time 0.")
        .range(0, 1e9)
        .integer("last_frame", &Motion::last_frame, "Number of the last mesh.")
        .required()
        .range(0, 1e9)
        .check(check_frames);
}

}  // namespace

const Table& motion_table() {
    static const Table table =
        Fields<Motion>("motion", "One motion; an entity's motions apply in list order.")
            .variant(&Motion::type, MotionType::translate, translate_fields())
            .variant(&Motion::type, MotionType::rotate, rotate_fields())
            .variant(&Motion::type, MotionType::spin, spin_fields())
            .variant(&Motion::type, MotionType::oscillate, oscillate_fields())
            .variant(&Motion::type, MotionType::transforms, transforms_fields())
            .variant(&Motion::type, MotionType::meshes, meshes_fields())
            .done();
    return table;
}

}  // namespace rivulet::scene
