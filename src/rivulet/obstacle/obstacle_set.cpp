#include <algorithm>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/geometry/tessellate.h>
#include <rivulet/obstacle/obstacle_set.h>

namespace rivulet::obstacle {

using geometry::Pose;
using geometry::ShapeDescription;

class ObstacleSet::Builder {
 public:
    explicit Builder(geometry::MeshLibrary& meshes) : meshes_(meshes) {}

    /// Builds all it can and throws every problem at once.
    std::vector<Item> build(std::vector<ObstacleDescription> descriptions) {
        std::vector<Item> items(descriptions.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            items[i].description = std::move(descriptions[i]);
            const std::string key = key_of(items[i]);
            attempt([&] { check_wall(items[i].description.wall, key + ".wall"); });
            attempt([&] { items[i].motion = RigidMotion(items[i].description.motion, key + ".motion"); });
            attempt([&] { build_shape(items[i], key); });
            if (!items[i].sequence) note_meshes(items[i].description.shape);
            for (const std::string& file : items[i].motion.files()) note_file(file);
        }
        attempt([&] { check_parents(items); });
        if (!problems_.empty()) throw InputError(std::move(problems_));
        for (Item& item : items) item.moves = moves(items, item);
        return items;
    }
    std::vector<std::string> files() { return std::move(files_); }

 private:
    static std::string key_of(const Item& item) { return "obstacle." + item.description.name; }

    template <class F>
    void attempt(F&& work) {
        try {
            work();
        } catch (const InputError& e) {
            problems_.insert(problems_.end(), e.problems().begin(), e.problems().end());
        }
    }
    [[noreturn]] static void refuse(std::string key, std::string message, std::string hint) {
        throw InputError(Problem{{}, 0, 0, std::move(key), std::move(message), std::move(hint)});
    }
    void note_file(const std::string& file) {
        if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
    }

    void note_meshes(const ShapeDescription& d) {
        geometry::for_each_nested(d, [&](const ShapeDescription& s) {
            if (s.type == geometry::ShapeType::mesh && !s.file.empty()) note_file(s.file);
        });
    }

    static void check_wall(const Wall& wall, const std::string& key) {
        if (!(wall.friction >= 0)) refuse(key + ".friction", "must be >= 0", "");
        if (!(wall.adhesion >= 0)) refuse(key + ".adhesion", "must be >= 0", "");
    }

    void build_shape(Item& item, const std::string& key) {
        const std::vector<Motion>& motions = item.description.motion;
        for (std::size_t m = 0; m < motions.size(); ++m) {
            if (motions[m].type != MotionType::meshes) continue;
            const std::string here = key + ".motion[" + std::to_string(m) + "]";
            if (m > 0)
                refuse(here + ".type", "a sequence of meshes must be the first motion",
                       "move it to the front");
            if (item.description.shape.type != geometry::ShapeType::mesh)
                refuse(here + ".type", "a sequence of meshes needs a shape of type \"mesh\"",
                       "change the shape");
            item.sequence = std::make_shared<const MeshSequence>(item.description.shape, motions[m], here);
            for (const std::string& file : item.sequence->files()) note_file(file);
        }
        if (item.sequence)
            item.shape = std::make_shared<const geometry::Shape>(std::vector<geometry::Shape::Part>{});
        else
            item.shape = std::make_shared<const geometry::Shape>(item.description.shape, key + ".shape",
                                                                 meshes_.loader(key + ".shape.file"));
    }

    static void check_parents(const std::vector<Item>& items) {
        const int n = static_cast<int>(items.size());
        for (const Item& item : items)
            if (item.description.parent < -1 || item.description.parent >= n)
                refuse(key_of(item) + ".parent", "no such obstacle", "name another obstacle");
        for (const Item& item : items) {
            int at = item.description.parent;
            for (int steps = 0; at >= 0; ++steps) {
                if (steps > n)
                    refuse(key_of(item) + ".parent", "the chain of parents runs in a circle",
                           "remove one of them");
                at = items[static_cast<std::size_t>(at)].description.parent;
            }
        }
    }
    static bool moves(const std::vector<Item>& items, const Item& item) {
        for (const Item* at = &item;; at = &items[static_cast<std::size_t>(at->description.parent)]) {
            if (!at->motion.is_still()) return true;
            if (at->description.parent < 0) return false;
        }
    }

