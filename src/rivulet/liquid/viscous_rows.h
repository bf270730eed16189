#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rivulet/linear/aligned.h>
#include <rivulet/liquid/viscous_operator.h>

namespace rivulet::liquid {

/// The rows of M + ΔtK for the unknown faces alone: a thread of honey fills one in eight of the
/// faces of its blocks. Vectors hold the unknown faces of the x, then y, then z component, each in the order
/// of blocks and cells. A product reads a row at a time: the same for any number of threads.
class ViscousRows {
 public:
    void build(const ViscousOperator& viscous);

    std::size_t size() const { return place_.size(); }
    /// First unknown of a component; of the component behind the last: size().
    std::size_t first(std::size_t axis) const { return first_[axis]; }
    /// Where each unknown lies in the vectors of the operator: axis·cells + face.
    std::span<const std::size_t> places() const { return place_; }

    /// Of the row of a face, by its place; 0: not an unknown.
    double diagonal_at(std::size_t place) const {
        const std::int32_t i = unknown_[place];
        return i < 0 ? 0.0 : diagonal_[std::size_t(i)];
    }
    double diagonal(std::size_t unknown) const { return diagonal_[unknown]; }

    /// out ← (M + ΔtK) x.
    void apply(std::span<const double> x, std::span<double> out) const;
    /// z ← r / diagonal.
    void precondition(std::span<const double> r, std::span<double> z) const;

 private:
    std::array<std::size_t, 4> first_{};
    std::vector<std::size_t> place_;
    std::vector<std::int32_t> unknown_;  // by place; −1: not an unknown
    std::vector<std::uint8_t> count_;    // entries of each row, of Row::kMost places
    std::vector<std::int32_t> column_;
    linear::AlignedVector<double> value_, diagonal_;
};

}  // namespace rivulet::liquid
