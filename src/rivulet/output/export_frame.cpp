#include <rivulet/output/export_frame.h>

namespace rivulet::output {

std::vector<float> ExportMesh::weights_of(std::size_t which, std::size_t liquids) const {
    std::vector<float> out;
    if (weight.size() != liquids * position.size()) return out;
    out.reserve(position.size());
    for (std::size_t v = 0; v < position.size(); ++v) out.push_back(weight[v * liquids + which]);
    return out;
}

std::vector<Vec3f> vertex_colours(const ExportPoints& points, const std::vector<ExportLiquid>& liquids) {
    std::vector<Vec3f> out;
    for (const std::uint8_t m : points.material)
        out.push_back(m < liquids.size() ? liquids[m].colour : points.colour);
    return out;
}

std::vector<Vec3f> vertex_colours(const ExportMesh& mesh, const std::vector<ExportLiquid>& liquids) {
    const std::size_t n = liquids.size();
    if (mesh.weight.size() != n * mesh.position.size())
        return std::vector<Vec3f>(mesh.position.size(), mesh.colour);
    std::vector<Vec3f> out(mesh.position.size());
    for (std::size_t v = 0; v < out.size(); ++v)
        for (std::size_t l = 0; l < n; ++l) out[v] += liquids[l].colour * mesh.weight[v * n + l];
    return out;
}

}  // namespace rivulet::output
