#include <rivulet/geometry/coated_radius.h>
#include <rivulet/surface/film_tubes.h>

#include <array>
#include <cmath>
#include <numbers>

namespace rivulet::surface {
namespace {

constexpr int kSides = 6;
/// Rings that differ less than this, of their sum, are joined straight: it costs below 0.1 % of the volume.
constexpr double kEvenRings = 0.02;
/// Films thinner than this are invisible, m.
constexpr double kThinnestFilm = 2e-7;

Vec3f narrow(const Vec3d& v) {
    return {float(v.x), float(v.y), float(v.z)};
}

bool is_usable(const Films& f, std::size_t v) {
    return is_finite(f.position[v]) && std::isfinite(f.film_area[v]) && f.radius[v] >= 0 &&
           std::isfinite(f.radius[v]);
}

bool is_wet(const Films& f, std::size_t v) {
    return geometry::coated_radius(f.radius[v], f.film_area[v]) - f.radius[v] > kThinnestFilm;
}

/// Builds one tube ring by ring.
class TubeBuilder {
 public:
    TubeBuilder(const Films& films, std::size_t liquids, SurfaceMesh& mesh)
        : films_(films), liquids_(liquids), mesh_(mesh) {}

    void begin(std::size_t vertex, double radius, const Vec3d& direction) {
        side_ = any_perpendicular(direction);
        add_centre(vertex);
        const int centre = last();
        add_ring(vertex, 0, radius, direction);
        for (int k = 0; k < kSides; ++k) mesh_.triangle.push_back({centre, ring_ + next(k), ring_ + k});
    }
    /// On to a ring `along` (0 .. 1] of the way from the vertex to the next.
    void extend(std::size_t vertex, double along, double radius, const Vec3d& direction) {
        const int before = ring_;
        add_ring(vertex, along, radius, direction);
        for (int k = 0; k < kSides; ++k) {
            mesh_.triangle.push_back({before + k, before + next(k), ring_ + next(k)});
            mesh_.triangle.push_back({before + k, ring_ + next(k), ring_ + k});
        }
    }
    void end(std::size_t vertex) {
        add_centre(vertex);
        const int centre = last();
        for (int k = 0; k < kSides; ++k) mesh_.triangle.push_back({centre, ring_ + k, ring_ + next(k)});
    }

 private:
    const Films& films_;
    std::size_t liquids_;
    SurfaceMesh& mesh_;
    Vec3d side_;
    int ring_ = 0;

    static int next(int k) { return (k + 1) % kSides; }
    int last() const { return int(mesh_.position.size()) - 1; }

