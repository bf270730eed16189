#include <rivulet/scene/document.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>

#include <rivulet/base/error.h>
#include <rivulet/scene/toml_text.h>

namespace rivulet::scene {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kDeepestInclude = 16;
constexpr std::size_t kMostFiles = 64;
constexpr std::size_t kMostText = 4 * kLargestFile;  // of a scene with all its includes

void merge(Value& into, Value&& from) {
    if (!into.is_table() || !from.is_table()) {
        into = std::move(from);
        return;
    }
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < into.members.size(); ++i) index.emplace(into.members[i].key, i);
    for (Member& member : from.members) {
        const auto found = index.find(member.key);
        if (found == index.end()) {
            into.members.push_back(std::move(member));
            continue;
        }
        Member& mine = into.members[found->second];
        mine.at = member.at;
        merge(mine.value, std::move(member.value));
    }
    into.at = from.at;
}

std::string absolute_path(const fs::path& path) {
    std::error_code code;
    const fs::path full = fs::weakly_canonical(path, code);
    return code ? path.lexically_normal().string() : full.string();
}

/// The text of a regular file, refused before it is read when too large.
std::string file_text(const std::string& path) {
    std::error_code code;
    if (!fs::is_regular_file(path, code))
        throw InputError(Problem{path, 0, 0, "", fs::exists(path, code) ? "not a file" : "no such file", ""});
    const std::uintmax_t size = fs::file_size(path, code);
    if (!code && size > kLargestFile) scan_before_parsing(std::string(kLargestFile + 1, ' '), path);
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError(Problem{path, 0, 0, "", "cannot be read", "check its permissions"});
    std::string text(code ? kLargestFile + 1 : std::size_t(size), '\0');
    in.read(text.data(), std::streamsize(text.size()));
    text.resize(std::size_t(in.gcount()));
    return text;
}

class Loader {
 public:
    Document document;

    Value load(const std::string& text, const std::string& name, const std::string& folder) {
        const int file = add_file(name, folder);
        bytes_ += text.size();
        Value own = parse_toml(text, name, file);
        Value* include = own.find("include");
        if (!include) return own;
        const Value list = *include;
        own.members.erase(std::find_if(own.members.begin(), own.members.end(),
                                       [](const Member& m) { return m.key == "include"; }));
        Value merged = load_includes(list, name, folder);
        merge(merged, std::move(own));
        return merged;
    }

    Value load_file(const std::string& path) {
        const std::string full = absolute_path(path);
        const std::string text = file_text(path);
        document.read.push_back(full);
        chain_.push_back(full);
        Value out = load(text, path, fs::path(full).parent_path().string());
        chain_.pop_back();
        return out;
    }

    void apply_setting(const std::string& setting) {
        const std::string name = "--set " + setting;
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throw InputError(
                Problem{name, 0, 0, "", "expected key=value", "for example --set grid.cell=5mm"});
        const std::string text = setting.substr(equals + 1);
        Value value = setting_value(text, name);
        value.as_written = text;
        place(split(setting.substr(0, equals), name), std::move(value), add_file(name, document.folders[0]),
              name);
    }

 private:
    int add_file(const std::string& name, const std::string& folder) {
        document.files.push_back(name);
        document.folders.push_back(folder);
        return int(document.files.size()) - 1;
    }

    Value load_includes(const Value& list, const std::string& name, const std::string& folder) {
        const auto fail = [&](const Value& where, const std::string& message, const std::string& hint) {
            throw InputError(Problem{name, where.at.line, where.at.column, "include", message, hint});
        };
        if (!list.is_array()) fail(list, "expected an array of file names", "include = [\"base.toml\"]");
        if (chain_.size() >= kDeepestInclude)
            fail(list, fmt::format("includes nested deeper than {}", kDeepestInclude), "");
        Value merged;
        for (const Value& item : list.items) {
            if (item.type != Value::Type::text) fail(item, "expected a file name, got " + describe(item), "");
            const fs::path path = fs::path(folder) / item.text;
            std::error_code code;
            if (!fs::is_regular_file(path, code))
                fail(item, fmt::format("no such file: {}", path.string()), "");
            if (std::find(chain_.begin(), chain_.end(), absolute_path(path)) != chain_.end())
                fail(item, "includes go round in a circle", "");
            if (document.files.size() >= kMostFiles || bytes_ > kMostText)
                fail(item, "too many includes", "");
            merge(merged, load_file(path.lexically_normal().string()));
        }
        return merged;
    }

