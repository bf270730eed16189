#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/contact/cones.h>

namespace rivulet::contact {

/// The sides of all contacts in the order of the nodes they touch: E and Eᵀ walk through memory from its
/// start to its end. Each side has a slot that holds its velocity or its impulse, world axes. Keeps memory
/// between calls, no truth.
class ConeSides {
 public:
    static constexpr std::uint32_t kNone = Cone::kNone;

    void prepare(std::span<const Cone> cones, const Answers& answers);
    /// From now on only the sides of the owners marked take part; empty: all, as after `prepare`.
    void attend(std::span<const std::uint8_t> owners);

    /// Where side k of a contact has its slot; kNone: a wall.
    std::uint32_t slot(std::size_t contact, std::size_t k) const { return slot_[2 * contact + k]; }
    Vec3d& operator[](std::uint32_t slot) { return value_[slot]; }
    const Vec3d& operator[](std::uint32_t slot) const { return value_[slot]; }

    /// Eᵀ: what the slots' impulses do to nodes. Every node of an owner that takes part is written; each adds
    /// its sides in their order: the same bits for any number of threads.
    void gather(std::span<Vec3d> impulse, std::span<double> angular_impulse) const;
    /// E: the slots get the velocities of their sides.
    void spread(std::span<const Vec3d> velocity, std::span<const double> turning);

    std::size_t memory() const;

 private:
    struct Side {
        std::uint32_t node[2], turn;
        double weight[2];
        Vec3d arm;
    };
    template <class F>
    void each_owner(F&& body) const;

    std::vector<Side> sides_;
    std::vector<Vec3d> value_;
    std::vector<std::uint32_t> slot_;                // per contact, two
    std::vector<std::uint32_t> next_;                // per node: where its next side goes
    std::vector<std::uint32_t> first_side_, first_;  // per owner: side, node; and the ends
    std::vector<std::uint32_t> attended_;            // owners that have sides and take part
};

}  // namespace rivulet::contact
