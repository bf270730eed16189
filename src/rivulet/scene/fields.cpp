#include <rivulet/scene/fields.h>

#include <fmt/format.h>

#include <cmath>

namespace rivulet::scene {

namespace {

std::string text_of(double v) {
    return shortest(v);
}
std::string text_of(const Vec3d& v) {
    return shortest(v.x) + ", " + shortest(v.y) + ", " + shortest(v.z);
}
bool read_one(Reader& r, const Value& v, const std::string& path, const Dimension& d, double& out) {
    return r.quantity(v, path, d, out);
}
bool read_one(Reader& r, const Value& v, const std::string& path, const Dimension& d, Vec3d& out) {
    return r.vector(v, path, d, out);
}

template <class T>
void read_keys(Reader& reader, const Field& field, const Value& value, const std::string& path,
               obstacle::Keys<T>& keys) {
    if (!value.is_array() || value.items.empty())
        return reader.fail(value.at, path, "expected a list of keys, got " + describe(value),
                           "for example [[\"0 s\", value], [\"1 s\", value]]");
    keys.time.clear();
    keys.value.clear();
    for (const Value& item : value.items) {
        if (!item.is_array() || item.items.size() != 2)
            return reader.fail(item.at, path, "expected a key [time, value], got " + describe(item));
        double time = 0;
        T v{};
        const Dimension seconds{{0, 0, 1}};
        if (!reader.quantity(item.items[0], path, seconds, time)) return;
        if (!read_one(reader, item.items[1], path, field.dimension, v)) return;
        if (!keys.time.empty() && !(time > keys.time.back()))
            return reader.fail(item.at, path, "times of keys must increase");
        keys.time.push_back(time);
        keys.value.push_back(v);
    }
}

template <class T>
Value write_keys(const Field& field, const obstacle::Keys<T>& keys) {
    Value out = Value::array();
    for (std::size_t i = 0; i < keys.time.size(); ++i) {
        Value item = Value::array();
        item.items = {Value::of(shortest(keys.time[i]) + " s"),
                      Value::of(text_of(keys.value[i]) + " " + field.unit())};
        out.items.push_back(std::move(item));
    }
    return out;
}

template <class T>
void add_keys(Field& f, Place<obstacle::Keys<T>> place) {
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) { read_keys(reader, field, value, path, place(o)); };
    f.write = [place](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
        return write_keys(field, place(o));
    };
}

}  // namespace

TableMaker::TableMaker(std::string_view name, std::string_view doc) {
    made.name = name;
    made.doc = doc;
}

Field& TableMaker::add(std::string_view key, FieldKind kind, std::string_view doc) {
    Field& f = made.fields.emplace_back();
    f.key = key;
    f.kind = kind;
    f.doc = doc;
    return f;
}

Field& TableMaker::add(std::string_view key, FieldKind kind, std::string_view unit, std::string_view doc) {
    Field& f = add(key, kind, doc);
    f.dimension = parse_unit(std::string(unit));
    return f;
}

void TableMaker::quantity(std::string_view key, Place<double> place, std::string_view unit,
                          std::string_view doc) {
    Field& f = add(key, FieldKind::quantity, unit, doc);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        const Dimension expected = field.dimension_of ? field.dimension_of(o) : field.dimension;
        double v = 0;
        if (reader.quantity(value, path, expected, v) &&
            reader.in_range(value, path, v, field.range, field.unit()))
            place(o) = v;
    };
    f.write = [place](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
        const Dimension d = field.dimension_of ? field.dimension_of(o) : field.dimension;
        return Value::of(shortest(place(o)) + " " + si_unit(d));
    };
}

void TableMaker::vector(std::string_view key, Place<Vec3d> place, std::string_view unit,
                        std::string_view doc) {
    Field& f = add(key, FieldKind::vector, unit, doc);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        Vec3d v;
        if (!reader.vector(value, path, field.dimension, v)) return;
        for (int i = 0; i < 3; ++i)
            if (!reader.in_range(value, path, v[i], field.range, field.unit())) return;
        place(o) = v;
    };
    f.write = [place](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
        return Value::of(text_of(place(o)) + " " + field.unit());
    };
}

void TableMaker::number(std::string_view key, Place<double> place, std::string_view doc) {
    Field& f = add(key, FieldKind::number, doc);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        double v = 0;
        if (reader.number(value, path, v) && reader.in_range(value, path, v, field.range, "")) place(o) = v;
    };
    f.write = [place](const Writer&, const Field&, const void* o) -> std::optional<Value> {
        return Value::of(place(o));
    };
}

