#include <rivulet/scene/strand_sources.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <variant>

#include <rivulet/base/error.h>
#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/shape.h>
#include <rivulet/io/curve_arrays.h>
#include <rivulet/scene/sizes.h>
#include <rivulet/scene/strand_sizes.h>
#include <rivulet/strand/groom.h>
#include <rivulet/strand/resample.h>
#include <rivulet/strand/root_sampling.h>

namespace rivulet::scene {
namespace {

using strand::Curves;
using strand::GroomStyle;
using strand::Roots;

[[noreturn]] void refuse(const Strands& entity, const std::string& key, std::string message,
                         std::string hint = {}) {
    throw InputError(
        Problem{{}, 0, 0, "strands." + entity.name + "." + key, std::move(message), std::move(hint)});
}

GroomStyle style_of(const Strands& entity, double detail) {
    GroomStyle style = entity.groom.style;
    style.segment = entity.segment / detail;
    style.radius_root = entity.radius_root;
    style.radius_tip = entity.radius_tip > 0 ? entity.radius_tip : entity.radius_root;
    return style;
}

std::size_t count_of(const Groom& groom, double detail) {
    return static_cast<std::size_t>(std::llround(std::max(1.0, static_cast<double>(groom.count) * detail)));
}

/// Every triangle with its own corners; normals are those of the surface around each vertex.
strand::RootSurface root_surface(const geometry::TriangleMesh& mesh) {
    std::vector<Vec3d> normal(mesh.positions.size());
    const auto at = [&](int i) { return mesh.positions[static_cast<std::size_t>(i)]; };
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d n = geometry::triangle_cross(at(t.x), at(t.y), at(t.z));
        for (int k = 0; k < 3; ++k) normal[static_cast<std::size_t>(t[k])] += n;
    }
    strand::RootSurface surface;
    surface.vertex = mesh.positions;
    surface.normal = std::move(normal);
    for (const Vec3i& t : mesh.triangles)
        surface.triangle.push_back({static_cast<std::uint32_t>(t.x), static_cast<std::uint32_t>(t.y),
                                    static_cast<std::uint32_t>(t.z)});
    return surface;
}

bool has_other_than_primitives(const geometry::Shape& shape) {
    return std::any_of(shape.parts().begin(), shape.parts().end(), [](const geometry::Shape::Part& part) {
        return std::holds_alternative<std::shared_ptr<const geometry::DistanceField>>(part);
    });
}

/// What the lines of strands stay out of; inside a container the other side.
template <class Solid>
strand::ClearanceAt clearance_of(const Solid& solid, bool inside) {
    return [&solid, inside](const Vec3d& p) {
        const geometry::DistanceSample s = solid.sample(p);
        return inside ? strand::Clearance{-s.distance, -s.normal} : strand::Clearance{s.distance, s.normal};
    };
}

/// Of the triangles that face this way, m^2.
double facing_area(const geometry::TriangleMesh& mesh, const Vec3d& facing, double least) {
    double twice = 0;
    const auto at = [&](int i) { return mesh.positions[static_cast<std::size_t>(i)]; };
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d n = geometry::triangle_cross(at(t.x), at(t.y), at(t.z));
        if (dot(n, facing) >= least * length(n)) twice += length(n);
    }
    return 0.5 * twice;
}

