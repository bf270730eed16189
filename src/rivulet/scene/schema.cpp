#include <nlohmann/json.hpp>

#include <cmath>

#include <rivulet/scene/describe.h>
#include <rivulet/scene/language.h>

namespace rivulet::scene {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kName = "^[a-z][a-z0-9_]*$";
const std::string kNumber = "[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?";

std::string definition_name(const Table& table) {
    std::string out = table.name;
    for (char& c : out)
        if (c == ' ') c = '_';
    return out;
}

class Schema {
 public:
    Json definitions = Json::object();

    Json reference(const Table& table) {
        const std::string name = definition_name(table);
        if (!definitions.contains(name)) {
            definitions[name] = Json::object();  // stops the recursion of shapes made of shapes
            definitions[name] = table_schema(table, false, {});
        }
        return {{"$ref", "#/definitions/" + name}};
    }

    /// `open`: nothing is required, because a base may give it.
    Json table_schema(const Table& table, bool open, const Json& more) {
        if (table.variants.empty()) return object(table, nullptr, open, more);
        Json cases = Json::array();
        for (const Table& variant : table.variants) cases.push_back(object(table, &variant, open, more));
        return {{"description", table.doc}, {"oneOf", cases}};
    }

 private:
    Json object(const Table& table, const Table* variant, bool open, const Json& more) {
        Json properties = Json::object(), required = Json::array();
        const auto put = [&](const Table& owner) {
            for (const Field& field : owner.fields) {
                properties[field.key] = field_schema(owner, field);
                if (field.required && !open) required.push_back(field.key);
            }
        };
        if (variant) {
            properties["type"] = type_words(*variant);
            required.push_back("type");
            put(*variant);
        }
        put(table);
        for (const auto& [key, value] : more.items()) properties[key] = value;
        Json out{{"description", variant ? variant->doc : table.doc},
                 {"type", "object"},
                 {"properties", properties}};
        if (!required.empty()) out["required"] = required;
        out["additionalProperties"] = false;
        return out;
    }

    static Json type_words(const Table& variant) {
        if (variant.aliases.empty()) return {{"const", variant.name}};
        Json words = Json::array({variant.name});
        for (const std::string& word : variant.aliases) words.push_back(word);
        return {{"enum", words}};
    }

    Json field_schema(const Table& owner, const Field& field) {
        Json out = value_schema(field);
        std::string text = field.doc + " " + describe_value(field);
        const std::string range = describe_range(field), standard = describe_default(owner, field);
        if (!range.empty()) text += "; " + range;
        if (!field.required && !standard.empty()) text += "; default " + standard;
        out["description"] = text;
        return out;
    }

    static Json pattern(const std::string& expression) {
        const Json text{{"type", "string"}, {"pattern", expression}};
        const Json zero{{"type", "number"}, {"minimum", 0}, {"maximum", 0}};
        return {{"anyOf", Json::array({text, zero})}};
    }
    static Json quantity() {
        return pattern("^\\s*" + kNumber + "\\s*[^0-9\\s,.].*$|^\\s*[-+]?0(\\.0*)?\\s*$|^\\s*" + kNumber +
                       "\\s+1/.+$");
    }
    static Json pair() {
        const std::string two = "\\s*" + kNumber + "\\s*,\\s*" + kNumber;
        return pattern("^" + two + "\\s*[^0-9\\s,.].*$|^\\s*[-+]?0\\s*,\\s*[-+]?0\\s*$");
    }
    static Json vector() {
        const std::string three = "\\s*" + kNumber + "\\s*,\\s*" + kNumber + "\\s*,\\s*" + kNumber;
        return pattern("^" + three + "\\s*[^0-9\\s,.].*$|^" + three +
                       "\\s+1/.+$|^\\s*[-+]?0\\s*,\\s*[-+]?0\\s*,\\s*[-+]?0\\s*$");
    }

    static Json number(const Range& range, const char* type) {
        Json out{{"type", type}};
        if (std::isfinite(range.low)) out[range.low_open ? "exclusiveMinimum" : "minimum"] = range.low;
        if (std::isfinite(range.high)) out[range.high_open ? "exclusiveMaximum" : "maximum"] = range.high;
        return out;
    }
    static Json array(const Json& items, int least, int most) {
        Json out{{"type", "array"}, {"items", items}, {"minItems", least}};
        if (most > 0) out["maxItems"] = most;
        return out;
    }

    Json value_schema(const Field& field) {
        switch (field.kind) {
            case FieldKind::quantity:
                return quantity();
            case FieldKind::vector:
                return vector();
            case FieldKind::number: {
                const Json percent{{"type", "string"}, {"pattern", "^" + kNumber + "\\s*%$"}};
                return {{"anyOf", Json::array({number(field.range, "number"), percent})}};
            }
            case FieldKind::integer:
                return number(field.range, "integer");
            case FieldKind::boolean:
                return {{"type", "boolean"}};
            case FieldKind::text:
            case FieldKind::file:
            case FieldKind::unit:
                return {{"type", "string"}};
            case FieldKind::choice:
                return {{"enum", field.choices}};
            case FieldKind::direction:
            case FieldKind::color:
            case FieldKind::triple:
                return array(number(field.range, "number"), 3, 3);
            case FieldKind::profile:
                return array(pair(), 2, 0);
            case FieldKind::interval:
                return array(quantity(), 2, 2);
            case FieldKind::keys: {
                const Json either{{"anyOf", Json::array({quantity(), vector()})}};
                return array(array(either, 2, 2), 1, 0);
            }
            case FieldKind::table:
                return {{"allOf", Json::array({reference(field.table())})}};
            case FieldKind::list:
                return array(reference(field.table()), 0, 0);
            case FieldKind::reference:
                return {{"type", "string"}, {"pattern", kName}};
            case FieldKind::names:
                return array({{"type", "string"}, {"pattern", "^([a-z]+\\.)?[a-z][a-z0-9_]*$"}}, 2, 2);
            case FieldKind::by_name:
                return {{"type", "object"},
                        {"propertyNames", {{"pattern", kName}}},
                        {"additionalProperties", quantity()}};
        }
        return {};
    }
};

Json kind_schema(Schema& schema, const Kind& kind) {
    Json types = Json::array();
    for (const EntityType& type : kind.types) {
        Json more = Json::object();
        if (!type.word.empty()) more["type"] = {{"const", type.word}};
        if (kind.derivable) more["base"] = {{"type", "string"}, {"pattern", kName}};
        const std::string name = definition_name(type.table());
        schema.definitions[name] = schema.table_schema(type.table(), kind.derivable, more);
        types.push_back({{"$ref", "#/definitions/" + name}});
    }
    return {{"description", kind.doc},
            {"type", "object"},
            {"propertyNames", {{"pattern", kName}}},
            {"additionalProperties", types.size() == 1 ? types[0] : Json{{"anyOf", types}}}};
}

}  // namespace

std::string json_schema() {
    Schema schema;
    Json top = schema.table_schema(scene_table(), false, Json::object());
    const Json file{{"type", "string"}};
    top["properties"]["include"] = {{"description", "Scene files merged before this one; later ones win."},
                                    {"type", "array"},
                                    {"items", file}};
    for (const Kind& kind : kinds()) top["properties"][kind.name] = kind_schema(schema, kind);
    // An included file may give what is required, so only the format is asked of every file.
    top["required"] = {"format"};
    Json out{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Rivulet scene"}};
    out.update(top);
    out["definitions"] = schema.definitions;
    return out.dump(2) + "\n";
}

}  // namespace rivulet::scene
