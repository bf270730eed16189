#include <rivulet/geometry/polygonise.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <rivulet/base/parallel.h>

namespace rivulet::geometry {
namespace {

constexpr double kCellsPerSegment = 1.5;  // cells along the longest side, for each edge around a circle
constexpr double kCellsPerThickness = 2.5;
constexpr double kMostCells = 192;  // along the longest side
constexpr int kHalvings = 10;       // of a lattice edge, to find where it is crossed
constexpr double kPull = 0.01;      // towards the mean of the crossings, where planes leave a choice
constexpr double kInset = 0.02;     // cells; vertices of neighbouring cells never coincide

/// Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2). An edge leaves corner `from` along an axis.
struct CellEdge {
    int from, axis;
    int to() const { return from | (1 << axis); }
};
constexpr std::array<CellEdge, 12> kEdges{
    {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {0, 1}, {1, 1}, {4, 1}, {5, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}}};

constexpr int edge_number(int a, int b) {
    for (int e = 0; e < 12; ++e) {
        const CellEdge edge = kEdges[static_cast<std::size_t>(e)];
        if ((edge.from == a && edge.to() == b) || (edge.from == b && edge.to() == a)) return e;
    }
    return -1;
}

/// Which piece of surface each crossed edge of a cell belongs to; -1 for the others.
using Pieces = std::array<int, 12>;

/// Edges of a face are joined in pairs; where all four are crossed, the two around each inner corner.
Pieces pieces_of(int inside) {
    const auto is_inside = [&](int corner) { return (inside >> corner & 1) != 0; };
    Pieces piece;
    for (std::size_t e = 0; e < 12; ++e)
        piece[e] = is_inside(kEdges[e].from) != is_inside(kEdges[e].to()) ? static_cast<int>(e) : -1;
    const auto join = [&](int a, int b) {
        const int from = piece[static_cast<std::size_t>(a)], to = piece[static_cast<std::size_t>(b)];
        if (from >= 0 && to >= 0)
            std::replace(piece.begin(), piece.end(), std::max(from, to), std::min(from, to));
    };
    for (int axis = 0; axis < 3; ++axis)
        for (int end = 0; end < 2; ++end) {
            const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = end << axis;
            const std::array<int, 4> corner{base, base + u, base + u + v, base + v};
            std::array<int, 4> edge{};
            int crossed = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                edge[k] = edge_number(corner[k], corner[(k + 1) % 4]);
                crossed += piece[static_cast<std::size_t>(edge[k])] >= 0;
            }
            for (std::size_t k = 0; k < 4; ++k)
                for (std::size_t l = k + 1; l < 4 && crossed == 2; ++l) join(edge[k], edge[l]);
            for (std::size_t k = 0; k < 4 && crossed == 4; ++k)
                if (is_inside(corner[k])) join(edge[(k + 3) % 4], edge[k]);
        }
    return piece;
}

class Polygoniser {
 public:
    Polygoniser(const DistanceField& field, const Bounds& box, double cell) : field_(field), cell_(cell) {
        origin_ = box.min - Vec3d{cell, cell, cell} * 1.5;
        for (int a = 0; a < 3; ++a) nodes_[a] = static_cast<int>(std::ceil(box.size()[a] / cell)) + 4;
    }

    TriangleMesh build() {
        find_inside();
        place_vertices();
        for (int k = 1; k + 1 < nodes_.z; ++k)
            for (int j = 1; j + 1 < nodes_.y; ++j)
                for (int i = 1; i + 1 < nodes_.x; ++i)
                    for (int axis = 0; axis < 3; ++axis) add_quad({i, j, k}, axis);
        return std::move(mesh_);
    }

 private:
    std::size_t index(const Vec3i& n) const {
        return static_cast<std::size_t>(n.x) +
               static_cast<std::size_t>(nodes_.x) *
                   (static_cast<std::size_t>(n.y) +
                    static_cast<std::size_t>(nodes_.y) * static_cast<std::size_t>(n.z));
    }
    Vec3d position(const Vec3i& n) const { return origin_ + to_double(n) * cell_; }
    static Vec3i corner_of(const Vec3i& n, int c) {
        return {n.x + (c & 1), n.y + (c >> 1 & 1), n.z + (c >> 2)};
    }

    /// Along a row, a node farther from the surface than the next few nodes speaks for them.
    void find_inside() {
        inside_.resize(index({0, 0, nodes_.z}));
        const auto rows = static_cast<std::size_t>(nodes_.y) * static_cast<std::size_t>(nodes_.z);
        parallel_for(rows, [&](std::size_t row) {
            const int j = static_cast<int>(row % static_cast<std::size_t>(nodes_.y)),
                      k = static_cast<int>(row / static_cast<std::size_t>(nodes_.y));
            for (int i = 0; i < nodes_.x;) {
                const double d = field_.distance(position({i, j, k}));
                const int alike = 1 + static_cast<int>(std::min(0.7 * std::abs(d) / cell_, double(nodes_.x)));
                for (int end = std::min(i + alike, nodes_.x); i < end; ++i) inside_[index({i, j, k})] = d < 0;
            }
        });
    }
    int inside_corners(const Vec3i& cell) const {
        int bits = 0;
        for (int c = 0; c < 8; ++c) bits |= inside_[index(corner_of(cell, c))] << c;
        return bits;
    }

