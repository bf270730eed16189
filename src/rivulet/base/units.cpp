#include <rivulet/base/units.h>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <system_error>

namespace rivulet {
namespace {

constexpr double kSameExponent = 1e-9;
constexpr std::size_t kLongestText = 1024;
constexpr double kLargestPower = 64;

constexpr Dimension dim(double m, double kg, double s, double kelvin = 0, double rad = 0, double byte = 0) {
    return {{m, kg, s, kelvin, rad, byte}};
}

constexpr Dimension kNumber = dim(0, 0, 0), kLength = dim(1, 0, 0), kMass = dim(0, 1, 0),
                    kTime = dim(0, 0, 1), kForce = dim(1, 1, -2), kPressure = dim(-1, 1, -2),
                    kEnergy = dim(2, 1, -2), kAngle = dim(0, 0, 0, 0, 1), kData = dim(0, 0, 0, 0, 0, 1);

struct NamedDimension {
    std::string_view name, unit;
    Dimension dimension;
};

constexpr NamedDimension kNamedDimensions[] = {
    {"plain number", "", kNumber},
    {"length", "m", kLength},
    {"area", "m^2", dim(2, 0, 0)},
    {"volume", "m^3", dim(3, 0, 0)},
    {"mass", "kg", kMass},
    {"time", "s", kTime},
    {"temperature", "K", dim(0, 0, 0, 1)},
    {"angle", "rad", kAngle},
    {"amount of data", "B", kData},
    {"velocity", "m/s", dim(1, 0, -1)},
    {"acceleration", "m/s^2", dim(1, 0, -2)},
    {"angular velocity", "rad/s", dim(0, 0, -1, 0, 1)},
    {"frequency", "1/s", dim(0, 0, -1)},
    {"inverse length", "1/m", dim(-1, 0, 0)},
    {"force", "N", kForce},
    {"pressure", "Pa", kPressure},
    {"energy", "J", kEnergy},
    {"power", "W", dim(2, 1, -3)},
    {"density", "kg/m^3", dim(-3, 1, 0)},
    {"mass per area", "kg/m^2", dim(-2, 1, 0)},
    {"mass per length", "kg/m", dim(-1, 1, 0)},
    {"dynamic viscosity", "Pa*s", dim(-1, 1, -1)},
    {"kinematic viscosity", "m^2/s", dim(2, 0, -1)},
    {"surface tension", "N/m", dim(0, 1, -2)},
    {"volume flow", "m^3/s", dim(3, 0, -1)},
    {"bending stiffness", "N*m^2", dim(3, 1, -2)},
};

/// A unit is (numerator / denominator) * 10^decimal in SI.
struct Scale {
    double numerator = 1, denominator = 1, decimal = 0;
};

struct UnitEntry {
    std::string_view name;
    Scale scale;
    Dimension dimension;
    bool takes_prefix;
};

constexpr double kPi = std::numbers::pi;
constexpr double kPound = 0.45359237, kGravity = 9.80665, kInch = 2.54;

constexpr UnitEntry kUnits[] = {
    {"m", {1, 1, 0}, kLength, true},
    {"g", {1, 1, -3}, kMass, true},
    {"s", {1, 1, 0}, kTime, true},
    {"K", {1, 1, 0}, dim(0, 0, 0, 1), true},
    {"rad", {1, 1, 0}, kAngle, true},
    {"B", {1, 1, 0}, kData, true},
    {"N", {1, 1, 0}, kForce, true},
    {"Pa", {1, 1, 0}, kPressure, true},
    {"J", {1, 1, 0}, kEnergy, true},
    {"W", {1, 1, 0}, dim(2, 1, -3), true},
    {"Hz", {1, 1, 0}, dim(0, 0, -1), true},
    {"L", {1, 1, -3}, dim(3, 0, 0), true},
    {"l", {1, 1, -3}, dim(3, 0, 0), true},
    {"bar", {1, 1, 5}, kPressure, true},
    {"dyn", {1, 1, -5}, kForce, true},
    {"Ba", {1, 1, -1}, kPressure, true},
    {"P", {1, 1, -1}, dim(-1, 1, -1), true},
    {"erg", {1, 1, -7}, kEnergy, true},
    {"St", {1, 1, -4}, dim(2, 0, -1), true},
    {"in", {kInch, 1, -2}, kLength, false},
    {"ft", {kInch * 12, 1, -2}, kLength, false},
    {"lb", {kPound, 1, 0}, kMass, false},
    {"psi", {kPound * kGravity, kInch* kInch, 4}, kPressure, false},
    {"rpm", {kPi, 3, -1}, dim(0, 0, -1, 0, 1), false},
    {"deg", {kPi, 180, 0}, kAngle, false},
    {"°", {kPi, 180, 0}, kAngle, false},
    {"min", {60, 1, 0}, kTime, false},
    {"h", {3600, 1, 0}, kTime, false},
    {"KiB", {1024, 1, 0}, kData, false},
    {"MiB", {1024. * 1024, 1, 0}, kData, false},
    {"GiB", {1024. * 1024 * 1024, 1, 0}, kData, false},
    {"%", {1, 1, -2}, kNumber, false},
};

struct Prefix {
    std::string_view name;
    double decimal;
};
constexpr Prefix kPrefixes[] = {{"da", 1}, {"T", 12}, {"G", 9},  {"M", 6},   {"k", 3},
                                {"h", 2},  {"d", -1}, {"c", -2}, {"m", -3},  {"u", -6},
                                {"µ", -6}, {"μ", -6}, {"n", -9}, {"p", -12}, {"f", -15}};

struct Unit {
    Scale scale;
    Dimension dimension;
};

const UnitEntry* find_plain(std::string_view name) {
    for (const UnitEntry& unit : kUnits)
        if (unit.name == name) return &unit;
    return nullptr;
}

std::optional<Unit> find_unit(std::string_view name, double fps) {
    if (name == "f") return Unit{{1, fps, 0}, kTime};
    if (const UnitEntry* unit = find_plain(name)) return Unit{unit->scale, unit->dimension};
    for (const Prefix& prefix : kPrefixes) {
        if (name.size() <= prefix.name.size() || name.substr(0, prefix.name.size()) != prefix.name) continue;
        const UnitEntry* unit = find_plain(name.substr(prefix.name.size()));
        if (!unit || !unit->takes_prefix) continue;
        Scale scale = unit->scale;
        scale.decimal += prefix.decimal;
        return Unit{scale, unit->dimension};
    }
    return std::nullopt;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_space(char c) {
    return c == ' ' || c == '\t';
}
/// Letters and the bytes of any character beyond ASCII (µ, °), which no operator uses.
bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// A decimal kept as text, so that a power of ten can be added before it is rounded to a double.
struct Decimal {
    std::string digits;  // without exponent
    long exponent = 0;
};

class Parser {
 public:
    Parser(std::string_view text, double fps) : text_(text), fps_(fps) {
        if (text.size() > kLongestText) throw UnitError("too long for a quantity");
    }

    void skip_space() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }
    bool done() {
        skip_space();
        return at_ == text_.size();
    }
    bool take(std::string_view token) {
        skip_space();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }

    Decimal number() {
        skip_space();
        Decimal out;
        std::size_t i = at_;
        if (i < text_.size() && (text_[i] == '-' || text_[i] == '+')) {
            if (text_[i] == '-') out.digits = "-";
            ++i;
        }
        bool any = false;
        for (bool dot = false; i < text_.size() && (is_digit(text_[i]) || (text_[i] == '.' && !dot)); ++i) {
            dot = dot || text_[i] == '.';
            any = any || is_digit(text_[i]);
            out.digits += text_[i];
        }
        if (!any) throw UnitError("expected a number");
        at_ = i;
        read_exponent(out);
        return out;
    }

    Unit unit() {
        Unit product;
        bool first = true, divide = false;
        for (;;) {
            if (done()) {
                if (divide || (!first && !after_factor_)) throw UnitError("a unit is missing at the end");
                return product;
            }
            if (take("/")) {
                if (!first && !after_factor_) throw UnitError("a unit is missing before '/'");
                divide = true;
                after_factor_ = false;
            } else if (take("*") || take("·")) {
                if (first || !after_factor_) throw UnitError("a unit is missing before '*'");
                after_factor_ = false;
            } else if (!first && after_factor_) {
                throw UnitError("write a product of units with '*', for example \"Pa*s\"");
            } else {
                multiply(product, factor(), divide ? -1 : 1);
                divide = false;
                after_factor_ = true;
            }
            first = false;
        }
    }

 private:
    void read_exponent(Decimal& out) {
        if (at_ >= text_.size() || (text_[at_] != 'e' && text_[at_] != 'E')) return;
        std::size_t i = at_ + 1;
        if (i < text_.size() && text_[i] == '+') ++i;
        const auto [end, code] = std::from_chars(text_.data() + i, text_.data() + text_.size(), out.exponent);
        if (code == std::errc::invalid_argument) return;  // "3 erg" without the space
        if (code != std::errc{} || std::labs(out.exponent) > 100000)
            throw UnitError("the number is out of range");
        at_ = static_cast<std::size_t>(end - text_.data());
    }

    static void multiply(Unit& product, const Unit& factor, double sign) {
        product.dimension = product.dimension * factor.dimension.power(sign);
        if (sign > 0) {
            product.scale.numerator *= factor.scale.numerator;
            product.scale.denominator *= factor.scale.denominator;
        } else {
            product.scale.numerator *= factor.scale.denominator;
            product.scale.denominator *= factor.scale.numerator;
        }
        product.scale.decimal += sign * factor.scale.decimal;
    }

    Unit factor() {
        skip_space();
        const std::size_t start = at_;
        if (text_[at_] == '1') {
            ++at_;
            return {};
        }
        while (at_ < text_.size() && is_name_byte(text_[at_]) && !superscript_here()) ++at_;
        const std::string name(text_.substr(start, at_ - start));
        if (name.empty())
            throw UnitError(fmt::format("cannot read a unit at \"{}\"", text_.substr(start, 16)));
        const std::optional<Unit> unit = find_unit(name, fps_);
        if (!unit) throw UnitError(fmt::format("unknown unit '{}'", name));
        const double p = power_here();
        Unit out;
        out.dimension = unit->dimension.power(p);
        out.scale = {std::pow(unit->scale.numerator, p), std::pow(unit->scale.denominator, p),
                     unit->scale.decimal * p};
        return out;
    }

    bool superscript_here() const { return text_.substr(at_, 2) == "²" || text_.substr(at_, 2) == "³"; }
    double power_here() {
        if (take("²")) return 2;
        if (take("³")) return 3;
        if (at_ < text_.size() && is_digit(text_[at_])) return text_[at_++] - '0';  // m3
        if (!take("^")) return 1;
        skip_space();
        double p = 0;
        const auto [end, code] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), p, std::chars_format::fixed);
        if (code != std::errc{}) throw UnitError("a number is missing after '^'");
        at_ = static_cast<std::size_t>(end - text_.data());
        if (!(std::abs(p) <= kLargestPower)) throw UnitError("the power of a unit is too large");
        return p;
    }

