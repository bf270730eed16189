#include <rivulet/viewer/decimate.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <rivulet/viewer/quantise.h>

namespace rivulet::viewer {
namespace {

bool finite(const Vec3f& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// Smallest vertex of the grid cell each vertex lies in. `cells` is the number of cells along the longest
/// side.
std::vector<std::uint32_t> representatives(const std::vector<Vec3f>& layout, const Box& box, double cells,
                                           std::size_t& count) {
    const Vec3d extent = box.high - box.low;
    const double longest = std::max({extent.x, extent.y, extent.z});
    const double scale = longest > 0 ? cells / longest : 0;
    struct Keyed {
        std::uint64_t cell;
        std::uint32_t vertex;
        auto operator<=>(const Keyed&) const = default;
    };
    std::vector<Keyed> keyed;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (!finite(layout[i])) continue;
        const auto index = [&](float v, double low) {
            return static_cast<std::uint64_t>(std::clamp((double(v) - low) * scale, 0.0, cells));
        };
        keyed.push_back({index(layout[i].x, box.low.x) << 42 | index(layout[i].y, box.low.y) << 21 |
                             index(layout[i].z, box.low.z),
                         static_cast<std::uint32_t>(i)});
    }
    std::sort(keyed.begin(), keyed.end());
    std::vector<std::uint32_t> of(layout.size(), 0);
    count = 0;
    for (std::size_t i = 0, first = 0; i < keyed.size(); ++i) {
        if (i == 0 || keyed[i].cell != keyed[first].cell) first = i, ++count;
        of[keyed[i].vertex] = keyed[first].vertex;
    }
    return of;
}

template <std::size_t N>
bool collapsed(const std::array<std::uint32_t, N>& element) {
    if (element[0] == element[1]) return true;
    if constexpr (N == 3) return element[0] == element[2] || element[1] == element[2];
    return false;
}

/// Elements between representatives, without the collapsed ones.
template <std::size_t N>
std::vector<std::array<std::uint32_t, N>> joined(const std::vector<std::array<std::uint32_t, N>>& elements,
                                                 const std::vector<Vec3f>& layout,
                                                 const std::vector<std::uint32_t>& of) {
    std::vector<std::array<std::uint32_t, N>> out;
    for (auto element : elements) {
        bool good = true;
        for (std::uint32_t& v : element) {
            good = good && finite(layout[v]);
            v = of[v];
        }
        if (good && !collapsed(element)) out.push_back(element);
    }
    return out;
}

std::size_t kept_of_line(std::size_t vertices, std::size_t stride, std::size_t least) {
    if (vertices <= 2 || stride <= 1) return vertices;
    return std::min(vertices, std::max((vertices - 2) / stride + 2, least));
}

/// Which cells of a dense grid hold a point, with a border of empty ones.
class Occupancy {
 public:
    Occupancy(const Box& box, double edge) : low_(box.low), edge_(edge) {
        for (int a = 0; a < 3; ++a)
            size_[a] = 3 + static_cast<std::size_t>((box.high[a] - box.low[a]) / edge);
        cells_.assign(size_[0] * size_[1] * size_[2], 0);
    }
    static double cells_for(const Box& box, double edge) {
        double cells = 1;
        for (int a = 0; a < 3; ++a) cells *= 3 + (box.high[a] - box.low[a]) / edge;
        return cells;
    }
    std::size_t cell_of(const Vec3f& p) const {
        std::size_t k[3];
        for (int a = 0; a < 3; ++a)
            k[a] = 1 + static_cast<std::size_t>(
                           std::clamp((double(p[a]) - low_[a]) / edge_, 0.0, double(size_[a] - 3)));
        return (k[2] * size_[1] + k[1]) * size_[0] + k[0];
    }
    /// True when the cell was empty.
    bool fill(std::size_t cell) { return std::exchange(cells_[cell], std::uint8_t{1}) == 0; }
    bool surrounded(std::size_t cell) const {
        const std::size_t row = size_[0], layer = size_[0] * size_[1];
        for (std::size_t z = cell - layer; z <= cell + layer; z += layer)
            for (std::size_t y = z - row; y <= z + row; y += row)
                if (!cells_[y - 1] || !cells_[y] || !cells_[y + 1]) return false;
        return true;
    }

