#pragma once

#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/obstacle/description.h>
#include <rivulet/strand/groom.h>
#include <rivulet/strand/mend.h>
#include <rivulet/strand/state.h>

namespace rivulet::scene {

/// What shape strands have when nothing pulls at them.
/// sag_free: the shape that gravity bends into the groom, so that the groom stays as it was authored.
enum class RestShape { as_groomed, straight, sag_free };

enum class GroomType { patch, rows, brush, roller, ball, file };

/// Where strands come from. Each type uses its own members. `style` holds what the groom says; radius and
/// segment of the style come from the entity.
struct Groom {
    GroomType type = GroomType::patch;
    strand::GroomStyle style;
    std::size_t count = 0;  // patch, brush, roller, ball; times detail

    int on = -1;         // patch: index of the obstacle
    double density = 0;  // patch: 1/m^2; used when count is 0
    Vec3d facing{0, 1, 0};
    double facing_angle = std::numbers::pi;  // patch: roots where the normal is this near to `facing`

    strand::RowsGroom rows;
    strand::BrushGroom brush;
    strand::RollerGroom roller;
    strand::BallGroom ball;

    std::string file;       // file: absolute path of a .hair, .obj, .ply or .usda
    double file_scale = 1;  // m per unit of the file
    Vec3d offset;           // m, added after scaling
    bool radius_from_file = false;
    bool cut_anew = true;  // file: into segments of the given length
};

/// A turn of clamped ends about their own tangent, root to tip.
struct TwistScript {
    obstacle::Keys<double> angle;  // rad
};

/// How roots or tips are held.
struct StrandEnd {
    strand::EndKind kind = strand::EndKind::free;
    int to = -1;            // index of the obstacle they follow
    double release = 1e30;  // s
};
struct StrandRoot : StrandEnd {
    StrandRoot() { kind = strand::EndKind::clamp; }
};

/// Liquid on strands at the start.
struct StartFilm {
    int liquid = -1;          // index into Scene::materials; -1: no film
    double thickness = 0;     // m
    double area = 0;          // m^2; one of the two is given
    double from = 0, to = 1;  // stretch of the strand that it covers, parts of its length from the root
    double feed = 0;          // m^3/s that runs onto each root
};

/// Hair, fur, bristles or noodles.
struct Strands {
    std::string name;
    int material = -1;                       // index into Scene::strand_materials
    double radius_root = 0, radius_tip = 0;  // m; tip 0: as the root
    double segment = 0;                      // m, before `detail`
    double aspect = 1;                       // second semi-axis of the cross-section over the first
    RestShape rest = RestShape::as_groomed;
    strand::Repair faults = strand::Repair::refuse;
    StrandRoot root;
    StrandEnd tip;
    StartFilm film;
    Groom groom;
    std::vector<obstacle::Motion> motion;  // of the roots, before that of the obstacle they follow
    std::vector<TwistScript> twist;        // added up
    std::vector<obstacle::Motion> tip_motion;
    std::vector<TwistScript> tip_twist;
};

}  // namespace rivulet::scene
