#include <rivulet/surface/vdb_file.h>

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/tools/MeshToVolume.h>

#include <cmath>
#include <memory>
#include <sstream>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/surface/mesh_measure.h>

namespace rivulet::surface {

namespace {

namespace fs = std::filesystem;
namespace vp = openvdb::points;
using openvdb::math::Transform;

/// A level set coarsens beyond this many voxels of its band.
constexpr double kMostVoxels = 1 << 26;
constexpr float kHalfWidth = 3;

void require(bool good, const fs::path& path, const std::string& message) {
    if (!good) throw InputError(Problem{path.string(), 0, 0, "", message, ""});
}

openvdb::Vec3s vdb(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

std::vector<openvdb::Vec3s> vdb(const std::vector<Vec3f>& values) {
    std::vector<openvdb::Vec3s> out;
    out.reserve(values.size());
    for (const Vec3f& v : values) out.push_back(vdb(v));
    return out;
}

bool all_finite(const std::vector<Vec3f>& values) {
    for (const Vec3f& v : values)
        if (!std::isfinite(v.x + v.y + v.z)) return false;
    return true;
}

void check(const VdbPoints& p, const fs::path& path) {
    const std::size_t n = p.position.size();
    const auto fits = [&](std::size_t size) { return size == 0 || size == n; };
    require(fits(p.velocity.size()) && fits(p.radius.size()) && fits(p.id.size()) && fits(p.material.size()),
            path, "arrays of the particles have different lengths");
    require(all_finite(p.position) && all_finite(p.velocity), path, "a particle is not finite");
}

/// OpenVDB's own writer of files that can be read in parts, but into any stream that can go back.
class SeekableArchive final : public openvdb::io::Archive {
 public:
    void save(std::ostream& stream, const openvdb::GridPtrVec& grids) const {
        Archive::write(stream, grids, true);
    }
    Ptr copy() const override { return std::make_shared<SeekableArchive>(*this); }
};

/// OpenVDB goes back in what it writes and does not look whether its stream still takes bytes: it writes to
/// memory, and the bytes go to the disk through the one door.
void write_grids(io::FileSystem& files, const fs::path& path, const openvdb::GridPtrVec& grids) {
    std::ostringstream bytes(std::ios::binary);
    bytes.exceptions(std::ios::badbit | std::ios::failbit);
    try {
        SeekableArchive().save(bytes, grids);
    } catch (const openvdb::Exception& e) {
        throw IoError(path.string(), e.what());
    }
    io::write_atomically(files, path, bytes.view());
}

template <class T, class Index>
void add_attribute(vp::PointDataGrid& grid, const Index& index, const std::string& name,
                   const std::vector<T>& values) {
    if (values.empty()) return;
    vp::appendAttribute<T>(grid.tree(), name);
    vp::populateAttribute(grid.tree(), index.tree(), name, vp::PointAttributeVector<T>(values));
}

/// Calls visit(particle, node, weight) for tents of one and a half cells: every node near liquid is met.
/// Particles go one after another, so sums are the same every time.
template <class F>
void for_nodes(const std::vector<Vec3f>& particles, double cell, F&& visit) {
    constexpr double kReach = 1.5;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const Vec3f& p = particles[i];
        const openvdb::Vec3d x(double(p.x) / cell, double(p.y) / cell, double(p.z) / cell);
        const openvdb::Coord low = openvdb::Coord::ceil(x - openvdb::Vec3d(kReach));
        const openvdb::Coord high = openvdb::Coord::floor(x + openvdb::Vec3d(kReach));
        for (auto c = openvdb::CoordBBox(low, high).begin(); c; ++c) {
            const openvdb::Vec3d d = (*c).asVec3d() - x;
            const auto w =
                float((kReach - std::abs(d.x())) * (kReach - std::abs(d.y())) * (kReach - std::abs(d.z())));
            if (w > 0) visit(i, *c, w);
        }
    }
}

template <class Grid>
void divide(Grid& grid, const openvdb::FloatGrid& weight) {
    auto read = weight.getConstAccessor();
    for (auto it = grid.beginValueOn(); it; ++it) it.setValue(it.getValue() / read.getValue(it.getCoord()));
}

/// Velocity at nodes, and the part of each liquid.
openvdb::GridPtrVec averaged(const VdbPoints& particles, double cell,
                             const std::vector<std::string>& liquids) {
    const auto weight = openvdb::FloatGrid::create(0);
    const auto velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0.0f));
    std::vector<openvdb::FloatGrid::Ptr> part;
    const bool several = particles.material.size() == particles.position.size();
    for (std::size_t l = 0; several && l < liquids.size(); ++l) part.push_back(openvdb::FloatGrid::create(0));
    auto weights = weight->getAccessor();
    auto momentum = velocity->getAccessor();
    for_nodes(particles.position, cell, [&](std::size_t i, const openvdb::Coord& c, float w) {
        weights.setValue(c, weights.getValue(c) + w);
        if (!particles.velocity.empty())
            momentum.setValue(c, momentum.getValue(c) + vdb(particles.velocity[i]) * w);
        for (std::size_t l = 0; l < part.size(); ++l) {
            const float more = std::size_t(particles.material[i]) == l ? w : 0;
            part[l]->tree().setValue(c, part[l]->tree().getValue(c) + more);
        }
    });
    openvdb::GridPtrVec grids;
    if (!particles.velocity.empty()) {
        divide(*velocity, *weight);
        velocity->setName("v");
        velocity->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
        grids.push_back(velocity);
    }
    for (std::size_t l = 0; l < part.size(); ++l) {
        divide(*part[l], *weight);
        part[l]->setName("fraction_" + liquids[l]);
        part[l]->setGridClass(openvdb::GRID_FOG_VOLUME);
        grids.push_back(part[l]);
    }
    for (const auto& grid : grids) grid->setTransform(Transform::createLinearTransform(cell));
    return grids;
}

}  // namespace

