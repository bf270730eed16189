#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <rivulet/geometry/sampled_distance.h>
#include <rivulet/geometry/shape.h>

namespace rivulet::geometry {

/// Mesh files read and sampled once for a run, however many shapes use them (obstacles, fills, sinks).
class MeshLibrary {
 public:
    /// Distances are sampled every `spacing` [m]: about half a grid cell.
    explicit MeshLibrary(double spacing) : spacing_(spacing) {}

    /// Throws InputError at `key` for a file that is missing, damaged or not a closed mesh.
    std::shared_ptr<const SampledDistance> load(const ShapeDescription& description, const std::string& key);
    /// For building shapes; the library must outlive the loader, not the shapes.
    MeshLoader loader(const std::string& key) {
        return [this, key](const ShapeDescription& d) { return load(d, key); };
    }
    double spacing() const { return spacing_; }
    /// Files read, in the order of first use.
    const std::vector<std::string>& files() const { return files_; }

 private:
    using Id = std::tuple<std::string, double, double, double, double>;
    double spacing_;
    std::map<Id, std::shared_ptr<const SampledDistance>> known_;
    std::vector<std::string> files_;
};

}  // namespace rivulet::geometry
