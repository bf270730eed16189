#include <fmt/format.h>

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
            "Between keys: smooth (monotone cubic), linear, or hold.");
}

Fields<Motion> rotate_fields() {
    return Fields<Motion>("rotate", "Turns along keys.")
        .keys("keys", &Motion::angle, "rad", "Angle at each time; held outside the keys.")
        .required()
        .choice(
            "ease", [](Motion& m) -> Ease& { return m.angle.ease; }, eases(),
            "Between keys: smooth (monotone cubic), linear, or hold.")
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

/// The name of one file of a sequence: "####" or "{frame}" replaced by its number.
std::string frame_file(const std::string& pattern, int frame) {
    const std::string tag = "{frame}";
    if (const std::size_t at = pattern.find(tag); at != std::string::npos)
        return pattern.substr(0, at) + std::to_string(frame) + pattern.substr(at + tag.size());
    const std::size_t first = pattern.find('#');
    const std::size_t end = pattern.find_first_not_of('#', first);
    const std::size_t width = (end == std::string::npos ? pattern.size() : end) - first;
    return fmt::format("{}{:0{}}{}", pattern.substr(0, first), frame, width, pattern.substr(first + width));
}

void check_frames(const Motion& m, Check& check) {
    if (m.file.find('#') == std::string::npos && m.file.find("{frame}") == std::string::npos)
        return check.fail("file", "must contain #### or {frame}", "for example \"walk_####.obj\"");
    if (m.file.find_first_of('#') != std::string::npos &&
        m.file.find_last_of('#') - m.file.find_first_of('#') > 18)
        return check.fail("file", "too many #");
    if (m.last_frame < m.first_frame) return check.fail("last_frame", "must not be before first_frame");
    if (m.last_frame - m.first_frame >= kMostFrames) return check.fail("last_frame", "too many frames");
    for (int frame = m.first_frame; frame <= m.last_frame; ++frame)
        if (!check.reader().depend_on(check.where("file"), check.path_of("file"), frame_file(m.file, frame)))
            return;
}

Fields<Motion> meshes_fields() {
    return Fields<Motion>("meshes", "Deforms through a sequence of meshes with the same triangles.")
        .file("file", &Motion::file, "Files of the sequence: #### or {frame} stands for the number.", true)
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