    std::string_view text_;
    double fps_;
    std::size_t at_ = 0;
    bool after_factor_ = false;
};

double nearest_double(const std::string& decimal) {
    double value = 0;
    const auto [end, code] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    if (code == std::errc::result_out_of_range) throw UnitError("the number is out of range");
    return value;
}

double scaled(const Decimal& number, const Scale& scale) {
    const double whole = std::round(scale.decimal);
    const bool is_whole = std::abs(scale.decimal - whole) < kSameExponent && std::abs(whole) < 1e6;
    double value = nearest_double(
        fmt::format("{}e{}", number.digits, number.exponent + (is_whole ? static_cast<long>(whole) : 0)));
    if (!is_whole) value *= std::pow(10, scale.decimal);
    if (scale.numerator != 1) value *= scale.numerator;
    if (scale.denominator != 1) value /= scale.denominator;
    if (!std::isfinite(value)) throw UnitError("the number is out of range");
    return value;
}

}  // namespace

bool Dimension::is_number() const {
    return same(*this, kNumber);
}

Dimension Dimension::operator*(const Dimension& other) const {
    Dimension out = *this;
    for (std::size_t i = 0; i < kBases; ++i) out.exponent[i] += other.exponent[i];
    return out;
}

Dimension Dimension::power(double p) const {
    Dimension out = *this;
    for (double& e : out.exponent) e *= p;
    return out;
}

