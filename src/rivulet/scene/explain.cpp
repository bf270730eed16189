#include <fmt/format.h>

#include <algorithm>
#include <set>

#include <rivulet/base/error.h>
#include <rivulet/scene/describe.h>
#include <rivulet/scene/language.h>

namespace rivulet::scene {
namespace {

std::vector<std::string> split(const std::string& key) {
    std::vector<std::string> parts(1);
    for (const char c : key)
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

bool is_placeholder(const std::string& part) {
    return part == "NAME" || part == "N";
}

/// Whether what was asked ends this path; NAME and N stand for any word and may be left out.
bool matches(const std::vector<std::string>& path, const std::vector<std::string>& asked) {
    std::size_t i = path.size(), j = asked.size();
    while (j > 0) {
        if (i == 0) return false;
        if (path[i - 1] == asked[j - 1]) {
            --i, --j;
        } else if (is_placeholder(path[i - 1])) {
            --i;
            if (i > 0 && j > 1 && path[i - 1] != asked[j - 1]) --j;
        } else {
            return false;
        }
    }
    return true;
}

std::string about(const KeyEntry& entry) {
    std::string out = joined(entry.path);
    if (!entry.type.empty()) out += fmt::format("  (type = \"{}\")", entry.type);
    out += fmt::format("\n    {}\n    {}", entry.field->doc, describe_value(*entry.field));
    const std::string range = describe_range(*entry.field),
                      standard = describe_default(*entry.owner, *entry.field);
    if (!range.empty()) out += "; " + range;
    if (entry.field->required)
        out += "; required";
    else if (!standard.empty())
        out += "; default " + standard;
    if (!entry.field->fixed.empty()) out += "\n    fixed once a run has begun: " + entry.field->fixed;
    return out + "\n";
}

std::string contents(const Table& table) {
    std::string out;
    const auto list = [&](const Table& part) {
        for (const Field& field : part.fields) out += fmt::format("    {:<20} {}\n", field.key, field.doc);
    };
    list(table);
    for (const Table& variant : table.variants) {
        out += fmt::format("  type = \"{}\": {}\n", variant.name, described(variant));
        list(variant);
    }
    return out;
}

std::string about_kind(const Kind& kind) {
    std::string out = fmt::format("[{}.NAME]\n    {}\n", kind.name, kind.doc);
    if (kind.derivable) out += fmt::format("    {:<20} {}\n", "base", "Another one to start from.");
    for (const EntityType& type : kind.types) {
        if (!type.word.empty()) out += fmt::format("  type = \"{}\"\n", type.word);
        const std::string& fixed = type.fixed.empty() ? type.closed : type.fixed;
        if (!fixed.empty()) out += fmt::format("  none may join a run that has begun: {}\n", fixed);
        out += contents(type.table());
    }
    return out;
}

/// "liquid.material" of "liquid.NAME.material": what people write of a key.
std::string without_names(std::vector<std::string> path) {
    std::erase_if(path, is_placeholder);
    return joined(path);
}

/// The word most like what was asked; names of entities and numbers of motions, which may be any, are passed
/// over. At the end the last part alone.
std::string nearest_key(const std::vector<std::string>& asked, const std::vector<std::string>& words) {
    for (std::size_t skipped = 0; skipped < asked.size(); ++skipped) {
        std::vector<std::string> parts = asked;
        if (skipped > 0 && asked.size() > 1) parts.erase(parts.begin() + std::ptrdiff_t(skipped));
        if (const std::string near = nearest(joined(parts), words); !near.empty()) return near;
    }
    return nearest(asked.back(), words);
}

/// Keys that end as asked, but elsewhere, come before keys that merely look alike (viscosity is asked of a
/// liquid, and is its material's); when none is near, that end alone, which explains them all.
std::string suggested_key(const std::vector<std::string>& asked, const std::vector<std::string>& same_end,
                          const std::vector<std::string>& words) {
    if (same_end.empty()) return nearest_key(asked, words);
    const std::string near = nearest(joined(asked), same_end);
    return near.empty() ? asked.back() : near;
}

}  // namespace

std::string explain(const std::string& key) {
    if (const Kind* kind = find_kind(key)) return about_kind(*kind);
    const std::vector<std::string> asked = split(key);
    std::string out;
    std::set<const Field*> seen;
    std::set<const Table*> opened;
    std::vector<std::string> words, same_end;
    for (const KeyEntry& entry : all_keys()) {
        words.push_back(entry.path.back());
        words.push_back(without_names(entry.path));
        if (entry.path.back() == asked.back()) same_end.push_back(words.back());
        if (!matches(entry.path, asked) || !seen.insert(entry.field).second) continue;
        out += about(entry);
        if (entry.field->table && opened.insert(&entry.field->table()).second)
            out += contents(entry.field->table());
    }
    if (out.empty()) {
        for (const Kind& kind : kinds()) words.push_back(kind.name);
        const std::string near = suggested_key(asked, same_end, words);
        throw InputError(
            Problem{"", 0, 0, key, "unknown key",
                    near.empty() ? "see docs/scene-reference.md" : fmt::format("did you mean '{}'?", near)});
    }
    return out;
}

}  // namespace rivulet::scene
