// rooms: base
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <rivulet/base/units.h>

using namespace rivulet;

/// A finite quantity that survives being written in SI, or a UnitError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Quantity q = parse_quantity(text);
        if (!std::isfinite(q.value)) __builtin_trap();
        const Quantity again = parse_quantity(shortest(q.value) + " " + si_unit(q.dimension));
        if (again.value != q.value || !same(again.dimension, q.dimension)) __builtin_trap();
    } catch (const UnitError&) {
    }
    try {
        const VectorQuantity v = parse_vector(text, 30);
        if (!is_finite(v.value)) __builtin_trap();
    } catch (const UnitError&) {
    }
    return 0;
}
