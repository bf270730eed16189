#pragma once

#include <cstddef>
#include <span>

namespace rivulet::liquid {

/// An extra term T p of the pressure equation, symmetric and never negative: how something that touches the
/// liquid yields to its pressure, as divergence in the touched cells [1/s]. (What it does by itself, without
/// pressure, belongs to the right-hand side.) Vectors have one entry per touched cell, in the order of
/// `cells`.
class PressureTerm {
 public:
    virtual ~PressureTerm() = default;

    /// Cells of the grid, each once. Those without a pressure read 0 and take nothing.
    virtual std::span<const std::size_t> cells() const = 0;
    /// out ← T p.
    virtual void product(std::span<const double> p, std::span<double> out) const = 0;

    /// Directions in which the term is far stronger than the pressure's own matrix: those are taken out of
    /// the iteration and solved directly.
    virtual std::size_t modes() const { return 0; }
    virtual void mode(std::size_t number, std::span<double> out) const {
        static_cast<void>(number), static_cast<void>(out);
    }

    /// Whether a pressure that is constant over a closed pocket makes it yield: such a pocket has a level,
    /// and its walls may move.
    virtual bool fixes_level() const = 0;
};

}  // namespace rivulet::liquid
