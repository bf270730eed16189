#include <rivulet/scene/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace rivulet::scene {

void Check::fail(const std::string& key, const std::string& message, const std::string& hint) {
    reader_.fail(where(key), path_of(key), message, hint);
}

Source Check::where(const std::string& key) const {
    const Value* value = table_.find(key);
    return value ? value->at : table_.at;
}

Table::Table() = default;
Table::Table(const Table&) = default;
Table::Table(Table&&) noexcept = default;
Table& Table::operator=(const Table&) = default;
Table& Table::operator=(Table&&) noexcept = default;
Table::~Table() = default;

const Table* Table::variant(const std::string& type) const {
    for (const Table& candidate : variants)
        if (candidate.name == type ||
            std::find(candidate.aliases.begin(), candidate.aliases.end(), type) != candidate.aliases.end())
            return &candidate;
    return nullptr;
}

namespace {

std::vector<std::string> names_of(const std::vector<Table>& variants) {
    std::vector<std::string> out;
    for (const Table& variant : variants) out.push_back(variant.name);
    return out;
}

std::string one_of(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + ("\"" + word + "\"");
    return out;
}

const Table* read_type(Reader& reader, const Table& table, const Value& value, const std::string& path,
                       void* object) {
    const Value* type = value.find("type");
    if (!type) {
        reader.fail(value.at, path + ".type", "missing", "one of " + one_of(names_of(table.variants)));
        return nullptr;
    }
    std::string word;
    if (!reader.text(*type, path + ".type", word)) return nullptr;
    const Table* variant = table.variant(word);
    if (!variant) {
        reader.fail(type->at, path + ".type", fmt::format("unknown {} type '{}'", table.name, word),
                    suggestion(word, names_of(table.variants)));
        return nullptr;
    }
    table.choose(object, std::size_t(variant - table.variants.data()));
    return variant;
}

void read_fields(Reader& reader, const Table& table, const Value& value, const std::string& path,
                 void* object, bool derived) {
    for (const Field& field : table.fields) {
        const std::string field_path = path.empty() ? field.key : path + "." + field.key;
        if (const Value* given = value.find(field.key))
            field.read(reader, field, *given, field_path, object);
        else if (field.required && !derived)
            reader.fail(value.at, field_path, "missing; " + field.doc);
    }
}

void refuse_unknown(Reader& reader, const Table& table, const Table* variant, const Value& value,
                    const std::string& path, const std::vector<std::string>& known) {
    std::vector<std::string> keys = known;
    for (const Field& field : table.fields) keys.push_back(field.key);
    if (!table.variants.empty()) keys.push_back("type");
    if (variant)
        for (const Field& field : variant->fields) keys.push_back(field.key);
    for (const Member& member : value.members) {
        if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
        reader.fail(member.at, path.empty() ? member.key : path + "." + member.key, "unknown key",
                    reader.full() ? "" : suggestion(member.key, keys));
    }
}

}  // namespace

void read_table(Reader& reader, const Table& table, const Value& value, const std::string& path, void* object,
                bool derived, const std::vector<std::string>& known) {
    if (!value.is_table()) return reader.fail(value.at, path, "expected a table, got " + describe(value));
    const std::size_t problems_before = reader.count();
    const Table* variant = table.variants.empty() ? nullptr : read_type(reader, table, value, path, object);
    read_fields(reader, table, value, path, object, derived);
    if (variant) read_fields(reader, *variant, value, path, object, derived);
    if (table.variants.empty() || variant) refuse_unknown(reader, table, variant, value, path, known);
    if (reader.count() > problems_before) return;
    Check check(reader, value, path);
    for (const auto& run : table.checks) run(object, check);
    if (variant)
        for (const auto& run : variant->checks) run(object, check);
}

Value write_table(const Writer& writer, const Table& table, const void* object) {
    Value out;
    const auto put = [&](const std::vector<Field>& fields) {
        for (const Field& field : fields)
            if (std::optional<Value> value = field.written(writer, object))
                out.members.push_back({field.key, {}, std::move(*value)});
    };
    if (!table.variants.empty()) {
        const Table& variant = table.variants[table.chosen(object)];
        out.members.push_back({"type", {}, Value::of(variant.name)});
        put(variant.fields);
    }
    put(table.fields);
    return out;
}

std::string default_text(const Table& table, const Field& field) {
    if (field.required || field.kind == FieldKind::table || field.kind == FieldKind::list) return "";
    const std::shared_ptr<void> object = table.make();
    const std::optional<Value> value = field.written(Writer{}, object.get());
    return value ? to_toml(*value) : "";
}

}  // namespace rivulet::scene