    static Vec3d between(const std::vector<Vec3d>& values, std::size_t vertex, double along) {
        return along > 0 ? values[vertex] * (1 - along) + values[vertex + 1] * along : values[vertex];
    }
    void add_point(std::size_t vertex, double along, const Vec3d& offset) {
        mesh_.position.push_back(narrow(between(films_.position, vertex, along) + offset));
        mesh_.velocity.push_back(films_.velocity.empty() ? Vec3f{}
                                                         : narrow(between(films_.velocity, vertex, along)));
        for (std::size_t l = 0; liquids_ > 1 && l < liquids_; ++l) {
            const float here = film_share(films_, vertex, l, liquids_);
            const float there = along > 0 ? film_share(films_, vertex + 1, l, liquids_) : here;
            mesh_.material_weight.push_back(here + (there - here) * float(along));
        }
    }
    void add_centre(std::size_t vertex) { add_point(vertex, 0, {}); }
    void add_ring(std::size_t vertex, double along, double radius, const Vec3d& direction) {
        side_ = normalized_or(side_ - direction * dot(side_, direction), any_perpendicular(direction));
        const Vec3d across = cross(direction, side_);
        // A hexagon with the area of the circle: (n / 2) sin(2 pi / n) q^2 = pi r^2.
        const double step = 2 * std::numbers::pi / kSides;
        const double q = radius * std::sqrt(2 * std::numbers::pi / (kSides * std::sin(step)));
        ring_ = int(mesh_.position.size());
        for (int k = 0; k < kSides; ++k)
            add_point(vertex, along, (side_ * std::cos(step * k) + across * std::sin(step * k)) * q);
    }
};

Vec3d edge_direction(const Films& f, std::size_t v) {
    return normalized_or(f.position[v + 1] - f.position[v], {0, 1, 0});
}

}  // namespace

double middle_radius(double a, double b) {
    const double sum = a + b;
    return 0.25 * (std::sqrt(sum * sum + 16 * (a * a + b * b)) - sum);
}

std::vector<WetEdge> wet_edges(const Films& films) {
    std::vector<WetEdge> edges;
    for (std::size_t k = 0; k + 1 < films.start.size(); ++k)
        for (auto v = std::size_t(films.start[k]); v + 1 < std::size_t(films.start[k + 1]); ++v) {
            if (!is_usable(films, v) || !is_usable(films, v + 1)) continue;
            if (!is_wet(films, v) && !is_wet(films, v + 1)) continue;
            const double l = length(films.position[v + 1] - films.position[v]);
            const double ra = films.radius[v], rb = films.radius[v + 1];
            const double a = std::max(films.film_area[v], 0.0), b = std::max(films.film_area[v + 1], 0.0);
            edges.push_back({v, geometry::coated_radius(ra, a), geometry::coated_radius(rb, b),
                             0.5 * (a + b) * l, 0.5 * std::numbers::pi * (ra * ra + rb * rb) * l});
        }
    return edges;
}

float film_share(const Films& films, std::size_t vertex, std::size_t liquid, std::size_t liquids) {
    float sum = 0, mine = 0;
    for (std::size_t l = 0; l < liquids && !films.share.empty(); ++l) {
        const float value = films.share[vertex * liquids + l];
        if (!(value > 0) || !std::isfinite(value)) continue;
        sum += value;
        if (l == liquid) mine = value;
    }
    return sum > 0 ? mine / sum : liquid == 0 ? 1.0f : 0.0f;
}

void append_fine_tubes(const Films& films, const std::vector<WetEdge>& edges, std::size_t liquids,
                       const std::function<bool(const WetEdge&)>& is_fine, SurfaceMesh& mesh) {
    TubeBuilder tube(films, liquids, mesh);
    std::vector<char> is_start(films.position.size() + 1, 0);
    for (const std::int64_t s : films.start) is_start[std::size_t(s)] = 1;
    bool open = false;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const std::size_t v = edges[e].vertex;
        if (!is_fine(edges[e])) continue;
        const Vec3d here = edge_direction(films, v);
        if (!open) tube.begin(v, edges[e].outer_a, here);
        const bool follows =
            e + 1 < edges.size() && edges[e + 1].vertex == v + 1 && !is_start[v + 1] && is_fine(edges[e + 1]);
        const Vec3d bend = follows ? normalized_or(here + edge_direction(films, v + 1), here) : here;
        const double a = edges[e].outer_a, b = edges[e].outer_b;
        if (std::abs(a - b) > kEvenRings * (a + b)) tube.extend(v, 0.5, middle_radius(a, b), here);
        tube.extend(v, 1, b, bend);
        open = follows;
        if (!open) tube.end(v + 1);
    }
}

void append_drop(const Vec3d& centre, const Vec3d& velocity, std::span<const float> share, double volume,
                 SurfaceMesh& mesh) {
    // Octahedron with its edges halved: 6 corners, 12 middles, 32 triangles.
    static constexpr int corners[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                          {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    constexpr double kVolumeOfUnit = 2.942809041582063;  // of that body with vertices on the unit sphere
    const double radius = std::cbrt(volume / kVolumeOfUnit);
    std::array<std::array<int, 6>, 6> middle{};
    const auto add = [&](const Vec3d& d) {
        mesh.position.push_back(narrow(centre + normalized(d) * radius));
        mesh.velocity.push_back(narrow(velocity));
        mesh.material_weight.insert(mesh.material_weight.end(), share.begin(), share.end());
        return int(mesh.position.size()) - 1;
    };
    const auto direction = [](int c) {
        return Vec3d{double(corners[c][0]), double(corners[c][1]), double(corners[c][2])};
    };
    std::array<int, 6> corner{};
    for (int c = 0; c < 6; ++c) corner[std::size_t(c)] = add(direction(c));
    for (int a = 0; a < 6; ++a)
        for (int b = a + 1; b < 6; ++b)
            if (a / 2 != b / 2)
                middle[std::size_t(a)][std::size_t(b)] = middle[std::size_t(b)][std::size_t(a)] =
                    add(direction(a) + direction(b));
    for (int face = 0; face < 8; ++face) {
        const std::size_t x = face & 1 ? 1 : 0, y = face & 2 ? 3 : 2, z = face & 4 ? 5 : 4;
        const bool mirrored = ((face & 1) + (face >> 1 & 1) + (face >> 2 & 1)) % 2 == 1;
        const auto triangle = [&](int a, int b, int c) {
            mesh.triangle.push_back(mirrored ? Vec3i{a, c, b} : Vec3i{a, b, c});
        };
        triangle(corner[x], middle[x][y], middle[x][z]);
        triangle(corner[y], middle[y][z], middle[x][y]);
        triangle(corner[z], middle[x][z], middle[y][z]);
        triangle(middle[x][y], middle[y][z], middle[x][z]);
    }
}

}  // namespace rivulet::surface
