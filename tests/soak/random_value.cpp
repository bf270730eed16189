#include "soak/random_value.h"

#include <fmt/format.h>

#include <optional>

#include <rivulet/base/units.h>

namespace rivulet::soak {
namespace {

using scene::Field, scene::FieldKind, scene::Table;

constexpr int kDeepest = 4;        // shapes within shapes
constexpr double kWritten = 0.35;  // part of the keys with a default that are written
constexpr double kListed = 0.5;    // part of the entities with a list of tables: motions of obstacles
constexpr double kAtBound = 0.05, kZero = 0.1, kWild = 0.3;
constexpr double kThin = 0.2;  // part of the lengths that are less than a cell, down to a tenth of one

std::string text(const std::string& s) {
    return "\"" + s + "\"";
}

/// What a number of this dimension is like in a scene of this size. 1 where nothing is known.
double usual_size(const Dimension& d, const Surroundings& around) {
    const double length = d.exponent[Dimension::metre], time = d.exponent[Dimension::second],
                 mass = d.exponent[Dimension::kilogram];
    // Water in a bowl: 0.1 m, 0.1 s, 1 kg.
    return std::pow(0.3 * around.extent, length) * std::pow(around.duration, time) * std::pow(0.03, mass);
}

double clamped(double v, const scene::Range& range) {
    v = std::clamp(v, range.low, range.high);
    if (range.low_open && v <= range.low) v = range.low + 1e-9 * std::max(1.0, std::abs(range.low));
    if (range.high_open && v >= range.high) v = range.high - 1e-9 * std::max(1.0, std::abs(range.high));
    return v;
}

bool is_length(const Dimension& d) {
    return same(d, parse_unit("m"));
}

class Drawer {
 public:
    Drawer(Dice& dice, const Surroundings& around) : dice_(dice), around_(around) {}

    std::string value(const Table& owner, const Field& field, int depth) {
        switch (field.kind) {
            case FieldKind::quantity:
                return text(quantity(size(owner, field), field));
            case FieldKind::vector:
                return text(vector_text(field));
            case FieldKind::number:
                return shortest(size(owner, field));
            case FieldKind::integer:
                return std::to_string(whole(owner, field));
            case FieldKind::boolean:
                return dice_.chance(0.5) ? "true" : "false";
            case FieldKind::text:
                return text("soak");
            case FieldKind::choice:
                return text(dice_.one_of(field.choices));
            case FieldKind::direction:
                return triple(-1, 1);
            case FieldKind::color:
                return triple(0, 1);
            case FieldKind::triple:
                return triple(0.3, 3);
            case FieldKind::profile:
                return profile(field);
            case FieldKind::interval:
                return interval(owner, field);
            case FieldKind::keys:
                return keys(owner, field);
            case FieldKind::table:
                return random_table(dice_, field.table(), around_, depth + 1);
            case FieldKind::list:
                return list(field, depth);
            case FieldKind::reference:
                return reference(field);
            case FieldKind::names:
                return two_names(field);
            case FieldKind::by_name:
                return by_name(owner, field);
            case FieldKind::file:
                return around_.files.empty() ? text("none") : text(dice_.one_of(around_.files));
            case FieldKind::unit:
                return text(dice_.one_of<std::string>({"m", "cm", "mm"}));
        }
        return text("");
    }

 private:
    std::string unit_of(const Field& field) { return field.unit(); }
    std::string quantity(double v, const Field& field) {
        return shortest(v) + (unit_of(field).empty() ? "" : " " + unit_of(field));
    }

