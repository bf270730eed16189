#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/contact/cones.h>

namespace rivulet::contact {

/// Contacts that act on each other, through the bodies they share: an island is solved whatever others do.
/// Of how far each is from its law, so that one which is done rests while others go on. Keeps memory between
/// calls, no truth.
class ConeIslands {
 public:
    /// Islands are numbered by their first contact; all are open.
    void find(std::span<const Cone> cones, std::size_t owners);
    std::size_t count() const { return islands_.size(); }
    bool is_open(std::size_t contact) const { return islands_[of_contact_[contact]].open; }
    /// Marks the owners of open islands; those without contacts never are.
    std::span<const std::uint8_t> open_owners() const { return open_owners_; }

    /// How far contacts are from the law: squares over all, and the largest velocity of one.
    struct Miss {
        double square = 0, scale = 0, worst = 0;
        double relative() const;
    };
    /// Before the contacts of open islands are looked at, and for each of them.
    void forget_open();
    void add(std::size_t contact, const Miss& miss);
    Miss all() const;
    /// Closes the islands that are within the bounds by themselves. Returns whether any was.
    bool close(double tolerance, double worst);
    void open_all();

    std::size_t memory() const;

 private:
    struct Island {
        Miss miss;
        bool open = true;
    };
    std::uint32_t root(std::uint32_t owner);
    void mark_owners();

    std::vector<Island> islands_;
    std::vector<std::uint32_t> of_contact_, of_owner_, parent_;
    std::vector<std::uint8_t> open_owners_;
};

}  // namespace rivulet::contact
