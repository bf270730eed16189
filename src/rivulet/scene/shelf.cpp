#include <rivulet/scene/shelf.h>

#include <fmt/format.h>

#include <rivulet/base/units.h>
#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

ShelfValue value_of(const Table& table, const Field& field, const Value& value) {
    ShelfValue out{field.key, to_toml(value), "", {}, false};
    out.usual = out.text == default_text(table, field);
    if (value.type == Value::Type::text) {
        out.text = value.text;
        if (field.kind == FieldKind::quantity) out.si = parse_quantity(value.text).value;
    }
    if (value.type == Value::Type::number) out.si = value.number;
    if (value.type == Value::Type::integer) out.si = static_cast<double>(value.integer);
    const std::size_t unit = std::min(out.text.find(' '), out.text.size());
    out.brief = out.si ? fmt::format("{:.4g}{}", *out.si, out.text.substr(unit)) : out.text;
    return out;
}

ShelfMaterial material(const EntityType& type, const std::string& name) {
    Scene scene;
    void* object = type.add(scene, name);
    type.from_catalogue(name, object);
    const Table& table = type.table();
    ShelfMaterial out{name, type.word, {}, type.headline};
    const Value written = write_table(Writer{}, table, object);
    for (const Field& field : table.fields)
        if (const Value* value = written.find(field.key))
            out.values.push_back(value_of(table, field, *value));
    return out;
}

}  // namespace

const ShelfValue* ShelfMaterial::find(const std::string& key) const {
    for (const ShelfValue& value : values)
        if (value.key == key) return &value;
    return nullptr;
}

const std::vector<ShelfMaterial>& shelf() {
    static const std::vector<ShelfMaterial> all = [] {
        std::vector<ShelfMaterial> list;
        for (const EntityType& type : find_kind("material")->types)
            if (type.catalogue)
                for (const std::string& name : type.catalogue()) list.push_back(material(type, name));
        return list;
    }();
    return all;
}

}  // namespace rivulet::scene