    void place_vertices() {
        record_.assign(inside_.size(), -1);
        for (int k = 0; k + 1 < nodes_.z; ++k)
            for (int j = 0; j + 1 < nodes_.y; ++j)
                for (int i = 0; i + 1 < nodes_.x; ++i) {
                    const int inside = inside_corners({i, j, k});
                    if (inside == 0 || inside == 255) continue;
                    record_[index({i, j, k})] = static_cast<int>(vertices_.size());
                    vertices_.push_back(vertices_of({i, j, k}, pieces_of(inside)));
                }
    }
    /// The mesh vertex of each crossed edge.
    Pieces vertices_of(const Vec3i& cell, const Pieces& piece) {
        Pieces out;
        out.fill(-1);
        for (int p = 0; p < 12; ++p) {
            if (piece[static_cast<std::size_t>(p)] != p) continue;
            std::vector<DistanceSample> planes;
            std::vector<Vec3d> points;
            for (std::size_t e = 0; e < 12; ++e) {
                if (piece[e] != p) continue;
                out[e] = static_cast<int>(mesh_.positions.size());
                points.push_back(crossing(cell, kEdges[e]));
                planes.push_back(field_.sample(points.back()));
            }
            mesh_.positions.push_back(best_point(cell, points, planes));
        }
        return out;
    }
    Vec3d crossing(const Vec3i& cell, const CellEdge& edge) const {
        const Vec3i from = corner_of(cell, edge.from), to = corner_of(cell, edge.to());
        const bool from_inside = inside_[index(from)];
        Vec3d a = position(from), b = position(to);
        for (int i = 0; i < kHalvings; ++i) {
            const Vec3d middle = (a + b) * 0.5;
            ((field_.distance(middle) < 0) == from_inside ? a : b) = middle;
        }
        return (a + b) * 0.5;
    }
    /// Least squares of the distances to the planes.
    Vec3d best_point(const Vec3i& cell, const std::vector<Vec3d>& points,
                     const std::vector<DistanceSample>& planes) const {
        Vec3d mean;
        for (const Vec3d& p : points) mean += p / static_cast<double>(points.size());
        Mat3d matrix = Mat3d::diagonal({kPull, kPull, kPull});
        Vec3d right;
        for (std::size_t i = 0; i < points.size(); ++i) {
            matrix += outer(planes[i].normal, planes[i].normal);
            right += planes[i].normal * dot(planes[i].normal, points[i] - mean);
        }
        const Vec3d low = position(cell) + Vec3d{1, 1, 1} * (kInset * cell_),
                    high = position(cell) + Vec3d{1, 1, 1} * ((1 - kInset) * cell_);
        return component_min(component_max(mean + inverse(matrix) * right, low), high);
    }

    /// Around the lattice edge that leaves node n along an axis.
    void add_quad(const Vec3i& n, int axis) {
        Vec3i next = n;
        next[axis] += 1;
        if (next[axis] >= nodes_[axis] || inside_[index(n)] == inside_[index(next)]) return;
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::array<int, 4> corner{};
        constexpr std::array<std::array<int, 2>, 4> kAround{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
        for (std::size_t q = 0; q < 4; ++q) {
            Vec3i cell = n;
            cell[u] -= 1 - kAround[q][0], cell[v] -= 1 - kAround[q][1];
            // The edge as this cell sees it: at its far side where the cell lies before the node.
            const int from = (1 - kAround[q][0]) << u | (1 - kAround[q][1]) << v;
            const int edge = edge_number(from, from | 1 << axis);
            corner[q] =
                vertices_[static_cast<std::size_t>(record_[index(cell)])][static_cast<std::size_t>(edge)];
        }
        if (!inside_[index(n)]) std::swap(corner[1], corner[3]);
        const auto apart = [&](int a, int b) {
            return squared_length(mesh_.positions[static_cast<std::size_t>(a)] -
                                  mesh_.positions[static_cast<std::size_t>(b)]);
        };
        const std::size_t s = apart(corner[0], corner[2]) <= apart(corner[1], corner[3]) ? 0 : 1;
        mesh_.triangles.push_back({corner[s], corner[s + 1], corner[s + 2]});
        mesh_.triangles.push_back({corner[s], corner[s + 2], corner[(s + 3) % 4]});
    }

    const DistanceField& field_;
    double cell_;
    Vec3d origin_;
    Vec3i nodes_;
    std::vector<char> inside_;  // not bool: written in parallel
    std::vector<int> record_;   // of each cell, into vertices_
    std::vector<Pieces> vertices_;
    TriangleMesh mesh_;
};

}  // namespace

TriangleMesh polygonise(const DistanceField& field, const Fineness& fineness) {
    const Bounds whole = field.bounds(), shown = Bounds{{}, {}}.grown(fineness.plane_extent);
    const Bounds box = whole.is_finite()
                           ? whole
                           : Bounds{component_max(whole.min, shown.min), component_min(whole.max, shown.max)};
    if (box.is_empty()) return {};
    const Vec3d size = box.size();
    const double longest = std::max({size.x, size.y, size.z});
    const double fine =
        std::min(longest / (kCellsPerSegment * fineness.segments), field.thinnest() / kCellsPerThickness);
    return Polygoniser(field, box, std::max(fine, longest / kMostCells)).build();
}

}  // namespace rivulet::geometry