    /// The default, or something usual, times anything up to the contrast; now and then a bound or zero.
    double size(const Table& owner, const Field& field) {
        const scene::Range& range = field.range;
        if (dice_.chance(kZero) && range.contains(0)) return 0;
        if (dice_.chance(kAtBound) && std::abs(range.low) < 1e12) return clamped(range.low, range);
        if (dice_.chance(kAtBound) && std::abs(range.high) < 1e12) return clamped(range.high, range);
        double usual = usual_of(owner, field);
        if (is_length(field.dimension) && dice_.chance(kThin))
            usual = thin();
        else if (is_length(field.dimension) || same(field.dimension, parse_unit("s")))
            usual *= dice_.magnitude(0.3, 3);
        else
            usual *= dice_.chance(kWild) ? dice_.magnitude(1 / around_.contrast, around_.contrast)
                                         : dice_.magnitude(0.2, 5);
        if (range.low < 0 && dice_.chance(0.5)) usual = -usual;
        return clamped(usual, range);
    }
    double usual_of(const Table& owner, const Field& field) {
        const std::string standard = scene::default_text(owner, field);
        const double size = usual_size(field.dimension, around_);
        try {
            const double v =
                parse_quantity(standard.starts_with('"') ? standard.substr(1, standard.size() - 2) : standard)
                    .value;
            return v != 0 && std::abs(v) < 1e12 ? std::abs(v) : size;
        } catch (const UnitError&) {
            return size;
        }
    }
    double thin() { return around_.cell * dice_.magnitude(0.1, 1); }
    /// The corner of a box lies beyond the one drawn before, by less than a cell along one axis now and then;
    /// so may any other vector be.
    std::string vector_text(const Field& field) {
        const bool is_place = is_length(field.dimension);
        const double reach = is_place ? around_.extent : 3 * usual_size(field.dimension, around_);
        const bool beyond = field.key == "max" && low_;
        Vec3d v;
        for (int a = 0; a < 3; ++a) v[a] = beyond ? dice_.between(0, reach) : dice_.between(-reach, reach);
        if (is_place && dice_.chance(kThin)) v[static_cast<int>(dice_.below(3))] = thin();
        if (beyond) v += *low_;
        if (field.key == "min" && is_place) low_ = v;
        return fmt::format("{:.6g}, {:.6g}, {:.6g} {}", v.x, v.y, v.z, unit_of(field));
    }
    std::string triple(double low, double high) {
        const double a = dice_.between(low, high), b = dice_.between(low, high), c = dice_.between(low, high);
        return fmt::format("[{:.4f}, {:.4f}, {:.4f}]", a, b, c);
    }
    /// Radius and height, from the axis outwards and up.
    std::string profile(const Field& field) {
        std::string out;
        double radius = 0, height = 0;
        for (std::size_t i = 0, n = 2 + dice_.below(4); i < n; ++i) {
            out += fmt::format("{}\"{:.4g}, {:.4g} {}\"", i > 0 ? ", " : "", radius, height, unit_of(field));
            radius += dice_.between(-0.1, 0.5) * around_.extent;
            height += dice_.between(-0.1, 0.5) * around_.extent;
        }
        return "[" + out + "]";
    }
    std::int64_t whole(const Table& owner, const Field& field) {
        const double v = std::round(size(owner, field));
        return static_cast<std::int64_t>(
            std::clamp(v, std::max(field.range.low, -1e6), std::min(field.range.high, 1e6)));
    }
    std::string interval(const Table& owner, const Field& field) {
        double a = std::abs(size(owner, field)), b = std::abs(size(owner, field));
        if (b < a) std::swap(a, b);
        return fmt::format("[{}, {}]", text(quantity(a, field)), text(quantity(b, field)));
    }
    std::string keys(const Table& owner, const Field& field) {
        std::string out;
        double time = 0;
        for (std::size_t i = 0, n = 1 + dice_.below(4); i < n; ++i) {
            const std::string v =
                text(dice_.chance(0.5) ? vector_text(field) : quantity(size(owner, field), field));
            out += fmt::format("{}[\"{:.5g} s\", {}]", i > 0 ? ", " : "", time, v);
            time += dice_.between(0.1, 1) * around_.duration;
        }
        return "[" + out + "]";
    }
    std::string list(const Field& field, int depth) {
        std::string out;
        for (std::size_t i = 0, n = 1 + dice_.below(3); i < n; ++i)
            out += (i > 0 ? ", " : "") + random_table(dice_, field.table(), around_, depth + 1);
        return "[" + out + "]";
    }
    std::string name_of(const std::string& kind) {
        const auto found = around_.names.find(kind);
        return found == around_.names.end() || found->second.empty() ? "nobody" : dice_.one_of(found->second);
    }
    std::string reference(const Field& field) { return text(name_of(field.refers_to)); }
    std::string two_names(const Field& field) {
        const std::string one = name_of(dice_.one_of(field.refers_to_any));
        return "[" + text(one) + ", " + text(name_of(dice_.one_of(field.refers_to_any))) + "]";
    }
    std::string by_name(const Table& owner, const Field& field) {
        const std::string name = name_of(field.refers_to);
        return "{ " + name + " = " + text(quantity(size(owner, field), field)) + " }";
    }

    Dice& dice_;
    const Surroundings& around_;
    std::optional<Vec3d> low_;  // the lower corner of a box, when it was drawn
};

/// visit(key, value) for the keys that are written.
template <class Visit>
void draw_keys(Dice& dice, const Table& table, const Surroundings& around, int depth, Visit&& visit) {
    Drawer drawer(dice, around);
    const auto fields_of = [&](const Table& part) {
        for (const Field& field : part.fields) {
            const bool nested = field.kind == FieldKind::table || field.kind == FieldKind::list;
            if (!field.required && (depth >= kDeepest && nested)) continue;
            const double often = depth == 0 && field.kind == FieldKind::list ? kListed
                                 : nested                                    ? 0.5 * kWritten
                                                                             : kWritten;
            if (field.required || dice.chance(often)) visit(field.key, drawer.value(part, field, depth));
        }
    };
    fields_of(table);
    if (table.variants.empty()) return;
    // Deep inside only variants that hold no further tables.
    std::vector<const Table*> open;
    for (const Table& variant : table.variants) {
        bool plain = true;
        for (const Field& field : variant.fields)
            if (field.required && (field.kind == FieldKind::table || field.kind == FieldKind::list))
                plain = false;
        if (plain || depth < kDeepest) open.push_back(&variant);
    }
    const Table& chosen = open.empty() ? table.variants.front() : *dice.one_of(open);
    visit(std::string("type"), text(chosen.name));
    fields_of(chosen);
}

}  // namespace

std::string random_table(Dice& dice, const Table& table, const Surroundings& around, int depth) {
    std::string out;
    draw_keys(dice, table, around, depth, [&](const std::string& key, const std::string& value) {
        out += (out.empty() ? "" : ", ") + key + " = " + value;
    });
    return "{ " + out + " }";
}

std::string random_lines(Dice& dice, const Table& table, const Surroundings& around) {
    std::string out;
    draw_keys(dice, table, around, 0,
              [&](const std::string& key, const std::string& value) { out += key + " = " + value + "\n"; });
    return out;
}

}  // namespace rivulet::soak
