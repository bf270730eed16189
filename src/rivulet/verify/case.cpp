#include <rivulet/verify/case.h>

#include <cmath>

namespace rivulet::verify {

bool Quantity::passed() const {
    if (!std::isfinite(value)) return false;
    if (order_least && !(order && *order >= *order_least)) return false;
    switch (kind) {
        case Kind::relative:
            return std::abs(value - reference) <= tolerance * std::abs(reference);
        case Kind::absolute:
            return std::abs(value - reference) <= tolerance;
        case Kind::at_most:
            return value <= reference;
        case Kind::at_least:
            return value >= reference;
    }
    return false;
}

}  // namespace rivulet::verify