bool same(const Dimension& a, const Dimension& b) {
    for (std::size_t i = 0; i < Dimension::kBases; ++i)
        if (!(std::abs(a.exponent[i] - b.exponent[i]) < kSameExponent)) return false;
    return true;
}

std::string name_of(const Dimension& dimension) {
    for (const NamedDimension& named : kNamedDimensions)
        if (same(named.dimension, dimension)) return std::string(named.name);
    return "quantity in " + si_unit(dimension);
}

std::string a_name_of(const Dimension& dimension) {
    const std::string name = name_of(dimension);
    return (std::string_view("aeio").find(name[0]) != std::string_view::npos ? "an " : "a ") + name;
}

std::string si_unit(const Dimension& dimension) {
    // Fewer digits than powers lose in sums: -2 + 0.6 + 2 is 0.6.
    const auto power = [](double e) { return fmt::format("{:.12g}", e); };
    for (const NamedDimension& named : kNamedDimensions)
        if (same(named.dimension, dimension)) return std::string(named.unit);
    const Dimension per_pressure = dimension * kPressure.power(-1);
    Dimension time_only = per_pressure;
    time_only.exponent[Dimension::second] = 0;
    if (time_only.is_number()) return "Pa*s^" + power(per_pressure.exponent[Dimension::second]);
    constexpr std::string_view names[] = {"m", "kg", "s", "K", "rad", "B"};
    std::string out;
    for (std::size_t i = 0; i < Dimension::kBases; ++i) {
        const double e = dimension.exponent[i];
        if (std::abs(e) < kSameExponent) continue;
        if (!out.empty()) out += '*';
        out += names[i];
        if (e != 1) out += "^" + power(e);
    }
    return out;
}

