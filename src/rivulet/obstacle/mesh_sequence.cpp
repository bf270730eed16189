#include <algorithm>
#include <charconv>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/geometry/mesh_file.h>
#include <rivulet/obstacle/mesh_sequence.h>

namespace rivulet::obstacle {
namespace {

constexpr std::size_t kMostVertices = std::size_t{1} << 28;  // over all frames: 6 GiB

/// A pattern around its place for a number, which has `width` digits at least.
struct NumberedName {
    std::string before, after;
    std::size_t width = 0;
};

std::optional<NumberedName> numbered_name(const std::string& pattern) {
    // Folders are taken as they are called: only the file's own name, from here on, has a place for a number.
    const std::size_t name = pattern.find_last_of('/') + 1;
    const std::size_t word = pattern.find("{frame}", name);
    if (word != std::string::npos) return NumberedName{pattern.substr(0, word), pattern.substr(word + 7), 0};
    const std::size_t hash = pattern.find_last_of('#');
    if (hash == std::string::npos || hash < name) return std::nullopt;
    const std::size_t before = pattern.find_last_not_of('#', hash);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    return NumberedName{pattern.substr(0, first), pattern.substr(hash + 1), hash + 1 - first};
}

}  // namespace

std::string frame_file(const std::string& pattern, int frame) {
    const auto name = numbered_name(pattern);
    if (!name) return {};
    std::string number = std::to_string(frame);
    if (number.size() < name->width) number.insert(0, name->width - number.size(), '0');
    return name->before + number + name->after;
}

std::optional<int> frame_number(const std::string& pattern, const std::string& file) {
    const auto name = numbered_name(pattern);
    if (!name || !file.starts_with(name->before)) return std::nullopt;
    int frame = 0;
    const char* end = file.data() + file.size();
    const auto [rest, bad] = std::from_chars(file.data() + name->before.size(), end, frame);
    // What the number is followed by, and its zeros, are right when they come out the same.
    if (bad != std::errc{} || frame_file(pattern, frame) != file) return std::nullopt;
    return frame;
}

MeshSequence::MeshSequence(const geometry::ShapeDescription& shape, const Motion& motion,
                           const std::string& key)
    : fps_(motion.fps) {
    const auto refuse = [&](const std::string& file, const char* member, std::string message,
                            std::string hint) {
        throw InputError(Problem{file, 0, 0, key + "." + member, std::move(message), std::move(hint)});
    };
    if (!(fps_ > 0) || !std::isfinite(fps_)) refuse({}, "fps", "must be > 0", "");
    if (motion.first_frame < 0 || motion.last_frame < motion.first_frame)
        refuse({}, "last_frame", "must not be before first_frame, both at least 0", "");
    if (frame_file(motion.file, 0).empty())
        refuse({}, "file", "needs a place for the frame number",
               "e.g. \"wave_####.obj\" or \"wave_{frame}.ply\"");
    std::vector<Vec3i> triangles;
    for (int frame = motion.first_frame;; ++frame) {
        geometry::ShapeDescription one = shape;
        one.file = frame_file(motion.file, frame);
        geometry::TriangleMesh mesh = geometry::load_mesh(one, key + ".file");
        require_closed(mesh, one.file, key + ".file");
        files_.push_back(one.file);
        if (frames_.empty()) {
            triangles = mesh.triangles;
            topology_ = std::make_shared<const geometry::MeshTopology>(mesh);
            tree_ = geometry::Bvh(geometry::triangle_bounds(mesh.positions, mesh.triangles));
        } else if (mesh.triangles != triangles || mesh.positions.size() != frames_[0].size()) {
            refuse(one.file, "file", "has other triangles than " + files_[0],
                   "export all frames with the same topology and vertex order");
        }
        if ((frames_.size() + 1) * mesh.positions.size() > kMostVertices)
            refuse(one.file, "last_frame", "the sequence does not fit in memory",
                   "use fewer frames or smaller meshes");
        if (!frames_.empty()) {
            double longest = 0;
            for (std::size_t v = 0; v < mesh.positions.size(); ++v)
                longest = std::max(longest, length(mesh.positions[v] - frames_.back()[v]));
            stride_.push_back(longest);
        }
        frames_.push_back(std::move(mesh.positions));
        if (frame == motion.last_frame) break;
    }
}

std::vector<Vec3d> MeshSequence::positions_at(double t) const {
    const double last = static_cast<double>(frames_.size() - 1);
    const double frame = std::clamp(t * fps_, 0.0, last);
    const auto k = std::min(static_cast<std::size_t>(frame), frames_.size() - 1);
    const double u = frame - static_cast<double>(k);
    std::vector<Vec3d> out = frames_[k];
    if (u > 0)
        for (std::size_t v = 0; v < out.size(); ++v) out[v] += (frames_[k + 1][v] - out[v]) * u;
    return out;
}

double MeshSequence::travel(double from, double to) const {
    double sum = 0;
    for (std::size_t k = 0; k < stride_.size(); ++k) {
        const double begin = static_cast<double>(k);
        sum += stride_[k] * std::max(0.0, std::min(to * fps_, begin + 1) - std::max(from * fps_, begin));
    }
    return sum;
}

std::shared_ptr<const geometry::DeformingField> MeshSequence::field_over(double t, double dt) const {
    return std::make_shared<geometry::DeformingMeshDistance>(topology_, tree_, positions_at(t),
                                                             positions_at(t + dt));
}

}  // namespace rivulet::obstacle