void TableMaker::integer(std::string_view key, WholePlace place, Range allowed, std::string_view doc) {
    Field& f = add(key, FieldKind::integer, doc);
    f.range = allowed;
    f.read = [set = place.set](Reader& reader, const Field& field, const Value& value,
                               const std::string& path, void* o) {
        std::int64_t v = 0;
        if (reader.integer(value, path, v) && reader.in_range(value, path, double(v), field.range, ""))
            set(o, v);
    };
    f.write = [get = place.get](const Writer&, const Field&, const void* o) -> std::optional<Value> {
        return Value::of(get(o));
    };
}

void TableMaker::boolean(std::string_view key, Place<bool> place, std::string_view doc) {
    Field& f = add(key, FieldKind::boolean, doc);
    f.read = [place](Reader& reader, const Field&, const Value& value, const std::string& path, void* o) {
        reader.boolean(value, path, place(o));
    };
    f.write = [place](const Writer&, const Field&, const void* o) -> std::optional<Value> {
        return Value::of(place(o));
    };
}

void TableMaker::text(std::string_view key, Place<std::string> place, std::string_view doc) {
    Field& f = add(key, FieldKind::text, doc);
    f.read = [place](Reader& reader, const Field&, const Value& value, const std::string& path, void* o) {
        reader.text(value, path, place(o));
    };
    f.write = [place](const Writer&, const Field&, const void* o) -> std::optional<Value> {
        return Value::of(place(o));
    };
}

void TableMaker::choice(std::string_view key, WholePlace place, Words words, std::string_view doc) {
    Field& f = add(key, FieldKind::choice, doc);
    for (const auto& word : words) f.choices.push_back(word.first);
    f.read = [set = place.set, words](Reader& reader, const Field& field, const Value& value,
                                      const std::string& path, void* o) {
        std::string given;
        if (!reader.text(value, path, given)) return;
        for (const auto& word : words)
            if (word.first == given) return set(o, word.second);
        reader.fail(value.at, path, "unknown choice '" + given + "'", suggestion(given, field.choices));
    };
    f.write = [get = place.get, words](const Writer&, const Field&, const void* o) -> std::optional<Value> {
        for (const auto& word : words)
            if (word.second == get(o)) return Value::of(word.first);
        return std::nullopt;
    };
}

void TableMaker::conversion(std::string_view key,
                            std::vector<std::pair<std::string, std::function<void(void*)>>> words,
                            std::string_view doc) {
    Field& f = add(key, FieldKind::choice, doc);
    for (const auto& word : words) f.choices.push_back(word.first);
    f.read = [words](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        std::string given;
        if (!reader.text(value, path, given)) return;
        for (const auto& [word, apply] : words)
            if (word == given) return apply(o);
        reader.fail(value.at, path, "unknown choice '" + given + "'", suggestion(given, field.choices));
    };
    f.write = [](const Writer&, const Field& field, const void*) -> std::optional<Value> {
        return Value::of(field.choices.front());
    };
}

void TableMaker::triple(std::string_view key, FieldKind kind, Place<Vec3d> place, std::string_view doc) {
    Field& f = add(key, kind, doc);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        Vec3d v;
        if (!reader.triple(value, path, v)) return;
        for (int i = 0; i < 3; ++i)
            if (!reader.in_range(value.items[std::size_t(i)], path, v[i], field.range, "")) return;
        if (field.kind == FieldKind::direction && !(length(v) > 0 && is_finite(v * (1 / length(v)))))
            return reader.fail(value.at, path, "a direction must not be zero");
        place(o) = v;
    };
    f.write = [place](const Writer&, const Field&, const void* o) -> std::optional<Value> {
        const Vec3d v = place(o);
        Value out = Value::array();
        out.items = {Value::of(v.x), Value::of(v.y), Value::of(v.z)};
        return out;
    };
}