Curves patch_curves(const Strands& entity, const Scene& scene, const obstacle::ObstacleSet& obstacles) {
    const Groom& groom = entity.groom;
    const auto on = static_cast<std::size_t>(groom.on);
    const geometry::Shape& shape = obstacles.shape(on);
    const geometry::TriangleMesh mesh = obstacles.surface(on, 1);  // a sequence: as it is at t = 0
    if (!obstacles.deforms(on) && !shape.bounds().is_finite())
        refuse(entity, "groom.on", "a plane has no end to spread strands over", "grow them on a box");
    const bool exact = !obstacles.deforms(on) && !has_other_than_primitives(shape),
               inside = obstacles.description(on).side == obstacle::Side::inside;
    const Vec3d facing = normalized(groom.facing);
    const double least = groom.facing_angle >= std::numbers::pi ? -2 : std::cos(groom.facing_angle);
    const double size = length(shape.bounds().size());

    strand::ScatterOptions options;
    options.count = groom.count > 0 ? count_of(groom, scene.detail) : 0;
    options.density = groom.density * scene.detail;
    options.seed = groom.style.seed;
    options.accept = [&](Vec3d& p, Vec3d& n) {
        if (exact) {
            // From the triangles onto the curved surface; a second step mends what a corner leaves.
            for (int step = 0; step < 2; ++step) {
                const geometry::DistanceSample s = shape.sample(p);
                p += s.normal * -s.distance;
                n = s.normal;
            }
        }
        if (shape.parts().size() > 1 && shape.distance(p) < -1e-4 * size)
            return false;  // inside another part
        if (inside) n = -n;
        return dot(n, facing) >= least;
    };
    if (options.count == 0)
        require_memory(
            scene, 0,
            require_strand_size(scene, entity,
                                options.density * facing_area(mesh, inside ? -facing : facing, least)));
    const Roots roots = strand::scatter_roots(root_surface(mesh), options);
    if (roots.size() == 0)
        refuse(entity, "groom", "no strand found a place", "check count, density, facing and facing_angle");
    if (obstacles.deforms(on)) {
        const geometry::MeshDistance distance(mesh);
        return strand::grow(roots, style_of(entity, scene.detail), clearance_of(distance, inside));
    }
    return strand::grow(roots, style_of(entity, scene.detail), clearance_of(shape, inside));
}

Curves file_curves(const Strands& entity, const Scene& scene, strand::MendReport& report) {
    const Groom& groom = entity.groom;
    io::CurveArrays arrays = io::load_curves(groom.file);
    Curves curves;
    curves.position = std::move(arrays.position);
    curves.start = std::move(arrays.start);
    for (Vec3d& p : curves.position) p = p * groom.file_scale + groom.offset;
    curves.radius.assign(curves.position.size(), 0);
    if (groom.radius_from_file) {
        if (arrays.radius.empty()) refuse(entity, "groom.radius_from_file", "the file has no radii");
        for (std::size_t i = 0; i < arrays.radius.size(); ++i)
            curves.radius[i] = arrays.radius[i] * groom.file_scale;
    }
    report = strand::mend(curves, {.repair = entity.faults,
                                   .file = groom.file,
                                   .key = "strands." + entity.name + ".groom.file",
                                   .radii = false});
    if (curves.strand_count() == 0) refuse(entity, "groom.file", "no strand is left");
    if (groom.cut_anew) {
        double vertices = 0;
        for (std::size_t s = 0; s < curves.strand_count(); ++s)
            vertices += strand::polyline_length(curves.positions(s)) * scene.detail / entity.segment + 1;
        // Three vertices to a strand are the fewest.
        require_memory(scene, 0, require_strand_size(scene, entity, vertices / 3));
        curves = strand::resample(curves, entity.segment / scene.detail);
    }
    if (groom.radius_from_file) return curves;
    const GroomStyle style = style_of(entity, scene.detail);
    for (std::size_t s = 0; s < curves.strand_count(); ++s) {
        const double whole = strand::polyline_length(curves.positions(s));
        double passed = 0;
        for (std::size_t i = 0; i < curves.vertex_count(s); ++i) {
            const std::size_t v = curves.first_vertex(s) + i;
            if (i > 0) passed += length(curves.position[v] - curves.position[v - 1]);
            curves.radius[v] = style.radius_root + passed / whole * (style.radius_tip - style.radius_root);
        }
    }
    return curves;
}

}  // namespace

Curves curves_of(const Strands& entity, const Scene& scene, const obstacle::ObstacleSet& obstacles,
                 strand::MendReport& report) {
    const Groom& groom = entity.groom;
    const GroomStyle style = style_of(entity, scene.detail);
    switch (groom.type) {
        case GroomType::patch:
            return patch_curves(entity, scene, obstacles);
        case GroomType::rows:
            return grow(strand::rows_of_roots(groom.rows), style);
        case GroomType::brush: {
            strand::BrushGroom brush = groom.brush;
            brush.count = count_of(groom, scene.detail);
            return grow(strand::brush_roots(brush), style);
        }
        case GroomType::roller: {
            strand::RollerGroom roller = groom.roller;
            roller.count = count_of(groom, scene.detail);
            return grow(strand::roller_roots(roller), style);
        }
        case GroomType::ball: {
            strand::BallGroom ball = groom.ball;
            ball.count = count_of(groom, scene.detail);
            return grow(strand::ball_roots(ball), style);
        }
        case GroomType::file:
            return file_curves(entity, scene, report);
    }
    refuse(entity, "groom.type", "unknown type");
}

}  // namespace rivulet::scene