    /// A TOML value if it is one, otherwise the text itself: 5, true, [1, 2], "a b", honey, 5 mm.
    static Value setting_value(const std::string& text, const std::string& name) {
        if (text.find('\n') == std::string::npos) {
            try {
                Value table = parse_toml("value = " + text, name, 0);
                if (table.members.size() == 1 && table.members[0].key == "value")
                    return std::move(table.members[0].value);
            } catch (const InputError&) {
                scan_before_parsing(text, name);
            }
        }
        return Value::of(text);
    }

    static std::vector<std::string> split(const std::string& path, const std::string& name) {
        std::vector<std::string> parts(1);
        for (const char c : path)
            if (c == '.')
                parts.emplace_back();
            else
                parts.back() += c;
        if (std::find(parts.begin(), parts.end(), "") != parts.end() ||
            parts.size() > std::size_t(kDeepestNesting))
            throw InputError(
                Problem{name, 0, 0, path, "not a key", "for example --set liquid.pool.material=water"});
        return parts;
    }

    void place(const std::vector<std::string>& path, Value value, int file, const std::string& name) {
        Value* here = &document.root;
        std::string done;
        for (const std::string& part : path) {
            done += (done.empty() ? "" : ".") + part;
            if (here->is_array()) {
                std::size_t i = 0;
                const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), i);
                if (code != std::errc{} || end != part.data() + part.size() || i >= here->items.size())
                    throw InputError(Problem{name, 0, 0, done, "no such entry of the list",
                                             fmt::format("it has {}, counted from 0", here->items.size())});
                here = &here->items[i];
            } else {
                if (!here->is_table()) {
                    *here = Value{};
                    here->at = {file, 0, 0};
                }
                here = &here->at_key(part);
                if (here->is_table() && here->members.empty()) here->at = {file, 0, 0};
            }
        }
        mark(value, file);
        merge(*here, std::move(value));
        note_origin(path, file);
    }

    /// The last key now comes from the command line, so a complaint about it must say so.
    void note_origin(const std::vector<std::string>& path, int file) {
        Value* here = &document.root;
        for (const std::string& part : path) {
            if (!here->is_table()) return;
            for (Member& member : here->members)
                if (member.key == part) {
                    if (&part == &path.back() || member.at.line == 0) member.at = {file, 0, 0};
                    here = &member.value;
                    break;
                }
        }
    }

    static void mark(Value& value, int file) {
        value.at = {file, 0, 0};
        for (Value& item : value.items) mark(item, file);
        for (Member& member : value.members) {
            member.at = {file, 0, 0};
            mark(member.value, file);
        }
    }

    std::vector<std::string> chain_;
    std::size_t bytes_ = 0;
};

}  // namespace

Document load_document(const std::string& path, const std::vector<std::string>& settings) {
    Loader loader;
    loader.document.root = loader.load_file(path);
    for (const std::string& setting : settings) loader.apply_setting(setting);
    return std::move(loader.document);
}

Document load_document_text(const std::string& text, const std::string& file_name, const std::string& folder,
                            const std::vector<std::string>& settings) {
    Loader loader;
    loader.document.root = loader.load(text, file_name, folder);
    for (const std::string& setting : settings) loader.apply_setting(setting);
    return std::move(loader.document);
}

}  // namespace rivulet::scene