Quantity parse_quantity(std::string_view text, double fps) {
    Parser parser(text, fps);
    const Decimal number = parser.number();
    const bool has_unit = !parser.done();
    const Unit unit = parser.unit();
    return {scaled(number, unit.scale), unit.dimension, has_unit};
}

namespace {

VectorQuantity parse_numbers(std::string_view text, double fps, int count, const char* expected) {
    Parser parser(text, fps);
    Decimal numbers[3];
    for (int i = 0; i < count; ++i) {
        if (i > 0 && !parser.take(",")) throw UnitError(expected);
        numbers[i] = parser.number();
    }
    if (parser.take(",")) throw UnitError(expected);
    const bool has_unit = !parser.done();
    const Unit unit = parser.unit();
    Vec3d value;
    for (int i = 0; i < count; ++i) value[i] = scaled(numbers[i], unit.scale);
    return {value, unit.dimension, has_unit};
}

}  // namespace

VectorQuantity parse_vector(std::string_view text, double fps) {
    return parse_numbers(text, fps, 3, "expected three numbers with commas and one unit");
}

VectorQuantity parse_pair(std::string_view text, double fps) {
    return parse_numbers(text, fps, 2, "expected two numbers with a comma and one unit");
}

Dimension parse_unit(std::string_view text) {
    return Parser(text, 24).unit().dimension;
}

std::string shortest(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return std::string(buffer, end);
}

}  // namespace rivulet
