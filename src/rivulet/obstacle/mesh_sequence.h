#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/geometry/mesh_distance.h>
#include <rivulet/geometry/shape_description.h>
#include <rivulet/obstacle/description.h>

namespace rivulet::obstacle {

/// "cloth_####.obj" or "cloth_{frame}.obj" with a frame number put in; # pads with zeros. Empty when the
/// pattern has no place for a number.
std::string frame_file(const std::string& pattern, int frame);
/// The frame for which a pattern gives this file; nothing when there is none.
std::optional<int> frame_number(const std::string& pattern, const std::string& file);

/// A deforming obstacle: closed meshes with the same triangles, one per frame, vertices moving on straight
/// lines between frames. The first frame is at t = 0; held before it and after the last.
class MeshSequence {
 public:
    /// The description gives scale and offset of the files. Throws InputError at `key`.
    MeshSequence(const geometry::ShapeDescription& shape, const Motion& motion, const std::string& key);

    std::vector<Vec3d> positions_at(double t) const;
    /// Bound on the length of any vertex's path between two times [m].
    double travel(double from, double to) const;
    double frame_interval() const { return 1 / fps_; }  // s
    const std::vector<Vec3i>& triangles() const { return topology_->triangles(); }
    std::shared_ptr<const geometry::DeformingField> field_over(double t, double dt) const;
    const std::vector<std::string>& files() const { return files_; }

 private:
    double fps_ = 24;
    std::vector<std::vector<Vec3d>> frames_;
    std::vector<double> stride_;  // longest way of a vertex from each frame to the next [m]
    std::shared_ptr<const geometry::MeshTopology> topology_;
    geometry::Bvh tree_;
    std::vector<std::string> files_;
};

}  // namespace rivulet::obstacle
