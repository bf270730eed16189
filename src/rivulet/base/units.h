#pragma once

#include <array>
#include <string>
#include <string_view>

#include <rivulet/base/error.h>
#include <rivulet/base/vec3.h>

namespace rivulet {

/// Exponents of the base units. They may be fractional ("Pa*s^0.52"). An angle and an amount of data count
/// as dimensions, so that 45 cannot stand for "45 deg".
struct Dimension {
    enum Base { metre, kilogram, second, kelvin, radian, byte, kBases };
    std::array<double, kBases> exponent{};

    bool is_number() const;
    Dimension operator*(const Dimension& other) const;
    Dimension power(double p) const;
};

/// Equal exponents, up to the last digits of a fractional one.
bool same(const Dimension& a, const Dimension& b);

/// "pressure", "length", "plain number"; for what has no name, its unit: "kg*m^2".
std::string name_of(const Dimension& dimension);
/// With its article, for messages: "a pressure", "an angle".
std::string a_name_of(const Dimension& dimension);
/// The SI unit, as the parser reads it: "Pa", "kg/m^3"; "" for a plain number.
std::string si_unit(const Dimension& dimension);

/// A text that is no quantity; what() says why.
class UnitError : public Error {
 public:
    using Error::Error;
};

template <class T>
struct QuantityOf {
    T value{};  // SI
    Dimension dimension;
    bool has_unit = false;
};
using Quantity = QuantityOf<double>;
using VectorQuantity = QuantityOf<Vec3d>;

/// "8.9 mPa*s", "6.5 Pa*s^0.52", "40 deg", "12 f". Frames (`f`) last 1/fps seconds. A value in a unit that
/// differs from SI by a power of ten is the double nearest to the written decimal: "0.5 mm" is 5e-4 exactly.
/// Throws UnitError; every value returned is finite.
Quantity parse_quantity(std::string_view text, double fps = 24);
/// "0, 12, 0 cm": three numbers, one unit.
VectorQuantity parse_vector(std::string_view text, double fps = 24);
/// "4, 2.5 cm": two numbers, one unit; the third is 0.
VectorQuantity parse_pair(std::string_view text, double fps = 24);
/// The dimension of "Pa*s^0.5"; "" is a plain number. Throws UnitError.
Dimension parse_unit(std::string_view text);

/// Shortest decimal that reads back as the same double. Independent of the locale.
std::string shortest(double value);

}  // namespace rivulet
