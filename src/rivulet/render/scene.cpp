#include <rivulet/render/scene.h>

#include <string>

#include <rivulet/base/error.h>

namespace rivulet::render {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& message) {
    throw InputError(Problem{"", 0, 0, what, message, ""});
}

bool finite(const Vec3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check_points(const std::vector<Vec3f>& points, const std::string& what) {
    if (points.size() >= (std::size_t{1} << 31)) refuse(what, "too many points");
    for (const Vec3f& p : points)
        if (!finite(p)) refuse(what, "a number is not finite");
}

template <class T>
void check_optional(const std::vector<T>& values, std::size_t count, const std::string& what) {
    if (!values.empty() && values.size() != count) refuse(what, "has a different length than position");
}

void check_radii(const std::vector<float>& radius, std::size_t count, const std::string& what) {
    if (radius.size() != count) refuse(what, "has a different length than position");
    for (const float r : radius)
        if (!(r > 0) || !std::isfinite(r)) refuse(what, "a radius is not positive");
}

void check_material(const Scene& scene, int material, const std::string& what) {
    if (material < 0 || std::size_t(material) >= scene.materials.size()) refuse(what, "no such material");
}

void check_mesh(const Scene& scene, const Mesh& mesh) {
    check_material(scene, mesh.material, "mesh.material");
    check_points(mesh.position, "mesh.position");
    check_optional(mesh.normal, mesh.position.size(), "mesh.normal");
    check_points(mesh.normal, "mesh.normal");
    check_optional(mesh.velocity, mesh.position.size(), "mesh.velocity");
    check_points(mesh.velocity, "mesh.velocity");
    check_optional(mesh.wetness, mesh.position.size(), "mesh.wetness");
    const auto n = std::int64_t(mesh.position.size());
    for (const Vec3i& t : mesh.triangle)
        if (t.x < 0 || t.y < 0 || t.z < 0 || t.x >= n || t.y >= n || t.z >= n)
            refuse("mesh.triangle", "points at a vertex that does not exist");
}

void check_curves(const Scene& scene, const Curves& c) {
    check_material(scene, c.material, "curves.material");
    check_points(c.position, "curves.position");
    check_radii(c.radius, c.position.size(), "curves.radius");
    check_optional(c.velocity, c.position.size(), "curves.velocity");
    check_points(c.velocity, "curves.velocity");
    check_optional(c.wetness, c.position.size(), "curves.wetness");
    const auto n = std::int64_t(c.position.size());
    for (std::size_t k = 0; k < c.start.size(); ++k)
        if (c.start[k] < 0 || c.start[k] > n || (k > 0 && c.start[k] < c.start[k - 1]))
            refuse("curves.start", "is not an increasing list of vertices");
}

}  // namespace

void validate(const Scene& scene) {
    for (const Material& m : scene.materials)
        if (!finite(m.colour) || !(m.absorption_depth > 0) || !(m.refraction >= 1) || !(m.roughness >= 0))
            refuse("material", "a number is out of range");
    for (const Mesh& mesh : scene.meshes) check_mesh(scene, mesh);
    for (const Curves& c : scene.curves) check_curves(scene, c);
    for (const Spheres& s : scene.spheres) {
        check_material(scene, s.material, "spheres.material");
        check_points(s.position, "spheres.position");
        check_radii(s.radius, s.position.size(), "spheres.radius");
        check_optional(s.velocity, s.position.size(), "spheres.velocity");
        check_points(s.velocity, "spheres.velocity");
    }
    const Camera& c = scene.camera;
    const Vec3f view = c.target - c.position;
    if (!finite(c.position) || !finite(c.target) || !finite(c.up) || !(length(cross(view, c.up)) > 0))
        refuse("camera", "target must differ from position, and up must not point along the view");
    if (!(c.vertical_fov > 0.001f && c.vertical_fov < 3.0f))
        refuse("camera.fov", "must be between 0 and 170 deg");
}

}  // namespace rivulet::render
