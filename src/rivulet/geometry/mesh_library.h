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
    /// Distances are sampled every `spacing` [m], about half a grid cell, in `most_blocks` for each mesh.
    explicit MeshLibrary(double spacing, double most_blocks = SamplePlan::kMostBlocks)
        : spacing_(spacing), most_blocks_(most_blocks) {}

    /// Throws InputError at `key` for a file that is missing, damaged or not a closed mesh, or so large that
    /// it could be sampled only at more than kMostCoarser spacings.
    std::shared_ptr<const SampledDistance> load(const ShapeDescription& description, const std::string& key);
    /// For building shapes; the library must outlive the loader, not the shapes.
    MeshLoader loader(const std::string& key) {
        return [this, key](const ShapeDescription& d) { return load(d, key); };
    }
    double spacing() const { return spacing_; }
    /// Files read, in the order of first use.
    const std::vector<std::string>& files() const { return files_; }
    /// Meshes that are sampled more coarsely than asked for.
    const std::vector<std::string>& warnings() const { return warnings_; }

 private:
    static constexpr double kMostCoarser = 4;
    using Id = std::tuple<std::string, double, double, double, double>;
    double spacing_, most_blocks_;
    std::map<Id, std::shared_ptr<const SampledDistance>> known_;
    std::vector<std::string> files_, warnings_;
};

}  // namespace rivulet::geometry
