#include <rivulet/scene/describe.h>

#include <fmt/format.h>

#include <algorithm>

namespace rivulet::scene {

std::string describe_value(const Field& field) {
    const std::string unit = friendly_unit(field.dimension);
    switch (field.kind) {
        case FieldKind::quantity:
            return fmt::format("{}, for example \"1 {}\"", name_of(field.dimension), unit);
        case FieldKind::vector:
            return fmt::format("{} along x, y, z, for example \"0, 1, 0 {}\"", name_of(field.dimension),
                               unit);
        case FieldKind::number:
            return "number";
        case FieldKind::integer:
            return "whole number";
        case FieldKind::boolean:
            return "true or false";
        case FieldKind::text:
            return "text";
        case FieldKind::choice: {
            std::string out;
            for (const std::string& word : field.choices) out += (out.empty() ? "\"" : ", \"") + word + "\"";
            return "one of " + out;
        }
        case FieldKind::direction:
            return "direction, for example [0, 1, 0]";
        case FieldKind::color:
            return "colour [red, green, blue]";
        case FieldKind::triple:
            return "three numbers, for example [1, 2, 1]";
        case FieldKind::profile:
            return "points \"radius, height\", for example [\"0, 0 cm\", \"5, 1 cm\", \"7, 5 cm\"]";
        case FieldKind::interval:
            return fmt::format("{} from and to, for example [\"1 {}\", \"3 {}\"]", name_of(field.dimension),
                               unit, unit);
        case FieldKind::keys:
            return fmt::format("keys of {}, [[\"0 s\", value], [\"1 s\", value], ...]",
                               name_of(field.dimension));
        case FieldKind::table:
            return fmt::format("{} table", field.table().name);
        case FieldKind::list:
            return fmt::format("list of {} tables", field.table().name);
        case FieldKind::reference:
            return fmt::format("name of a {}", field.refers_to);
        case FieldKind::names: {
            std::string kinds;
            for (const std::string& kind : field.refers_to_any) kinds += (kinds.empty() ? "" : " or ") + kind;
            return fmt::format("names of two, each a {}, for example [\"hair\", \"comb\"]", kinds);
        }
        case FieldKind::by_name:
            return fmt::format("{} for each {}, for example {{ water = \"70 {}\" }}",
                               name_of(field.dimension), field.refers_to, unit);
        case FieldKind::file:
            return "file, relative to the scene";
        case FieldKind::unit:
            return "unit of length, for example \"cm\"";
    }
    return "";
}

std::string describe_default(const Table& table, const Field& field) {
    return field.required ? "required" : default_text(table, field);
}

std::string describe_range(const Field& field) {
    if (field.kind == FieldKind::integer && field.range.high >= 2147483647.0)
        return field.range.low > -2147483647.0 ? fmt::format("at least {}", shortest(field.range.low)) : "";
    return field.range.text(field.unit());
}

std::string described(const Table& variant) {
    std::string out = variant.doc;
    for (const std::string& word : variant.aliases) out += fmt::format(" `{}` means the same.", word);
    return out;
}

std::string joined(const std::vector<std::string>& path) {
    std::string out;
    for (const std::string& part : path) out += (out.empty() ? "" : ".") + part;
    return out;
}

namespace {

class Walk {
 public:
    std::vector<KeyEntry> keys;

    void table(std::vector<std::string> path, const Table& table) {
        if (std::find(open_.begin(), open_.end(), &table) != open_.end()) return;
        open_.push_back(&table);
        fields(path, "", table);
        for (const Table& variant : table.variants) fields(path, variant.name, variant);
        open_.pop_back();
    }

 private:
    void fields(const std::vector<std::string>& path, const std::string& type, const Table& owner) {
        for (const Field& field : owner.fields) {
            std::vector<std::string> here = path;
            here.push_back(field.key);
            keys.push_back({here, type, &owner, &field});
            if (field.kind == FieldKind::list) here.push_back("N");
            if (field.table) table(here, field.table());
        }
    }

    std::vector<const Table*> open_;
};

}  // namespace

std::vector<KeyEntry> all_keys() {
    Walk walk;
    walk.table({}, scene_table());
    for (const Kind& kind : kinds())
        for (const EntityType& type : kind.types) walk.table({kind.name, "NAME"}, type.table());
    return std::move(walk.keys);
}

}  // namespace rivulet::scene
