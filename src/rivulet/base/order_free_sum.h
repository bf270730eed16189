#pragma once

#include <cmath>

namespace rivulet {

/// Sums that do not depend on the order of their terms, to the bit. A term is cut into a multiple of a coarse
/// step, one of a fine step, and a rest that is dropped; sums of multiples of one step are exact in any
/// order.
///
/// The steps are 2^-38 and 2^-76 of a bound on the terms' size, which must be known before; exact for up to
/// 2^14 terms. What is dropped of a term is below 2^-77 of the bound.
class OrderFreeScale {
 public:
    OrderFreeScale() = default;
    /// `largest`: no term is larger in size.
    explicit OrderFreeScale(double largest) {
        if (!(largest > 0)) return;
        // NOTE: adding 1.5 * 2^52 steps leaves a double no bits below a step.
        const int exponent = std::ilogb(largest) + 1;
        coarse_ = std::ldexp(1.5, 52 - 38 + exponent);
        fine_ = std::ldexp(1.5, 52 - 76 + exponent);
    }
    double coarse(double x) const { return (x + coarse_) - coarse_; }
    double fine(double rest) const { return (rest + fine_) - fine_; }

 private:
    double coarse_ = 0, fine_ = 0;
};

struct OrderFreeSum {
    double high = 0, low = 0;
    void add(const OrderFreeScale& scale, double x) {
        const double coarse = scale.coarse(x);
        high += coarse;
        low += scale.fine(x - coarse);
    }
    double value() const { return high + low; }
};

}  // namespace rivulet