void TableMaker::profile(std::string_view key, Place<std::vector<geometry::ProfilePoint>> place,
                         std::string_view doc) {
    Field& f = add(key, FieldKind::profile, "m", doc);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        if (!value.is_array())
            return reader.fail(value.at, path, "expected a list of points, got " + describe(value),
                               "for example [\"0, 0 cm\", \"5, 1 cm\", \"7, 5 cm\"]");
        std::vector<geometry::ProfilePoint> points;
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            Vec3d p;
            if (!reader.pair(value.items[i], path + "." + std::to_string(i), field.dimension, p)) return;
            points.push_back({p.x, p.y});
        }
        place(o) = std::move(points);
    };
    f.write = [place](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
        Value out = Value::array();
        for (const geometry::ProfilePoint& p : place(o))
            out.items.push_back(
                Value::of(shortest(p.radius) + ", " + shortest(p.height) + " " + field.unit()));
        return out;
    };
}

void TableMaker::interval(std::string_view key, Place<double> from, Place<double> to, std::string_view unit,
                          std::string_view doc) {
    Field& f = add(key, FieldKind::interval, unit, doc);
    f.read = [from, to](Reader& reader, const Field& field, const Value& value, const std::string& path,
                        void* o) {
        if (!value.is_array() || value.items.size() != 2)
            return reader.fail(value.at, path, "expected [from, to], got " + describe(value));
        double a = 0, b = 0;
        if (!reader.quantity(value.items[0], path, field.dimension, a) ||
            !reader.quantity(value.items[1], path, field.dimension, b))
            return;
        if (!(a < b)) return reader.fail(value.at, path, "must end after it begins");
        from(o) = a;
        to(o) = b;
    };
    f.write = [from, to](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
        Value out = Value::array();
        out.items = {Value::of(shortest(from(o)) + " " + field.unit()),
                     Value::of(shortest(to(o)) + " " + field.unit())};
        return out;
    };
}

void TableMaker::keys(std::string_view key, Place<obstacle::Keys<double>> place, std::string_view unit,
                      std::string_view doc) {
    add_keys(add(key, FieldKind::keys, unit, doc), place);
}
void TableMaker::keys(std::string_view key, Place<obstacle::Keys<Vec3d>> place, std::string_view unit,
                      std::string_view doc) {
    add_keys(add(key, FieldKind::keys, unit, doc), place);
}

void TableMaker::table(std::string_view key, std::function<void*(void*)> place, const Table& (*sub)(),
                       std::string_view doc) {
    Field& f = add(key, FieldKind::table, doc);
    f.table = sub;
    f.read = [place, sub](Reader& reader, const Field&, const Value& value, const std::string& path,
                          void* o) { read_table(reader, sub(), value, path, place(o)); };
    f.write = [place, sub](const Writer& writer, const Field&, const void* o) -> std::optional<Value> {
        return write_table(writer, sub(), place(const_cast<void*>(o)));
    };
}

void TableMaker::list(std::string_view key, Items items, const Table& (*sub)(), std::string_view doc) {
    Field& f = add(key, FieldKind::list, doc);
    f.table = sub;
    f.read = [items, sub](Reader& reader, const Field&, const Value& value, const std::string& path,
                          void* o) {
        if (!value.is_array()) return reader.fail(value.at, path, "expected a list, got " + describe(value));
        items.make(o, value.items.size());
        for (std::size_t i = 0; i < value.items.size(); ++i)
            read_table(reader, sub(), value.items[i], path + "." + std::to_string(i),
                       const_cast<void*>(items.at(o, i)));
    };
    f.write = [items, sub](const Writer& writer, const Field&, const void* o) -> std::optional<Value> {
        Value out = Value::array();
        for (std::size_t i = 0; i < items.count(o); ++i)
            out.items.push_back(write_table(writer, sub(), items.at(o, i)));
        return out;
    };
}

void TableMaker::reference(std::string_view key, Place<int> place, std::string_view kind,
                           std::string_view doc) {
    Field& f = add(key, FieldKind::reference, doc);
    f.refers_to = kind;
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) { reader.reference(value, path, field.refers_to, place(o)); };
    f.write = [place](const Writer& writer, const Field& field, const void* o) -> std::optional<Value> {
        const int i = place(o);
        const auto list = writer.names.find(field.refers_to);
        if (i < 0 || list == writer.names.end() || std::size_t(i) >= list->second.size()) return std::nullopt;
        return Value::of(list->second[std::size_t(i)]);
    };
}

