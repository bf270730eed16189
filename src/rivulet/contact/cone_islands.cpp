#include <rivulet/contact/cone_islands.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rivulet::contact {

double ConeIslands::Miss::relative() const {
    return scale > 0 ? std::sqrt(square / scale) : 0;
}

std::uint32_t ConeIslands::root(std::uint32_t owner) {
    while (parent_[owner] != owner) owner = parent_[owner] = parent_[parent_[owner]];
    return owner;
}

void ConeIslands::find(std::span<const Cone> cones, std::size_t owners) {
    parent_.resize(owners);
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (const Cone& c : cones)
        if (c.owner[0] != Cone::kNone && c.owner[1] != Cone::kNone) {
            const std::uint32_t a = root(c.owner[0]), b = root(c.owner[1]);
            parent_[std::max(a, b)] = std::min(a, b);
        }
    islands_.clear();
    of_owner_.assign(owners, Cone::kNone);
    of_contact_.resize(cones.size());
    for (std::size_t i = 0; i < cones.size(); ++i) {
        const auto& owner = cones[i].owner;
        std::uint32_t& island = of_owner_[root(owner[0] != Cone::kNone ? owner[0] : owner[1])];
        if (island == Cone::kNone)
            island = static_cast<std::uint32_t>(islands_.size()), islands_.emplace_back();
        of_contact_[i] = island;
    }
    // What stands with the first owner of an island holds for all that contacts touch.
    for (std::size_t i = 0; i < cones.size(); ++i)
        for (const std::uint32_t owner : cones[i].owner)
            if (owner != Cone::kNone) of_owner_[owner] = of_contact_[i];
    mark_owners();
}

void ConeIslands::mark_owners() {
    open_owners_.resize(of_owner_.size());
    for (std::size_t o = 0; o < of_owner_.size(); ++o)
        open_owners_[o] = of_owner_[o] != Cone::kNone && islands_[of_owner_[o]].open;
}

void ConeIslands::forget_open() {
    for (Island& island : islands_)
        if (island.open) island.miss = {};
}

void ConeIslands::add(std::size_t contact, const Miss& miss) {
    Miss& sum = islands_[of_contact_[contact]].miss;
    sum.square += miss.square, sum.scale += miss.scale;
    sum.worst = std::max(sum.worst, miss.worst);
}

ConeIslands::Miss ConeIslands::all() const {
    Miss sum;
    for (const Island& island : islands_) {
        sum.square += island.miss.square, sum.scale += island.miss.scale;
        sum.worst = std::max(sum.worst, island.miss.worst);
    }
    return sum;
}

bool ConeIslands::close(double tolerance, double worst) {
    bool any = false;
    for (Island& island : islands_) {
        if (!island.open || island.miss.relative() > tolerance || island.miss.worst > worst) continue;
        island.open = false, any = true;
    }
    if (any) mark_owners();
    return any;
}

void ConeIslands::open_all() {
    for (Island& island : islands_) island.open = true;
    mark_owners();
}

std::size_t ConeIslands::memory() const {
    return islands_.capacity() * sizeof(Island) + open_owners_.capacity() +
           (of_contact_.capacity() + of_owner_.capacity() + parent_.capacity()) * sizeof(std::uint32_t);
}

}  // namespace rivulet::contact
