#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

const Table& camera_table() {
    static const Table table = Fields<Camera>("camera", "Where pictures are taken from.")
                                   .vector("position", &Camera::position, "m", "Where the eye is.")
                                   .required()
                                   .vector("target", &Camera::target, "m", "What it looks at.")
                                   .direction("up", &Camera::up, "What is up in the picture.")
                                   .quantity("fov", &Camera::fov, "rad", "Vertical opening angle.")
                                   .range(0.01, 3)
                                   .check([](const Camera& c, Check& check) {
                                       if (c.position == c.target)
                                           check.fail("target", "must differ from position");
                                   })
                                   .done();
    return table;
}

}  // namespace

Kind camera_kind() {
    return entity_kind("camera", "Where pictures are taken from.", &Scene::cameras, camera_table);
}

}  // namespace rivulet::scene
