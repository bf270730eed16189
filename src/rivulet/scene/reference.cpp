#include <fmt/format.h>

#include <rivulet/scene/describe.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/shelf.h>

namespace rivulet::scene {
namespace {

constexpr const char* kOpening = R"(# Scene reference

This page is written by `rivulet schema --reference` from the tables the program reads scenes with.

A scene is a TOML file.

- `format = 1` stands at the top. Things of the scene are named tables, `[kind.name]`; names are small letters,
  digits and `_`. One thing refers to another by its name. Variants are chosen by the key `type`.
- A quantity with a dimension is a text with a unit: `"72 dyn/cm"`, `"0.5 mm"`, `"40 deg"`, `"6.5 Pa*s^0.52"`. A
  vector is one text with one unit: `"0, 12, 0 cm"`. A bare number stands only for what has no dimension, and for 0.
- Units: m, g, s, K, rad, N, Pa, J, W, Hz, L, bar, dyn, Ba, P, erg, St, B with the prefixes T G M k h da d c m u n p f;
  in, ft, lb, psi, rpm, deg, min, h, %, KiB, MiB, GiB; `f` is one frame, a time. Multiply with `*`, divide with `/`,
  raise with `^`.
- Animation: `keys = [["0 s", value], ["1 s", value]]`, held outside the keys. Motions apply in list order; `parent`
  composes.
- `include = ["base.toml"]` merges other files first: tables by key, later wins, arrays replace. `base = "water"`
  derives a material from another. Strength: default < include < file < `--set key=value`.
- Files are relative to the scene file they are written in.
- `[material.water]` starts from the catalogue's water; its name does not clash with a `[liquid.water]`.

)";

std::string cell(std::string text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string code(const std::string& text) {
    return text.empty() ? "" : "`" + text + "`";
}

std::string rows(const Table& table) {
    if (table.fields.empty()) return "";
    std::string out = "| key | value | default | range | |\n|---|---|---|---|---|\n";
    for (const Field& field : table.fields) {
        const std::string standard = field.required ? "required" : code(cell(describe_default(table, field)));
        out += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.key, cell(describe_value(field)), standard,
                           cell(describe_range(field)), cell(field.doc));
    }
    return out + "\n";
}

std::string section(const std::string& title, const Table& table) {
    std::string out = fmt::format("## {}\n\n{}\n\n", title, table.doc) + rows(table);
    for (const Table& variant : table.variants)
        out += fmt::format("### `type = \"{}\"`\n\n{}\n\n", variant.name, described(variant)) + rows(variant);
    return out;
}

/// A single table and what is inside it: `[world]`, `[world.air]`, `[[contact.pair]]`.
std::string with_inner(const std::string& path, const Field& of) {
    const Table& table = of.table();
    std::string out = section(of.kind == FieldKind::list ? "`[[" + path + "]]`" : "`[" + path + "]`", table);
    for (const Field& field : table.fields)
        if (field.table) out += with_inner(path + "." + field.key, field);
    return out;
}

void add_nested(const Table& table, std::vector<const Table*>& seen) {
    const auto visit = [&](const Table& part) {
        for (const Field& field : part.fields) {
            if (!field.table) continue;
            const Table* nested = &field.table();
            bool known = false;
            for (const Table* other : seen) known = known || other == nested;
            if (known) continue;
            seen.push_back(nested);
            add_nested(*nested, seen);
        }
    };
    visit(table);
    for (const Table& variant : table.variants) visit(variant);
}

std::string catalogue() {
    std::string out = "## Catalogue of materials\n", type;
    for (const ShelfMaterial& m : shelf()) {
        if (m.type != type) {
            std::string head = "\n| " + m.type + " |", rule = "|---|";
            for (const std::string& key : m.headline) head += " " + key + " |", rule += "---|";
            out += head + " source |\n" + rule + "---|\n";
            type = m.type;
        }
        out += "| `" + m.name + "` |";
        for (const std::string& key : m.headline) out += " " + m.find(key)->brief + " |";
        out += " " + cell(m.find("source")->text) + " |\n";
    }
    return out;
}

}  // namespace

std::string reference_page() {
    std::string out = kOpening;
    out += section("Top of the scene", scene_table());
    for (const Field& field : scene_table().fields)
        if (field.table) out += with_inner(field.key, field);
    std::vector<const Table*> nested;
    for (const Kind& kind : kinds())
        for (const EntityType& type : kind.types) {
            std::string title = fmt::format("`[{}.name]`", kind.name);
            if (!type.word.empty()) title += fmt::format(", `type = \"{}\"`", type.word);
            out += section(title, type.table());
            add_nested(type.table(), nested);
        }
    for (const Table* table : nested) out += section("A " + table->name, *table);
    return out + catalogue();
}

}  // namespace rivulet::scene
