#include <rivulet/contact/repeats.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <rivulet/base/parallel.h>

namespace rivulet::contact {
namespace {

constexpr double kSamePlace = 0.02;   // of an edge
constexpr double kSameWay = 0.999;    // cosine between normals
constexpr std::size_t kGrain = 1024;  // contacts

/// The same place on the same strands. Edges count along their owner.
bool is_same(const EdgeList& edges, const Contact& c, const Contact& d) {
    const auto apart = [&](std::uint32_t e, double place, std::uint32_t f, double other) {
        return std::abs((double(edges.index[e]) + place) - (double(edges.index[f]) + other));
    };
    return c.owner_a == d.owner_a && c.owner_b == d.owner_b && dot(c.normal, d.normal) > kSameWay &&
           apart(c.edge_a, c.place_a, d.edge_a, d.place_a) < kSamePlace &&
           apart(c.edge_b, c.place_b, d.edge_b, d.place_b) < kSamePlace;
}

/// Whether one of the contacts before i, on the same edges or their neighbours, is the same.
bool repeats(const EdgeList& edges, const std::vector<Contact>& contacts, std::size_t i) {
    const Contact& c = contacts[i];
    const auto before = [](const Contact& d, const std::tuple<std::uint32_t, ContactKind, std::uint32_t>& k) {
        return std::tuple(d.edge_a, d.kind, d.edge_b) < k;
    };
    const std::uint32_t first = c.place_a < kSamePlace && c.edge_a > 0 ? c.edge_a - 1 : c.edge_a;
    for (std::uint32_t a = first; a <= c.edge_a; ++a) {
        const auto key = std::tuple(a, ContactKind::edge_edge, c.edge_b > 0 ? c.edge_b - 1 : 0u);
        auto d = std::lower_bound(contacts.begin(), contacts.begin() + std::ptrdiff_t(i), key, before);
        for (; d != contacts.begin() + std::ptrdiff_t(i) && d->edge_a == a &&
               d->kind == ContactKind::edge_edge && d->edge_b <= c.edge_b + 1;
             ++d)
            if (is_same(edges, c, *d)) return true;
    }
    return false;
}

}  // namespace

void mark_repeats(const EdgeList& edges, std::vector<Contact>& contacts) {
    parallel_chunks(contacts.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            contacts[i].repeats = contacts[i].kind == ContactKind::edge_edge && repeats(edges, contacts, i);
    });
}

}  // namespace rivulet::contact