    geometry::MeshLibrary& meshes_;
    std::vector<Problem> problems_;
    std::vector<std::string> files_;
};

ObstacleSet::ObstacleSet(std::vector<ObstacleDescription> descriptions, double mesh_spacing) {
    geometry::MeshLibrary meshes(mesh_spacing);
    *this = ObstacleSet(std::move(descriptions), meshes);
}

ObstacleSet::ObstacleSet(std::vector<ObstacleDescription> descriptions, geometry::MeshLibrary& meshes) {
    if (!(meshes.spacing() > 0)) throw InputError(Problem{{}, 0, 0, "grid.cell", "must be > 0", ""});
    Builder builder(meshes);
    items_ = builder.build(std::move(descriptions));
    files_ = builder.files();
}

Pose ObstacleSet::pose_at(std::size_t i, double t) const {
    const Item* item = &items_[i];
    if (!item->moves) return {};
    Pose pose = item->motion.at(t);
    while (item->description.parent >= 0) {
        item = &items_[static_cast<std::size_t>(item->description.parent)];
        pose = geometry::compose(item->motion.at(t), pose);
    }
    return pose;
}

std::vector<Vec3d> ObstacleSet::vertices_at(std::size_t i, double t) const {
    if (!deforms(i)) return {};
    std::vector<Vec3d> out = items_[i].sequence->positions_at(t);
    const Pose pose = pose_at(i, t);
    if (!(pose == Pose{}))
        for (Vec3d& p : out) p = pose.apply(p);
    return out;
}

geometry::TriangleMesh ObstacleSet::surface(std::size_t i, double plane_extent) const {
    if (deforms(i)) return {items_[i].sequence->positions_at(0), items_[i].sequence->triangles()};
    return geometry::tessellate(*items_[i].shape, plane_extent);
}

geometry::SolidField ObstacleSet::field_over(double t, double dt) const {
    std::vector<geometry::Solid> solids(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
        geometry::Solid& solid = solids[i];
        solid.shape = items_[i].shape;
        if (items_[i].sequence) solid.deforming = items_[i].sequence->field_over(t, dt);
        solid.liquid_inside = items_[i].description.side == Side::inside;
        solid.obstacle = static_cast<int>(i);
        const geometry::Bounds rest = solid.deforming ? solid.deforming->bounds() : solid.shape->bounds();
        const Vec3d centre = rest.is_finite() ? rest.centre() : Vec3d{};
        solid.motion = geometry::PoseInterval(pose_at(i, t), pose_at(i, t + dt), centre);
    }
    return geometry::SolidField(std::move(solids), dt);
}

double ObstacleSet::max_speed(double t, double dt, const geometry::Bounds& domain) const {
    return field_over(t, dt).max_speed(domain);
}

void ObstacleSet::carry(std::size_t i, double from, double to, Passage& passage) const {
    const Item* item = &items_[i];
    if (item->sequence) passage.travel += item->sequence->travel(from, to);
    item->motion.carry(from, to, passage);
    while (item->description.parent >= 0) {
        item = &items_[static_cast<std::size_t>(item->description.parent)];
        item->motion.carry(from, to, passage);
    }
}

namespace {
/// Slope to the right of t from three values h apart; exact for parabolas.
template <class T>
T forward_slope(const T& now, const T& soon, const T& later, double h) {
    return (soon * 4.0 - now * 3.0 - later) * (0.5 / h);
}
// NOTE: 10 µs: motions change over milliseconds at least, and differences keep ten digits.
constexpr double kSlopeStep = 1e-5;
}  // namespace

ObstacleSet::PoseRate ObstacleSet::pose_rate_at(std::size_t i, double t) const {
    const geometry::Pose now = pose_at(i, t), soon = pose_at(i, t + kSlopeStep),
                         later = pose_at(i, t + 2 * kSlopeStep);
    return {forward_slope(now.rotation, soon.rotation, later.rotation, kSlopeStep),
            forward_slope(now.translation, soon.translation, later.translation, kSlopeStep)};
}

std::vector<Vec3d> ObstacleSet::vertex_velocities_at(std::size_t i, double t) const {
    std::vector<Vec3d> slope = vertices_at(i, t);
    const std::vector<Vec3d> soon = vertices_at(i, t + kSlopeStep),
                             later = vertices_at(i, t + 2 * kSlopeStep);
    for (std::size_t v = 0; v < slope.size(); ++v)
        slope[v] = forward_slope(slope[v], soon[v], later[v], kSlopeStep);
    return slope;
}

double ObstacleSet::frame_interval(std::size_t i) const {
    return deforms(i) ? items_[i].sequence->frame_interval() : std::numeric_limits<double>::infinity();
}

}  // namespace rivulet::obstacle
