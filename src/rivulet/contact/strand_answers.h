#pragma once

#include <cstdint>
#include <vector>

#include <rivulet/contact/cones.h>
#include <rivulet/strand/bedding.h>
#include <rivulet/strand/mobility.h>
#include <rivulet/strand/state.h>

namespace rivulet::contact {

/// Strands as the cone solver sees them: a node is a vertex, its turning rate that of the edge after it, an
/// owner is a strand. A view: the mobility has been filled by the solve of this state, and its band inverted.
///
/// Side k of a cone (owner k) touches node[2k] and node[2k + 1], ends of one edge of the strand or one vertex
/// alone, and turn[k], the first vertex of an edge that has those.
class StrandAnswers final : public Answers {
 public:
    /// What answering takes up: kept by who asks often.
    struct Memory {
        strand::Bedding bedding;
        std::vector<strand::SurfaceSpring> springs;
        std::vector<std::uint8_t> touched;
        bool prepared = false;
    };

    StrandAnswers(const strand::StrandState& state, const strand::Mobility& mobility, Memory& memory)
        : state_(&state), mobility_(&mobility), memory_(&memory) {
        memory.prepared = false;
    }

    std::size_t nodes() const override { return state_->vertex_count(); }
    std::size_t owners() const override { return state_->strand_count(); }
    std::size_t first_node(std::size_t owner) const override { return state_->begin(owner); }

    void apply(std::span<const Vec3d> impulse, std::span<const double> angular_impulse,
               std::span<Vec3d> velocity, std::span<double> turning,
               std::span<const std::uint8_t> only) const override {
        mobility_->apply(impulse, angular_impulse, velocity, turning, only);
    }
    /// The two sides. Of a strand that touches itself, what one side answers to the other is left out.
    Mat3d own(const Cone& cone) const override;

    void bed(std::span<const Cone> cones, std::span<const double> along,
             std::span<const double> across) const override;
    void solve_bedded(std::span<Vec3d> velocity, std::span<double> turning,
                      std::span<const std::uint8_t> only) const override {
        memory_->bedding.solve(velocity, turning, only);
    }

 private:
    const strand::StrandState* state_;
    const strand::Mobility* mobility_;
    Memory* memory_;
};

}  // namespace rivulet::contact
