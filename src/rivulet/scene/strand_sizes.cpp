#include <rivulet/scene/strand_sizes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/scene/costs.h>
#include <rivulet/strand/resample.h>

namespace rivulet::scene {
namespace {

/// Strands a groom will have; 0 where that is known only later.
double strands_of(const Scene& scene, const Groom& groom) {
    if (groom.type == GroomType::rows) return double(groom.rows.columns) * double(groom.rows.rows);
    return groom.type == GroomType::file ? 0 : double(groom.count) * scene.detail;
}

}  // namespace

double require_strand_size(const Scene& scene, const Strands& entity, double count) {
    const std::string key = "strands." + entity.name;
    const double segment = entity.segment / scene.detail, length = entity.groom.style.length;
    const double segments = entity.groom.type == GroomType::file ? 0 : std::ceil(length / segment);
    if (segments > double(strand::kMostSegments))
        throw InputError(Problem{
            "", 0, 0, key + ".segment",
            fmt::format("strands of {:.4g} m in segments of {:.4g} m have {:.3g} of them, more than {}",
                        length, segment, segments, strand::kMostSegments),
            fmt::format("segments of {:.3g} m or longer fit", length / double(strand::kMostSegments))});
    const double vertices = count * (std::max(segments, 2.0) + 1);
    if (vertices > double(scene.output.max_vertices))
        throw InputError(Problem{
            "", 0, 0, key + ".groom",
            fmt::format("{:.3g} strands have {:.3g} vertices, which need about {:.3g} GB; "
                        "output.max_vertices allows {}",
                        count, vertices, 1e-9 * vertices * kBytesPerVertex, scene.output.max_vertices),
            "use fewer strands, longer segments or less detail"});
    return vertices;
}

double known_vertices(const Scene& scene) {
    double vertices = 0;
    for (const Strands& strands : scene.strands)
        vertices += require_strand_size(scene, strands, strands_of(scene, strands.groom));
    return vertices;
}

}  // namespace rivulet::scene