 private:
    Vec3d low_;
    double edge_;
    std::size_t size_[3];
    std::vector<std::uint8_t> cells_;
};

}  // namespace

std::size_t outer_first(const std::vector<Vec3f>& position, std::vector<std::size_t>& order) {
    constexpr double points_per_cell = 6, most_cells = 1 << 24;
    std::vector<Vec3f> ordered;
    ordered.reserve(order.size());
    for (const std::size_t i : order) ordered.push_back(position[i]);
    const Box box = box_around(ordered);
    const Vec3d extent = box.high - box.low;
    const double longest = std::max({extent.x, extent.y, extent.z});
    if (!(longest > 0) || order.size() < 1000) return order.size();
    // The crowd may fill any part of its box: the edge is corrected by what it really fills.
    double edge = longest / std::cbrt(double(order.size()) / points_per_cell);
    for (int pass = 0;; ++pass) {
        while (Occupancy::cells_for(box, edge) > most_cells) edge *= 1.26;
        Occupancy cells(box, edge);
        std::size_t filled = 0;
        for (const Vec3f& p : ordered) filled += cells.fill(cells.cell_of(p));
        const double crowding = double(order.size()) / double(filled);
        if (pass < 3 && crowding > 1.5 * points_per_cell &&
            Occupancy::cells_for(box, 0.7 * edge) < most_cells) {
            edge *= std::max(0.35, std::cbrt(points_per_cell / crowding));
            continue;
        }
        const auto inner = std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
            return !cells.surrounded(cells.cell_of(position[i]));
        });
        return static_cast<std::size_t>(inner - order.begin());
    }
}

SmallerMesh cluster_vertices(const std::vector<Vec3f>& layout,
                             const std::vector<std::array<std::uint32_t, 3>>& triangle,
                             const std::vector<std::array<std::uint32_t, 2>>& segment, std::size_t most) {
    std::vector<std::uint32_t> of(layout.size());
    for (std::size_t i = 0; i < of.size(); ++i) of[i] = static_cast<std::uint32_t>(i);
    const Box box = box_around(layout);
    std::size_t count = layout.size();
    for (double cells = 1024; count > most && cells >= 1; cells *= 0.75)
        of = representatives(layout, box, cells, count);
    SmallerMesh mesh;
    mesh.triangle = joined(triangle, layout, of);
    mesh.segment = joined(segment, layout, of);
    constexpr std::uint32_t unused = 0xffffffff;
    std::vector<std::uint32_t> place(layout.size(), unused);
    const auto number = [&](auto& elements) {
        for (auto& element : elements)
            for (std::uint32_t& v : element) {
                if (place[v] == unused) {
                    place[v] = static_cast<std::uint32_t>(mesh.vertex.size());
                    mesh.vertex.push_back(v);
                }
                v = place[v];
            }
    };
    number(mesh.triangle);
    number(mesh.segment);
    return mesh;
}

SmallerLines thin_lines(const std::vector<std::uint64_t>& start, const std::vector<std::uint64_t>& key,
                        std::size_t most, std::size_t least) {
    const std::size_t lines = start.size() - 1;
    const auto vertices = [&](std::size_t s) { return static_cast<std::size_t>(start[s + 1] - start[s]); };
    std::size_t stride = 0, total = 0, longest = 0;
    for (std::size_t s = 0; s < lines; ++s) longest = std::max(longest, vertices(s));
    do {
        ++stride;
        total = 0;
        for (std::size_t s = 0; s < lines; ++s) total += kept_of_line(vertices(s), stride, least);
    } while (total > most && stride < longest);
    const auto chosen = stable_subset(key, total > most ? lines * most / total : lines);
    SmallerLines out;
    out.start.push_back(0);
    for (const std::size_t s : chosen) {
        const std::size_t n = vertices(s), kept = kept_of_line(n, stride, least);
        if (out.vertex.size() + kept > most) break;
        for (std::size_t k = 0; k < kept; ++k)
            out.vertex.push_back(start[s] + (kept > 1 ? k * (n - 1) / (kept - 1) : 0));
        out.start.push_back(static_cast<std::uint32_t>(out.vertex.size()));
        out.line.push_back(static_cast<std::uint32_t>(s));
    }
    return out;
}

}  // namespace rivulet::viewer
