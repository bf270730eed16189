#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rivulet/base/fields.h>
#include <rivulet/base/vec3.h>

namespace rivulet::output {

/// Numbers of a group: one per point, or one per line.
struct FrameNumbers {
    std::string name, unit;  // "film_area", "m^2"
    std::vector<float> values;
    bool per_line = false;
    bool of_edges = false;  // an edge's number stands at its first point
    bool fixed = false;     // from static.npz: the same in every frame
    bool whole = false;     // small whole numbers, e.g. of materials
};

/// What belongs together in a frame, with what static.npz says of it.
struct FrameGroup {
    std::string name;
    GroupShape shape = GroupShape::points;
    std::string materials;  // table that the numbers "material" point into; may be empty
    std::vector<Vec3f> position;
    std::vector<Vec3f> velocity, rest_position;   // per point, or empty
    std::vector<std::int64_t> id;                 // per point, of lines per line, or empty; stable over time
    std::vector<std::int64_t> start;              // lines: the first point of each, and the end of the last
    std::vector<Vec3i> triangle;                  // mesh
    std::vector<std::array<int, 2>> segment;      // mesh: yarn
    std::vector<std::uint8_t> triangle_material;  // mesh: liquid of each triangle, or empty
    std::vector<float> share;                     // of each liquid at a point, row by row, or empty
    std::vector<FrameNumbers> numbers;            // everything else with one number per point or line

    /// Liquids that shares are of; 0 without shares.
    std::size_t liquids() const { return position.empty() ? 0 : share.size() / position.size(); }
    std::size_t lines() const { return start.empty() ? 0 : start.size() - 1; }
    /// The numbers per point of this name; empty when there are none.
    std::span<const float> find(std::string_view number_name) const;
    /// Index into the table of materials of a point, of lines of a line; 0 when nothing is said.
    std::size_t material_of(std::size_t entry) const;
};

/// The liquid's surface of a frame without one, and what lies between liquids.
FrameGroup no_surface();
FrameGroup no_interface();

struct FrameObstacle {
    std::string name;
    std::vector<Vec3f> position;  // at rest; of a deforming one now
    std::vector<Vec3i> triangle;
    bool deforms = false;
    std::optional<std::array<double, 16>> transform;  // rest to now: row-major, points as columns
    std::optional<std::array<double, 16>> rate;       // how fast that changes, 1/s
    std::vector<Vec3f> vertex_velocity;               // of a deforming one, or empty
    Vec3f colour{0.6f, 0.6f, 0.6f};
    bool visible = true;
    std::optional<bool> inside;  // the liquid is inside: a container

    /// Where it is now.
    std::vector<Vec3f> placed() const;
    /// How fast its vertices move, m/s; empty when the frame does not say.
    std::vector<Vec3f> velocity() const;
};

struct MaterialLook {
    Vec3f colour{0.6f, 0.6f, 0.6f};
    float absorption = 2;  // 1/m: colour is what is left of white light after 1 / absorption
    float opacity = 0;     // 0 clear .. 1 opaque
    std::string name{};    // in the scene; may be empty
    bool is_opaque() const { return opacity >= 0.5f; }
};

/// A frame as all see it who show or convert it: by the shape of its groups.
struct Frame {
    double time = 0;                                         // s
    double cell = 0;                                         // edge of the grid's cells, m; 0: not stored
    std::vector<FrameGroup> groups;                          // in order of their names
    std::vector<std::string> group_names;                    // of all groups, those without points too
    FrameGroup surface = no_surface();                       // of the liquid; empty where it is not made
    FrameGroup interface = no_interface();                   // opaque liquids where clear ones lie on them
    std::vector<FrameObstacle> obstacles;                    // in order of their names
    std::map<std::string, std::vector<MaterialLook>> looks;  // by table of materials
    std::vector<std::string> without_points;                 // groups that cannot be shown
    std::vector<std::string> left_out;                       // by keep_usable, undamaged: a sentence each

    /// As the run says, else as such a thing usually looks.
    MaterialLook look(const std::string& materials, std::size_t index) const;
    bool has_look(const std::string& materials, std::size_t index) const;
    /// Liquids that the run knows or that a particle names; at least 1.
    std::size_t liquids() const;
    /// Liquid in bulk or as film on lines: what has a surface.
    bool is_wet() const;
};

/// Points that are liquid in bulk; lines that liquid lies on.
bool is_bulk(const FrameGroup& group);
bool has_film(const FrameGroup& group);

/// Yarn is drawn with this radius, m.
inline constexpr float kYarnRadius = 0.0004f;

/// Segments that follow one another, as lines: chain k has the points point[start[k]] .. point[start[k + 1] -
/// 1].
struct Chains {
    std::vector<std::size_t> point;
    std::vector<std::int64_t> start;
};
Chains chains_of(const std::vector<std::array<int, 2>>& segment);

struct FrameFiles {
    std::filesystem::path frame;    // frames/000000.npz; empty: what static.npz has
    std::filesystem::path fixed;    // static.npz; need not be there
    std::filesystem::path surface;  // surface/000000.npz; need not be there
};

/// Reads what can be read. What is damaged, of another type or length than it should be, or points at what is
/// not there, is left out and said in `messages`; only a frame file that cannot be opened is an error.
/// Numbers are as they are in the file: they may be infinite.
Frame read_frame(const FrameFiles& files, std::vector<std::string>& messages);

/// Leaves out what cannot be shown: points that are not finite or have no size, meshes with a vertex that is
/// not finite. Points get a radius, from their volume if they must; lines without one are hairs. A group of
/// points that are no liquid may have neither: that is no damage, and is said in `left_out`.
void keep_usable(Frame& frame, std::vector<std::string>& messages);

}  // namespace rivulet::output
