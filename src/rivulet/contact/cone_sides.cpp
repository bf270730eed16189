#include <rivulet/contact/cone_sides.h>

#include <algorithm>
#include <cassert>

#include <rivulet/base/parallel.h>

namespace rivulet::contact {
namespace {

constexpr std::size_t kOwners = 8;  // that a thread takes at once

}  // namespace

template <class F>
void ConeSides::each_owner(F&& body) const {
    parallel_chunks(attended_.size(), kOwners, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) body(std::size_t(attended_[k]));
    });
}

void ConeSides::attend(std::span<const std::uint8_t> owners) {
    attended_.clear();
    for (std::uint32_t o = 0; o + 1 < first_side_.size(); ++o)
        if ((owners.empty() || owners[o]) && first_side_[o] < first_side_[o + 1]) attended_.push_back(o);
}

void ConeSides::prepare(std::span<const Cone> cones, const Answers& answers) {
    assert(cones.size() < (std::size_t{1} << 31));
    const std::size_t owners = answers.owners(), nodes = answers.nodes();
    first_.resize(owners + 1), first_side_.resize(owners + 1);
    for (std::size_t o = 0; o <= owners; ++o) first_[o] = static_cast<std::uint32_t>(answers.first_node(o));
    // A side stands where its lowest node does; those of one node in the order of their contacts.
    const auto side_of = [&](std::size_t i, std::size_t k) {
        const Cone& c = cones[i];
        Side side{
            {c.node[2 * k], c.node[2 * k + 1]}, c.turn[k], {c.weight[2 * k], c.weight[2 * k + 1]}, c.arm[k]};
        // What is not there counts for nothing at the owner's first node.
        const std::uint32_t somewhere = first_[c.owner[k]];
        for (int e = 0; e < 2; ++e)
            if (side.node[e] == kNone) side.node[e] = somewhere, side.weight[e] = 0;
        if (side.turn == kNone) side.turn = somewhere, side.arm = {};
        return side;
    };
    std::vector<std::uint32_t>& start = next_;
    start.assign(nodes + 1, 0);
    const auto place = [](const Side& s) { return std::min(s.node[0], s.node[1]); };
    for (std::size_t i = 0; i < cones.size(); ++i)
        for (std::size_t k = 0; k < 2; ++k)
            if (cones[i].owner[k] != kNone) ++start[place(side_of(i, k)) + 1];
    for (std::size_t n = 0; n < nodes; ++n) start[n + 1] += start[n];
    sides_.resize(start[nodes]), value_.resize(start[nodes]);
    slot_.assign(2 * cones.size(), kNone);
    for (std::size_t o = 0; o <= owners; ++o) first_side_[o] = start[first_[o]];
    for (std::size_t i = 0; i < cones.size(); ++i)
        for (std::size_t k = 0; k < 2; ++k) {
            if (cones[i].owner[k] == kNone) continue;
            const Side side = side_of(i, k);
            const std::uint32_t at = start[place(side)]++;
            sides_[at] = side, slot_[2 * i + k] = at;
        }
    attend({});
}

void ConeSides::gather(std::span<Vec3d> impulse, std::span<double> angular_impulse) const {
    each_owner([&](std::size_t o) {
        std::fill(impulse.begin() + first_[o], impulse.begin() + first_[o + 1], Vec3d{});
        std::fill(angular_impulse.begin() + first_[o], angular_impulse.begin() + first_[o + 1], 0.0);
        for (std::uint32_t k = first_side_[o]; k < first_side_[o + 1]; ++k) {
            const Side& s = sides_[k];
            const Vec3d r = value_[k];
            impulse[s.node[0]] += s.weight[0] * r, impulse[s.node[1]] += s.weight[1] * r;
            angular_impulse[s.turn] += dot(s.arm, r);
        }
    });
}

void ConeSides::spread(std::span<const Vec3d> velocity, std::span<const double> turning) {
    each_owner([&](std::size_t o) {
        for (std::uint32_t k = first_side_[o]; k < first_side_[o + 1]; ++k) {
            const Side& s = sides_[k];
            value_[k] = s.weight[0] * velocity[s.node[0]] + s.weight[1] * velocity[s.node[1]] +
                        turning[s.turn] * s.arm;
        }
    });
}

std::size_t ConeSides::memory() const {
    return sides_.capacity() * sizeof(Side) + value_.capacity() * sizeof(Vec3d) +
           (slot_.capacity() + next_.capacity() + first_side_.capacity() + first_.capacity() +
            attended_.capacity()) *
               sizeof(std::uint32_t);
}

}  // namespace rivulet::contact
