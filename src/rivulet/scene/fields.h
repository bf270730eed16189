#pragma once

#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <utility>

#include <rivulet/scene/table.h>

namespace rivulet::scene {

/// Declares the keys of a struct, one line each:
///
///     Fields<Camera>("camera", "Where a picture is taken from.")
///         .vector("position", &Camera::position, "m", "Where the eye is.").required()
///         .quantity("fov", &Camera::fov, "rad", "Vertical opening angle.").range(0.01, 3.1)
///         .done();
///
/// A member is a pointer to member, or any function from T& to a reference.
template <class T>
class Fields {
 public:
    Fields(std::string name, std::string doc) {
        table_.name = std::move(name);
        table_.doc = std::move(doc);
        table_.make = [] { return std::static_pointer_cast<void>(std::make_shared<T>()); };
    }

    /// A quantity in the SI unit `unit`. Times may be written in frames.
    template <class M>
    Fields& quantity(std::string key, M member, const std::string& unit, std::string doc) {
        Field& f = add(std::move(key), FieldKind::quantity, std::move(doc));
        f.dimension = parse_unit(unit);
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) {
            const Dimension expected = field.dimension_of ? field.dimension_of(o) : field.dimension;
            double v = 0;
            if (reader.quantity(value, path, expected, v) &&
                reader.in_range(value, path, v, field.range, field.unit()))
                of(member, o) = v;
        };
        f.write = [member](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
            const Dimension d = field.dimension_of ? field.dimension_of(o) : field.dimension;
            return Value::of(shortest(of(member, o)) + " " + si_unit(d));
        };
        return *this;
    }
    template <class M>
    Fields& vector(std::string key, M member, const std::string& unit, std::string doc) {
        Field& f = add(std::move(key), FieldKind::vector, std::move(doc));
        f.dimension = parse_unit(unit);
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) {
            Vec3d v;
            if (!reader.vector(value, path, field.dimension, v)) return;
            for (int i = 0; i < 3; ++i)
                if (!reader.in_range(value, path, v[i], field.range, field.unit())) return;
            of(member, o) = v;
        };
        f.write = [member](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
            return Value::of(text_of(of(member, o)) + " " + field.unit());
        };
        return *this;
    }
    template <class M>
    Fields& number(std::string key, M member, std::string doc) {
        Field& f = add(std::move(key), FieldKind::number, std::move(doc));
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) {
            double v = 0;
            if (reader.number(value, path, v) && reader.in_range(value, path, v, field.range, ""))
                of(member, o) = v;
        };
        f.write = [member](const Writer&, const Field&, const void* o) -> std::optional<Value> {
            return Value::of(double{of(member, o)});
        };
        return *this;
    }
    template <class M>
    Fields& integer(std::string key, M member, std::string doc) {
        using I = std::remove_cvref_t<decltype(of(member, static_cast<void*>(nullptr)))>;
        Field& f = add(std::move(key), FieldKind::integer, std::move(doc));
        f.range.low = std::is_signed_v<I> ? -kLargestInteger<I>() : 0;
        f.range.high = kLargestInteger<I>();
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) {
            std::int64_t v = 0;
            if (reader.integer(value, path, v) && reader.in_range(value, path, double(v), field.range, ""))
                of(member, o) = static_cast<I>(v);
        };
        f.write = [member](const Writer&, const Field&, const void* o) -> std::optional<Value> {
            return Value::of(static_cast<std::int64_t>(of(member, o)));
        };
        return *this;
    }
    template <class M>
    Fields& boolean(std::string key, M member, std::string doc) {
        Field& f = add(std::move(key), FieldKind::boolean, std::move(doc));
        f.read = [member](Reader& reader, const Field&, const Value& value, const std::string& path,
                          void* o) { reader.boolean(value, path, of(member, o)); };
        f.write = [member](const Writer&, const Field&, const void* o) -> std::optional<Value> {
            return Value::of(bool{of(member, o)});
        };
        return *this;
    }
    template <class M>
    Fields& text(std::string key, M member, std::string doc) {
        Field& f = add(std::move(key), FieldKind::text, std::move(doc));
        f.read = [member](Reader& reader, const Field&, const Value& value, const std::string& path,
                          void* o) { reader.text(value, path, of(member, o)); };
        f.write = [member](const Writer&, const Field&, const void* o) -> std::optional<Value> {
            return Value::of(std::string(of(member, o)));
        };
        return *this;
    }
    /// One word out of a list, each standing for a value of an enum.
    template <class M, class E>
    Fields& choice(std::string key, M member, std::vector<std::pair<std::string, E>> words, std::string doc) {
        Field& f = add(std::move(key), FieldKind::choice, std::move(doc));
        for (const auto& word : words) f.choices.push_back(word.first);
        f.read = [member, words](Reader& reader, const Field& field, const Value& value,
                                 const std::string& path, void* o) {
            std::string given;
            if (!reader.text(value, path, given)) return;
            for (const auto& word : words)
                if (word.first == given) {
                    of(member, o) = word.second;
                    return;
                }
            reader.fail(value.at, path, "unknown choice '" + given + "'", suggestion(given, field.choices));
        };
        f.write = [member, words](const Writer&, const Field&, const void* o) -> std::optional<Value> {
            for (const auto& word : words)
                if (word.second == of(member, o)) return Value::of(word.first);
            return std::nullopt;
        };
        return *this;
    }
    /// A word that says how the members declared before it are meant; `apply` turns them into what is kept,
    /// which is what the first word means. Only that one is written back.
    Fields& conversion(std::string key, std::vector<std::pair<std::string, std::function<void(T&)>>> words,
                       std::string doc) {
        Field& f = add(std::move(key), FieldKind::choice, std::move(doc));
        for (const auto& word : words) f.choices.push_back(word.first);
        f.read = [words](Reader& reader, const Field& field, const Value& value, const std::string& path,
                         void* o) {
            std::string given;
            if (!reader.text(value, path, given)) return;
            for (const auto& [word, apply] : words)
                if (word == given) return apply(*static_cast<T*>(o));
            reader.fail(value.at, path, "unknown choice '" + given + "'", suggestion(given, field.choices));
        };
        f.write = [](const Writer&, const Field& field, const void*) -> std::optional<Value> {
            return Value::of(field.choices.front());
        };
        return *this;
    }
    /// [x, y, z], not zero; kept as written.
    template <class M>
    Fields& direction(std::string key, M member, std::string doc) {
        triple(std::move(key), FieldKind::direction, member, std::move(doc));
        return *this;
    }
    /// [r, g, b], linear, 0 to 1 each.
    template <class M>
    Fields& color(std::string key, M member, std::string doc) {
        triple(std::move(key), FieldKind::color, member, std::move(doc));
        return range(0, 1);
    }
    /// ["1 s", "3 s"] into two members.
    template <class M, class N>
    Fields& interval(std::string key, M from, N to, const std::string& unit, std::string doc) {
        Field& f = add(std::move(key), FieldKind::interval, std::move(doc));
        f.dimension = parse_unit(unit);
        f.read = [from, to](Reader& reader, const Field& field, const Value& value, const std::string& path,
                            void* o) {
            if (!value.is_array() || value.items.size() != 2)
                return reader.fail(value.at, path, "expected [from, to], got " + describe(value));
            double a = 0, b = 0;
            if (!reader.quantity(value.items[0], path, field.dimension, a) ||
                !reader.quantity(value.items[1], path, field.dimension, b))
                return;
            if (!(a < b)) return reader.fail(value.at, path, "must end after it begins");
            of(from, o) = a;
            of(to, o) = b;
        };
        f.write = [from, to](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
            Value out = Value::array();
            out.items = {Value::of(shortest(of(from, o)) + " " + field.unit()),
                         Value::of(shortest(of(to, o)) + " " + field.unit())};
            return out;
        };
        return *this;
    }
    /// [["0 s", value], ...] into a struct with vectors `time` and `value`.
    template <class M>
    Fields& keys(std::string key, M member, const std::string& unit, std::string doc) {
        Field& f = add(std::move(key), FieldKind::keys, std::move(doc));
        f.dimension = parse_unit(unit);
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) { read_keys(reader, field, value, path, of(member, o)); };
        f.write = [member](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
            return write_keys(field, of(member, o));
        };
        return *this;
    }
    template <class M>
    Fields& table(std::string key, M member, const Table& (*sub)(), std::string doc) {
        Field& f = add(std::move(key), FieldKind::table, std::move(doc));
        f.table = sub;
        f.read = [member, sub](Reader& reader, const Field&, const Value& value, const std::string& path,
                               void* o) { read_table(reader, sub(), value, path, &of(member, o)); };
        f.write = [member, sub](const Writer& writer, const Field&, const void* o) -> std::optional<Value> {
            return write_table(writer, sub(), &of(member, o));
        };
        return *this;
    }
    /// [[...]] into a std::vector of structs.
    template <class M>
    Fields& list(std::string key, M member, const Table& (*sub)(), std::string doc) {
        Field& f = add(std::move(key), FieldKind::list, std::move(doc));
        f.table = sub;
        f.read = [member, sub](Reader& reader, const Field&, const Value& value, const std::string& path,
                               void* o) {
            if (!value.is_array())
                return reader.fail(value.at, path, "expected a list, got " + describe(value));
            auto& items = of(member, o);
            items.clear();
            items.resize(value.items.size());
            for (std::size_t i = 0; i < items.size(); ++i)
                read_table(reader, sub(), value.items[i], path + "." + std::to_string(i), &items[i]);
        };
        f.write = [member, sub](const Writer& writer, const Field&, const void* o) -> std::optional<Value> {
            Value out = Value::array();
            for (const auto& item : of(member, o)) out.items.push_back(write_table(writer, sub(), &item));
            return out;
        };
        return *this;
    }
    /// The name of an entity, kept as its index; a member of -1 means none.
    template <class M>
    Fields& reference(std::string key, M member, std::string kind, std::string doc) {
        Field& f = add(std::move(key), FieldKind::reference, std::move(doc));
        f.refers_to = std::move(kind);
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) { reader.reference(value, path, field.refers_to, of(member, o)); };
        f.write = [member](const Writer& writer, const Field& field, const void* o) -> std::optional<Value> {
            const int i = of(member, o);
            const auto list = writer.names.find(field.refers_to);
            if (i < 0 || list == writer.names.end() || std::size_t(i) >= list->second.size())
                return std::nullopt;
            return Value::of(list->second[std::size_t(i)]);
        };
        return *this;
    }
    /// A file that must exist, kept as an absolute path. `pattern`: the name stands for several files of one
    /// folder, which a check of the table must pass to Reader::depend_on.
    template <class M>
    Fields& file(std::string key, M member, std::string doc, bool pattern = false) {
        Field& f = add(std::move(key), FieldKind::file, std::move(doc));
        f.read = [member, pattern](Reader& reader, const Field&, const Value& value, const std::string& path,
                                   void* o) {
            pattern ? reader.file_pattern(value, path, of(member, o))
                    : reader.file(value, path, of(member, o));
        };
        f.write = [member](const Writer& writer, const Field&, const void* o) -> std::optional<Value> {
            if (of(member, o).empty()) return std::nullopt;
            return Value::of(writer.file_name(of(member, o)));
        };
        return *this;
    }
    /// "cm" or "2.5 cm": how many metres one unit of a file is.
    template <class M>
    Fields& file_unit(std::string key, M member, std::string doc) {
        Field& f = add(std::move(key), FieldKind::unit, std::move(doc));
        f.dimension = parse_unit("m");
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) {
            Value one = value;
            if (!one.text.empty() && !(one.text[0] >= '0' && one.text[0] <= '9')) one.text = "1 " + one.text;
            double v = 0;
            if (!reader.quantity(one, path, field.dimension, v)) return;
            if (!(v > 0)) return reader.fail(value.at, path, "must be > 0, got " + describe(value));
            of(member, o) = v;
        };
        f.write = [member](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
            return Value::of(shortest(of(member, o)) + " " + field.unit());
        };
        return *this;
    }

    /// One variant, chosen by the key `type`: the name of `fields` is the word.
    template <class M, class E>
    Fields& variant(M member, E value, Fields fields) {
        table_.variants.push_back(std::move(fields.table_));
        const std::size_t index = table_.variants.size() - 1;
        const auto choose = table_.choose;
        const auto chosen = table_.chosen;
        table_.choose = [=](void* o, std::size_t i) {
            i == index ? void(of(member, o) = value) : choose(o, i);
        };
        table_.chosen = [=](const void* o) { return of(member, o) == value || !chosen ? index : chosen(o); };
        return *this;
    }

    // Conditions on the key just declared.
    Fields& required() { return last().required = true, *this; }
    Fields& positive() { return last().range.low = 0, last().range.low_open = true, *this; }
    Fields& at_least(double low) { return last().range.low = low, *this; }
    Fields& at_most(double high) { return last().range.high = high, *this; }
    Fields& below(double high) { return last().range.high = high, last().range.high_open = true, *this; }
    Fields& range(double low, double high) { return at_least(low).at_most(high); }
    /// Another member, declared before, decides the dimension.
    Fields& with_dimension(std::function<Dimension(const T&)> rule) {
        last().dimension_of = [rule](const void* o) { return rule(*static_cast<const T*>(o)); };
        return *this;
    }

    /// A condition on several members, run when each of them is well by itself.
    Fields& check(std::function<void(const T&, Check&)> rule) {
        table_.checks.push_back([rule](const void* o, Check& c) { rule(*static_cast<const T*>(o), c); });
        return *this;
    }

    Table done() { return std::move(table_); }

 private:
    template <class M>
    static auto& of(M member, void* o) {
        return std::invoke(member, *static_cast<T*>(o));
    }
    /// Accessors may be written for T& alone; writing only looks.
    template <class M>
    static const auto& of(M member, const void* o) {
        return std::invoke(member, *static_cast<T*>(const_cast<void*>(o)));
    }
    /// Ranges are doubles, exact up to 2^53.
    template <std::integral I>
    static constexpr double kLargestInteger() {
        return std::min(double(std::numeric_limits<I>::max()), 0x1p53);
    }
    static std::string text_of(double v) { return shortest(v); }
    static std::string text_of(const Vec3d& v) {
        return shortest(v.x) + ", " + shortest(v.y) + ", " + shortest(v.z);
    }
    static bool read_one(Reader& r, const Value& v, const std::string& p, const Dimension& d, double& out) {
        return r.quantity(v, p, d, out);
    }
    static bool read_one(Reader& r, const Value& v, const std::string& p, const Dimension& d, Vec3d& out) {
        return r.vector(v, p, d, out);
    }

    template <class K>
    static void read_keys(Reader& reader, const Field& field, const Value& value, const std::string& path,
                          K& keys) {
        if (!value.is_array() || value.items.empty())
            return reader.fail(value.at, path, "expected a list of keys, got " + describe(value),
                               "for example [[\"0 s\", value], [\"1 s\", value]]");
        keys.time.clear();
        keys.value.clear();
        for (const Value& item : value.items) {
            if (!item.is_array() || item.items.size() != 2)
                return reader.fail(item.at, path, "expected a key [time, value], got " + describe(item));
            double time = 0;
            typename decltype(keys.value)::value_type v{};
            const Dimension seconds{{0, 0, 1}};
            if (!reader.quantity(item.items[0], path, seconds, time)) return;
            if (!read_one(reader, item.items[1], path, field.dimension, v)) return;
            if (!keys.time.empty() && !(time > keys.time.back()))
                return reader.fail(item.at, path, "times of keys must increase");
            keys.time.push_back(time);
            keys.value.push_back(v);
        }
    }
    template <class K>
    static Value write_keys(const Field& field, const K& keys) {
        Value out = Value::array();
        for (std::size_t i = 0; i < keys.time.size(); ++i) {
            Value item = Value::array();
            item.items = {Value::of(shortest(keys.time[i]) + " s"),
                          Value::of(text_of(keys.value[i]) + " " + field.unit())};
            out.items.push_back(std::move(item));
        }
        return out;
    }

    template <class M>
    void triple(std::string key, FieldKind kind, M member, std::string doc) {
        Field& f = add(std::move(key), kind, std::move(doc));
        f.read = [member](Reader& reader, const Field& field, const Value& value, const std::string& path,
                          void* o) {
            Vec3d v;
            if (!reader.triple(value, path, v)) return;
            for (int i = 0; i < 3; ++i)
                if (!reader.in_range(value.items[std::size_t(i)], path, v[i], field.range, "")) return;
            if (field.kind == FieldKind::direction && !(length(v) > 0 && is_finite(v * (1 / length(v)))))
                return reader.fail(value.at, path, "a direction must not be zero");
            of(member, o) = v;
        };
        f.write = [member](const Writer&, const Field&, const void* o) -> std::optional<Value> {
            const Vec3d v = of(member, o);
            Value out = Value::array();
            out.items = {Value::of(v.x), Value::of(v.y), Value::of(v.z)};
            return out;
        };
    }

    Field& last() { return table_.fields.back(); }
    Field& add(std::string key, FieldKind kind, std::string doc) {
        Field& f = table_.fields.emplace_back();
        f.key = std::move(key);
        f.kind = kind;
        f.doc = std::move(doc);
        return f;
    }

    Table table_;
};

}  // namespace rivulet::scene