void write_vdb_points(io::FileSystem& files, const fs::path& path, const VdbPoints& points, double voxel) {
    openvdb::initialize();
    check(points, path);
    require(voxel > 0, path, "the voxel must be larger than zero");
    const auto transform = Transform::createLinearTransform(voxel);
    const std::vector<openvdb::Vec3s> position = vdb(points.position);
    const vp::PointAttributeVector<openvdb::Vec3s> wrapped(position);
    const auto index =
        openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(wrapped, *transform);
    const auto grid = vp::createPointDataGrid<vp::NullCodec, vp::PointDataGrid>(*index, wrapped, *transform);
    add_attribute(*grid, *index, "v", vdb(points.velocity));
    add_attribute(*grid, *index, "pscale", points.radius);
    add_attribute(*grid, *index, "id", points.id);
    add_attribute(*grid, *index, "material", points.material);
    for (std::size_t l = 0; l < points.liquids.size(); ++l)
        grid->insertMeta("material_" + std::to_string(l), openvdb::StringMetadata(points.liquids[l]));
    grid->setName("points");
    write_grids(files, path, {grid});
}

void write_vdb_volume(io::FileSystem& files, const fs::path& path, const VdbVolume& volume) {
    openvdb::initialize();
    require(volume.voxel > 0, path, "the voxel must be larger than zero");
    require(all_finite(volume.position), path, "a vertex is not finite");
    std::vector<openvdb::Vec3I> triangle;
    triangle.reserve(volume.triangle.size());
    for (const Vec3i& t : volume.triangle) {
        for (int k = 0; k < 3; ++k)
            require(t[k] >= 0 && std::size_t(t[k]) < volume.position.size(), path,
                    "a triangle points at a vertex that does not exist");
        triangle.emplace_back(openvdb::Index32(t.x), openvdb::Index32(t.y), openvdb::Index32(t.z));
    }
    const double area = surface_area(volume.position, volume.triangle);
    const double voxel = std::max(volume.voxel, std::sqrt(2.0 * double(kHalfWidth) * area / kMostVoxels));
    const auto transform = Transform::createLinearTransform(voxel);
    const auto level_set = openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(
        *transform, vdb(volume.position), triangle, kHalfWidth);
    level_set->setName("surface");
    openvdb::GridPtrVec grids{level_set};
    if (volume.particles && volume.cell > 0) {
        check(*volume.particles, path);
        for (const auto& grid : averaged(*volume.particles, volume.cell, volume.liquids))
            grids.push_back(grid);
    }
    write_grids(files, path, grids);
}

}  // namespace rivulet::surface
