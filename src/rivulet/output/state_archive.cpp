#include <rivulet/output/state_archive.h>

#include <array>
#include <cmath>
#include <deque>
#include <numbers>
#include <type_traits>
#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/world/contact_lines.h>
#include <rivulet/world/shown_materials.h>

namespace rivulet::output {

namespace {

constexpr std::int64_t kCheckpointFormat = 2;
constexpr double kPlaneExtent = 10;  // m; planes are drawn as squares of twice this side

/// Groups of which a scene has nothing are left out of frames.
template <class T>
bool is_empty(const std::vector<T>& values) {
    return values.empty();
}
template <class T>
bool is_empty(const T&) {
    return false;
}

template <class State>
void add_fields(io::ArchiveWriter& archive, const State& state, unsigned use, io::Precision precision,
                bool skip_empty) {
    bool any = false;
    visit_leaf_fields(state, [&](const FieldInfo& info, const auto& value) {
        if (!(info.use & use) || (skip_empty && is_empty(value))) return;
        any = true;
        // Time is always exact: readers key on it.
        archive.add_field(info, value, info.name == "time" ? io::Precision::exact : precision);
    });
    if constexpr (HasGroup<State>)
        if (any) archive.describe(State::group);
}

void add_state(io::ArchiveWriter& archive, const world::World& world, unsigned use, io::Precision precision,
               bool skip_empty) {
    for_each_member(world,
                    [&](const auto& state) { add_fields(archive, state, use, precision, skip_empty); });
}

/// Radius of the sphere of the particle's present volume.
std::vector<double> particle_radii(const liquid::LiquidState& liquid) {
    std::vector<double> radius(liquid.size());
    parallel_for(radius.size(), [&](std::size_t i) {
        radius[i] = std::cbrt(0.75 / std::numbers::pi * liquid.volume[i] * liquid.volume_ratio[i]);
    });
    return radius;
}

/// Row-major, of a pose or of its rate; the corner is 1 or 0.
template <class P>
std::array<double, 16> matrix_of(const P& pose, double corner) {
    std::array<double, 16> m{};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) m[std::size_t(4 * i + j)] = pose.rotation(i, j);
        m[std::size_t(4 * i + 3)] = pose.translation[i];
    }
    m[15] = corner;
    return m;
}

std::string obstacle_array(const obstacle::ObstacleSet& obstacles, std::size_t i, const char* what) {
    return "obstacles/" + obstacles.description(i).name + "/" + what;
}

struct MaterialArrays {
    std::deque<std::vector<Vec3d>> vectors;
    std::deque<std::vector<double>> numbers;
    std::vector<Vec3d>& more(const Vec3d&) { return vectors.emplace_back(); }
    std::vector<double>& more(double) { return numbers.emplace_back(); }
};

/// materials/KIND.txt with the names, materials/KIND/... with one array for each number shown.
template <class Material>
void add_materials(io::ArchiveWriter& archive, const std::string& kind,
                   const std::vector<Material>& materials, MaterialArrays& arrays) {
    if (materials.empty()) return;
    std::string names;
    for (const Material& m : materials) names += m.name + "\n";
    archive.add_text("materials/" + kind + ".txt", names);
    world::visit_shown(static_cast<const Material*>(nullptr),
                       [&](const char* name, const char* unit, auto member) {
                           auto& out = arrays.more(materials.front().*member);
                           for (const Material& m : materials) out.push_back(m.*member);
                           archive.add_field({"materials/" + kind + "/" + name, unit, Centring::other}, out);
                       });
}

template <class Marks, class Visit>
void visit_marks(Marks& marks, Visit&& visit) {
    visit("lists/metrics_bytes", marks.metrics.bytes);
    visit("lists/metrics_xxh64", marks.metrics.hash);
    visit("lists/frames_bytes", marks.frames.bytes);
    visit("lists/frames_xxh64", marks.frames.hash);
}

}  // namespace