void TableMaker::names(std::string_view key, Place<std::array<NamedEntity, 2>> place,
                       std::vector<std::string> kinds, std::string_view doc) {
    Field& f = add(key, FieldKind::names, doc);
    f.refers_to_any = std::move(kinds);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        std::array<NamedEntity, 2>& names = place(o);
        if (!value.is_array() || value.items.size() != names.size())
            return reader.fail(value.at, path, "expected two names, got " + describe(value),
                               "for example [\"hair\", \"comb\"]");
        for (std::size_t i = 0; i < names.size(); ++i)
            reader.either(value.items[i], path + "." + std::to_string(i), field.refers_to_any, names[i].kind,
                          names[i].index);
    };
    f.write = [place](const Writer& writer, const Field& field, const void* o) -> std::optional<Value> {
        Value out = Value::array();
        for (const NamedEntity& entity : place(o)) {
            const std::string& kind = field.refers_to_any[std::size_t(entity.kind)];
            const auto list = writer.names.find(kind);
            if (entity.index < 0 || list == writer.names.end() ||
                std::size_t(entity.index) >= list->second.size())
                return std::nullopt;
            // Only the first kind needs no word: a name may be there twice.
            out.items.push_back(Value::of((entity.kind > 0 ? kind_word(kind) + "." : "") +
                                          list->second[std::size_t(entity.index)]));
        }
        return out;
    };
}

void TableMaker::by_name(std::string_view key, Place<std::vector<ValueOf>> place, std::string_view kind,
                         std::string_view unit, std::string_view doc) {
    Field& f = add(key, FieldKind::by_name, unit, doc);
    f.refers_to = kind;
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        if (!value.is_table())
            return reader.fail(value.at, path, "expected a table, got " + describe(value),
                               fmt::format("one key for each {}", field.refers_to));
        std::vector<ValueOf>& values = place(o);
        values.clear();
        for (const Member& member : value.members) {
            const std::string member_path = path + "." + member.key;
            Value name = Value::of(member.key);
            name.at = member.at;
            ValueOf read;
            if (reader.reference(name, member_path, field.refers_to, read.index) &&
                reader.quantity(member.value, member_path, field.dimension, read.value) &&
                reader.in_range(member.value, member_path, read.value, field.range, field.unit()))
                values.push_back(read);
        }
    };
    f.write = [place](const Writer& writer, const Field& field, const void* o) -> std::optional<Value> {
        Value out;
        const auto list = writer.names.find(field.refers_to);
        for (const ValueOf& v : place(o))
            if (list != writer.names.end() && std::size_t(v.index) < list->second.size())
                out.at_key(list->second[std::size_t(v.index)]) =
                    Value::of(shortest(v.value) + " " + field.unit());
        return out;
    };
}

void TableMaker::file(std::string_view key, Place<std::string> place, std::string_view doc, bool pattern) {
    Field& f = add(key, FieldKind::file, doc);
    f.read = [place, pattern](Reader& reader, const Field&, const Value& value, const std::string& path,
                              void* o) {
        pattern ? reader.file_pattern(value, path, place(o)) : reader.file(value, path, place(o));
    };
    f.write = [place](const Writer& writer, const Field&, const void* o) -> std::optional<Value> {
        if (place(o).empty()) return std::nullopt;
        return Value::of(writer.file_name(place(o)));
    };
}

void TableMaker::file_unit(std::string_view key, Place<double> place, std::string_view doc) {
    Field& f = add(key, FieldKind::unit, "m", doc);
    f.read = [place](Reader& reader, const Field& field, const Value& value, const std::string& path,
                     void* o) {
        Value one = value;
        if (!one.text.empty() && !(one.text[0] >= '0' && one.text[0] <= '9')) one.text = "1 " + one.text;
        double v = 0;
        if (!reader.quantity(one, path, field.dimension, v)) return;
        if (!(v > 0)) return reader.fail(value.at, path, "must be > 0, got " + describe(value));
        place(o) = v;
    };
    f.write = [place](const Writer&, const Field& field, const void* o) -> std::optional<Value> {
        return Value::of(shortest(place(o)) + " " + field.unit());
    };
}

void TableMaker::variant(WholePlace place, std::int64_t value, Table table) {
    made.variants.push_back(std::move(table));
    const std::size_t index = made.variants.size() - 1;
    made.choose = [index, value, set = place.set, others = made.choose](void* o, std::size_t i) {
        i == index ? set(o, value) : others(o, i);
    };
    made.chosen = [index, value, get = place.get, others = made.chosen](const void* o) {
        return get(o) == value || !others ? index : others(o);
    };
}

}  // namespace rivulet::scene
