#include <rivulet/scene/value.h>

#include <fmt/format.h>

#include <rivulet/base/units.h>

namespace rivulet::scene {

const Value* Value::find(std::string_view key) const {
    for (const Member& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

Value* Value::find(std::string_view key) {
    return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
}

Value& Value::at_key(std::string_view key) {
    if (Value* found = find(key)) return *found;
    return members.emplace_back(Member{std::string(key), {}, {}}).value;
}

Value Value::of(bool v) {
    Value out;
    out.type = Type::boolean;
    out.boolean = v;
    return out;
}
Value Value::of(std::int64_t v) {
    Value out;
    out.type = Type::integer;
    out.integer = v;
    return out;
}
Value Value::of(double v) {
    Value out;
    out.type = Type::number;
    out.number = v;
    return out;
}
Value Value::of(std::string v) {
    Value out;
    out.type = Type::text;
    out.text = std::move(v);
    return out;
}
Value Value::array() {
    Value out;
    out.type = Type::array;
    return out;
}

std::string describe(const Value& value) {
    switch (value.type) {
        case Value::Type::boolean:
            return value.boolean ? "true" : "false";
        case Value::Type::integer:
            return fmt::format("{}", value.integer);
        case Value::Type::number:
            return shortest(value.number);
        case Value::Type::text:
            return value.text.size() <= 60 ? "\"" + value.text + "\"" : "a text of many characters";
        case Value::Type::array:
            return fmt::format("an array of {}", value.items.size());
        case Value::Type::table:
            return "a table";
        case Value::Type::other:
            break;
    }
    return value.text;
}

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string key_text(const std::string& key) {
    for (const char c : key)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
              c == '-'))
            return quoted(key);
    return key.empty() ? "\"\"" : key;
}

/// A decimal without point or exponent would be a TOML integer, which ends at 2^63.
std::string float_text(double value) {
    std::string out = shortest(value);
    if (out.find_first_of(".en") == std::string::npos) out += ".0";
    return out;
}

}  // namespace

std::string to_toml(const Value& value) {
    switch (value.type) {
        case Value::Type::boolean:
            return value.boolean ? "true" : "false";
        case Value::Type::integer:
            return fmt::format("{}", value.integer);
        case Value::Type::number:
            return float_text(value.number);
        case Value::Type::text:
            return quoted(value.text);
        case Value::Type::other:
            return value.text;
        case Value::Type::array: {
            std::string out = "[";
            for (const Value& item : value.items) out += (out.size() > 1 ? ", " : "") + to_toml(item);
            return out + "]";
        }
        case Value::Type::table:
            break;
    }
    std::string out = "{";
    for (const Member& member : value.members)
        out += (out.size() > 1 ? ", " : " ") + key_text(member.key) + " = " + to_toml(member.value);
    return out + " }";
}

}  // namespace rivulet::scene