void write_frame(io::FileSystem& files, const std::filesystem::path& path, const world::Model& model,
                 const world::World& world, const FrameOptions& options) {
    io::ArchiveWriter archive;
    add_state(archive, world, kFrame, options.precision, true);
    const std::vector<double> radius = particle_radii(world.liquid);
    if (!radius.empty())
        archive.add_field({"liquid/radius", "m", Centring::particle}, radius, options.precision);
    // The writer borrows arrays: these live until it has written.
    const world::ContactLines contacts =
        options.contacts ? world::contact_lines(model, world) : world::ContactLines{};
    add_fields(archive, contacts, kFrame, options.precision, true);
    std::deque<std::vector<Vec3d>> vectors;
    std::deque<std::array<double, 16>> matrices;
    const auto add_vectors = [&](const std::string& name, const char* unit, std::vector<Vec3d> values) {
        archive.add_field({name, unit, Centring::vertex}, vectors.emplace_back(std::move(values)),
                          options.precision);
    };
    const auto add_matrix = [&](const std::string& name, const char* unit,
                                const std::array<double, 16>& matrix) {
        archive.add(name, io::Dtype::float64, {4, 4},
                    std::as_bytes(std::span(matrices.emplace_back(matrix))));
        archive.describe(name, unit, Centring::obstacle);
    };
    const double time = world.clock.time;
    for (std::size_t i = 0; i < model.obstacles.size(); ++i) {
        const auto name = [&](const char* what) { return obstacle_array(model.obstacles, i, what); };
        if (model.obstacles.deforms(i)) {
            add_vectors(name("position"), "m", model.obstacles.vertices_at(i, time));
            add_vectors(name("velocity"), "m/s", model.obstacles.vertex_velocities_at(i, time));
        } else {
            add_matrix(name("transform"), "", matrix_of(model.obstacles.pose_at(i, time), 1));
            add_matrix(name("transform_rate"), "1/s", matrix_of(model.obstacles.pose_rate_at(i, time), 0));
        }
    }
    archive.write(files, path, {.deflate = options.deflate});
}

void write_static(io::FileSystem& files, const std::filesystem::path& path, const world::Model& model,
                  const world::World& world) {
    io::ArchiveWriter archive;
    add_state(archive, world, kStatic, io::Precision::exact, true);
    archive.add_scalar("grid/cell", model.cell);
    archive.describe("grid/cell", "m", Centring::scalar);
    std::vector<geometry::TriangleMesh> meshes(model.obstacles.size());
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        meshes[i] = model.obstacles.surface(i, kPlaneExtent);
        const std::string position = obstacle_array(model.obstacles, i, "position");
        archive.add_field({position, "m", Centring::vertex}, meshes[i].positions);
        const std::string triangle = obstacle_array(model.obstacles, i, "triangle");
        archive.add_field({triangle, "", Centring::triangle}, meshes[i].triangles);
        const auto& description = model.obstacles.description(i);
        archive.describe(GroupInfo{"obstacles/" + description.name, GroupShape::mesh, ""});
        archive.add_scalar(obstacle_array(model.obstacles, i, "color"), description.color);
        archive.add_scalar(obstacle_array(model.obstacles, i, "inside"),
                           std::uint8_t(description.side == obstacle::Side::inside));
        archive.add_scalar(obstacle_array(model.obstacles, i, "visible"), std::uint8_t(description.visible));
    }
    // The writer borrows arrays: these live until it has written.
    MaterialArrays arrays;
    world::visit_materials(model, [&](const std::string& kind, const auto& materials) {
        add_materials(archive, kind, materials, arrays);
    });
    archive.write(files, path);
}

void write_checkpoint(io::FileSystem& files, const std::filesystem::path& path, const world::World& world,
                      const std::optional<ListMarks>& lists) {
    io::ArchiveWriter archive;
    archive.add_scalar("checkpoint/format", kCheckpointFormat);
    if (lists)
        visit_marks(*lists, [&](const char* name, std::uint64_t value) { archive.add_scalar(name, value); });
    add_state(archive, world, kCheckpoint, io::Precision::exact, false);
    archive.write(files, path);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    const io::ArchiveReader archive(path);
    const auto refuse = [&](const std::string& message) {
        return InputError(
            Problem{path.string(), 0, 0, "", message, "this checkpoint is of another version of rivulet"});
    };
    if (!archive.has("checkpoint/format") ||
        archive.read_scalar<std::int64_t>("checkpoint/format") != kCheckpointFormat)
        throw refuse("not a checkpoint of a format this program knows");
    Checkpoint checkpoint;
    std::size_t read = 1;
    if (archive.has("lists/metrics_bytes"))
        visit_marks(checkpoint.lists.emplace(), [&](const char* name, std::uint64_t& value) {
            value = archive.read_scalar<std::uint64_t>(name);
            ++read;
        });
    visit_all_fields(checkpoint.world, [&](const FieldInfo& info, auto& value) {
        if (!(info.use & kCheckpoint)) return;
        if (!archive.has(info.name)) throw refuse("array '" + std::string(info.name) + "' is missing");
        archive.read_field(info, value);
        ++read;
    });
    if (read != archive.arrays().size()) throw refuse("it holds arrays this program does not know");
    return checkpoint;
}

}  // namespace rivulet::output
