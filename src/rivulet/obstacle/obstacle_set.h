#pragma once

#include <memory>
#include <string>
#include <vector>

#include <rivulet/geometry/mesh_library.h>
#include <rivulet/geometry/solid_field.h>
#include <rivulet/geometry/triangle_mesh.h>
#include <rivulet/obstacle/description.h>
#include <rivulet/obstacle/mesh_sequence.h>
#include <rivulet/obstacle/rigid_motion.h>

namespace rivulet::obstacle {

/// All obstacles of a scene, built once and never changed: where they are is a pure function of time, so they
/// have no state to save. Indices are those of the descriptions.
class ObstacleSet {
 public:
    ObstacleSet() = default;
    /// Reads mesh and motion files and samples mesh distances every `mesh_spacing` [m] (about half a grid
    /// cell). Throws InputError with every problem found, keys starting with obstacle.NAME.
    ObstacleSet(std::vector<ObstacleDescription> descriptions, double mesh_spacing);
    /// The same with meshes shared with other users of the library.
    ObstacleSet(std::vector<ObstacleDescription> descriptions, geometry::MeshLibrary& meshes);

    bool empty() const { return items_.empty(); }
    std::size_t size() const { return items_.size(); }
    const ObstacleDescription& description(std::size_t i) const { return items_[i].description; }
    const Wall& wall(std::size_t i) const { return items_[i].description.wall; }
    /// In its rest frame; of a deforming obstacle: no parts.
    const geometry::Shape& shape(std::size_t i) const { return *items_[i].shape; }

    /// Rest frame to world at time t [s], parents included.
    geometry::Pose pose_at(std::size_t i, double t) const;
    bool never_moves(std::size_t i) const { return !items_[i].moves && !deforms(i); }
    bool deforms(std::size_t i) const { return items_[i].sequence != nullptr; }
    /// World positions of the vertices of a deforming obstacle (those of `surface`); empty for others.
    std::vector<Vec3d> vertices_at(std::size_t i, double t) const;
    /// How fast the two change from t on [1/s, m/s]: the slope to the right, where a motion has a kink.
    struct PoseRate {
        Mat3d rotation;
        Vec3d translation;
    };
    PoseRate pose_rate_at(std::size_t i, double t) const;
    std::vector<Vec3d> vertex_velocities_at(std::size_t i, double t) const;
    /// Triangles in the rest frame, for pictures; a plane as a square of side 2*plane_extent; a deforming
    /// obstacle as it is at t = 0.
    geometry::TriangleMesh surface(std::size_t i, double plane_extent) const;

    /// Distances, normals and velocities over the step [t, t+dt].
    geometry::SolidField field_over(double t, double dt) const;
    /// Bound on the speed of any obstacle's surface over the step [m/s]; of planes within `domain`.
    double max_speed(double t, double dt, const geometry::Bounds& domain) const;
    /// Takes a point of an obstacle's rest frame through all that moves it between two times.
    void carry(std::size_t i, double from, double to, Passage& passage) const;
    /// Time between two meshes of a deforming obstacle [s]; infinite for others.
    double frame_interval(std::size_t i) const;

    /// Every file read, in the order of the descriptions, each once.
    const std::vector<std::string>& files() const { return files_; }

 private:
    struct Item {
        ObstacleDescription description;
        std::shared_ptr<const geometry::Shape> shape;
        std::shared_ptr<const MeshSequence> sequence;
        RigidMotion motion;
        bool moves = false;  // itself or by a parent
    };
    class Builder;

    std::vector<Item> items_;
    std::vector<std::string> files_;
};

}  // namespace rivulet::obstacle
