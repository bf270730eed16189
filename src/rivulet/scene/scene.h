#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/film/friction.h>
#include <rivulet/film/transport.h>
#include <rivulet/geometry/shape_description.h>
#include <rivulet/liquid/material.h>
#include <rivulet/liquid/particle_spacing.h>
#include <rivulet/obstacle/description.h>
#include <rivulet/scene/named.h>
#include <rivulet/scene/strands.h>
#include <rivulet/strand/material.h>
#include <rivulet/world/clock.h>
#include <rivulet/world/contact_model.h>
#include <rivulet/world/wet_model.h>

namespace rivulet::scene {

inline constexpr double kForever = 1e30;  // s

struct Time {
    double fps = 24;
    double end = 0;  // s
};

struct Step {
    double max = 0;  // s; 0: one frame
    double min = 1e-7;
    double courant = world::kUsualCourant;
    int retries = 8;
};

/// What strands move through. The wind blows everywhere alike.
struct Air {
    double density = 0;        // kg/m^3; 0: no drag
    double viscosity = 18e-6;  // Pa*s
    Vec3d wind;                // m/s
    double gust = 0;           // the wind swells and ebbs by this part of it
    double gust_period = 1;    // s
};

/// Liquid outside this box is taken away. min = max: nothing is.
struct Keep {
    Vec3d min, max;  // m
};

struct World {
    Vec3d gravity{0, -9.81, 0};  // m/s^2
    Air air;
    bool surface_tension = false;  // of the bulk liquid
    Vec3d period;                  // m; 0: not periodic along that axis
    Keep keep;
    std::uint64_t seed = 0;
};

struct Grid {
    double cell = 0.01;       // m, before `detail`
    double memory_limit = 0;  // bytes; 0: what the machine has
};

enum class Precision { single_, double_ };

struct Output {
    Precision precision = Precision::single_;
    bool compress = false;
    bool contacts = false;
    std::uint64_t max_particles = 100'000'000;
    std::uint64_t max_vertices = 100'000'000;
    double min_free_disk = 1e9;  // bytes
};

struct Checkpoint {
    double every = 60;  // s of wall clock
    int keep = 2;
};

/// Two strand materials, or a strand material and an obstacle, that meet otherwise than by the rule.
struct ContactPair {
    enum Kind { strand_material, obstacle };
    std::array<NamedEntity, 2> materials;
    double friction_dry = -1, friction_wet = -1;  // < 0: by the rule
    std::vector<ValueOf> contact_angle;           // rad, by index into Scene::materials
};

/// How strands meet each other and obstacles.
struct Contact {
    world::ContactLaw law = world::ContactLaw::cone;
    world::Cohesion cohesion = world::Cohesion::bridge;
    double margin = 0;  // m
    double tolerance = 1e-3;
    int rounds = 8;
    world::PenaltyModel penalty;
    std::vector<ContactPair> pairs;
};

/// How films on strands behave; what of it is switched off stays away from the step.
struct Film {
    bool flow = true;
    bool dripping = true;
    bool inertia = true;
    film::Carry momentum = film::Carry::mixture;
    bool surface_tension = false;  // along the strands: beads
    bool across = false;           // from strand to strand, where bridges join them
    film::FrictionOptions friction;
};

/// Liquid that is there at the start.
struct Liquid {
    std::string name;
    int material = -1;  // index into Scene::materials
    geometry::ShapeDescription fill;
    Vec3d velocity;  // m/s
    double jitter = 0.5;
    int particles_per_cell = liquid::kUsualPerCell;
};

/// Liquid that comes in through a shape.
struct Inflow {
    std::string name;
    int material = -1;
    geometry::ShapeDescription shape;
    Vec3d velocity;                     // m/s
    double rate = 0;                    // m^3/s; > 0: the speed follows from it
    double spread = 0;                  // rad, half angle of the cone of directions
    double start = 0, stop = kForever;  // s
    double total = 0;                   // m^3; 0: no limit
    int particles_per_cell = liquid::kUsualPerCell;
};

/// Takes away the liquid inside a shape.
struct Sink {
    std::string name;
    geometry::ShapeDescription shape;
    double start = 0, stop = kForever;  // s
};

struct Camera {
    std::string name;
    Vec3d position, target;  // m
    Vec3d up{0, 1, 0};
    double fov = 0.6981317007977318;  // rad, vertical
};

/// A scene as written, with every default: plain data, SI. `detail` is not applied to the numbers here;
/// `cell_size` and whoever generates segments and counts apply it.
struct Scene {
    int format = 1;
    std::string title;
    double detail = 1;
    Time time;
    Step step;
    World world;
    Grid grid;
    Contact contact;
    Film film;
    world::WetModel wetting;
    Output output;
    Checkpoint checkpoint;
    std::vector<liquid::LiquidMaterial> materials;
    std::vector<strand::StrandMaterial> strand_materials;
    std::vector<obstacle::ObstacleDescription> obstacles;
    std::vector<Liquid> liquids;
    std::vector<Inflow> inflows;
    std::vector<Sink> sinks;
    std::vector<Strands> strands;
    std::vector<Camera> cameras;

    double cell_size() const { return grid.cell / detail; }
    /// Number of the last frame: the last k with k / fps <= end.
    std::int64_t last_frame() const;
};

/// What reading a scene found besides the scene.
struct ReadReport {
    std::vector<std::string> files;  // absolute paths: the scene, its includes, meshes, ...
};

/// Settings are "key=value" as given to --set. Throws InputError with every problem found. Files that are not
/// where the scene lies are looked for in `second_folder`: that of the run of whose scene this is a copy.
Scene read_scene(const std::string& path, const std::vector<std::string>& settings = {},
                 ReadReport* report = nullptr, const std::string& second_folder = "");
/// The same from memory; relative files start from `folder`.
Scene read_scene_text(const std::string& text, const std::string& file_name, const std::string& folder,
                      const std::vector<std::string>& settings = {}, ReadReport* report = nullptr);

/// The scene in full: every key, SI, shortest decimals. Reading it gives the same bits. Files whose
/// (absolute) folder is a key of `folders` are written as lying in the folder it maps to.
std::string resolved_text(const Scene& scene, const std::map<std::string, std::string>& folders = {});

}  // namespace rivulet::scene
