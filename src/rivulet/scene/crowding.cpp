#include <rivulet/scene/crowding.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>
#include <vector>

namespace rivulet::scene {
namespace {

/// Contacts of a vertex over the part of space that strands fill around it, and the most it has.
constexpr double kContactsPerFilled = 7, kMostContacts = 12;
/// Edge of the boxes in which that part is looked at, over the mean radius.
constexpr double kBox = 8;

/// A short piece of an edge.
struct Piece {
    Vec3i box;
    double share;   // of the edge
    double volume;  // with its film [m³]
    double alone;   // part of the box that the strand fills by itself, passing straight through
};

Vec3i box_of(const Vec3d& x, double edge) {
    return {int(std::floor(x.x / edge)), int(std::floor(x.y / edge)), int(std::floor(x.z / edge))};
}

/// Radii of the strands at their vertices, of wet ones as far as bridges reach: half the gap at which one
/// breaks, (1 + θ/2) √(2 area) between two alike, is about √area.
std::vector<double> joining_radii(const strand::StrandState& strands, const film::FilmState& film,
                                  bool joined) {
    std::vector<double> radius = strands.radius;
    if (!joined || film.size() != radius.size()) return radius;
    for (std::size_t v = 0; v < radius.size(); ++v) radius[v] += std::sqrt(film.area[v]);
    return radius;
}

std::vector<Piece> cut(const strand::StrandState& strands, const std::vector<double>& radius, double box) {
    std::vector<Piece> pieces;
    for (std::size_t s = 0; s < strands.strand_count(); ++s)
        for (std::size_t v = strands.begin(s); v + 1 < strands.end(s); ++v) {
            const double count = std::ceil(2 * strands.rest_length[v] / box);
            const double area = 0.25 * std::numbers::pi * std::pow(radius[v] + radius[v + 1], 2);
            for (double k = 0.5; k < count; ++k) {
                const Vec3d x =
                    strands.position[v] + k / count * (strands.position[v + 1] - strands.position[v]);
                pieces.push_back(
                    {box_of(x, box), 1 / count, strands.rest_length[v] / count * area, area / (box * box)});
            }
        }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        return std::tie(a.box.x, a.box.y, a.box.z) < std::tie(b.box.x, b.box.y, b.box.z);
    });
    return pieces;
}

}  // namespace

double contacts_expected(const strand::StrandState& strands, const film::FilmState& film,
                         const world::ContactModel& contact) {
    if (contact.law == world::ContactLaw::none || strands.vertex_count() == 0) return 0;
    const std::vector<double> radius =
        joining_radii(strands, film, contact.cohesion != world::Cohesion::none);
    const double mean = std::accumulate(radius.begin(), radius.end(), 0.0) / double(radius.size());
    const double box = kBox * mean;
    const std::vector<Piece> pieces = cut(strands, radius, box);
    double contacts = 0;
    for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
        double volume = 0;
        for (end = begin; end < pieces.size() && pieces[end].box == pieces[begin].box; ++end)
            volume += pieces[end].volume;
        for (std::size_t i = begin; i < end; ++i) {
            const double others = std::max(0.0, volume / (box * box * box) - pieces[i].alone);
            contacts += pieces[i].share * std::min(kContactsPerFilled * others, kMostContacts);
        }
    }
    return contacts;
}

}  // namespace rivulet::scene
