#include <filesystem>

#include <rivulet/base/error.h>
#include <rivulet/scene/kind.h>
#include <rivulet/scene/language.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

bool is_list_of_tables(const Value& value) {
    return value.is_array() && !value.items.empty() && value.items[0].is_table();
}

/// One key per line; a list of tables one table per line.
std::string lines(const Value& table) {
    std::string out;
    for (const Member& member : table.members) {
        out += member.key + " = ";
        if (is_list_of_tables(member.value)) {
            out += "[\n";
            for (const Value& item : member.value.items) out += "    " + to_toml(item) + ",\n";
            out += "]\n";
        } else {
            out += to_toml(member.value) + "\n";
        }
    }
    return out;
}

std::string entities_text(const Scene& scene, const Kind& kind, const Writer& writer) {
    std::string out;
    for (const EntityType& type : kind.types)
        for (std::size_t i = 0; i < type.count(scene); ++i) {
            out += "\n[" + kind.name + "." + type.name_of(scene, i) + "]\n";
            if (!type.word.empty()) out += "type = \"" + type.word + "\"\n";
            out += lines(write_table(writer, type.table(), type.at(const_cast<Scene&>(scene), i)));
        }
    return out;
}

}  // namespace

std::string resolved_text(const Scene& scene, const std::map<std::string, std::string>& folders) {
    Writer writer = names_of_entities(scene);
    writer.file_name = [&folders](const std::string& path) {
        const std::filesystem::path file(path);
        const auto folder = folders.find(file.parent_path().string());
        return folder == folders.end() ? path : folder->second + "/" + file.filename().string();
    };
    const Value top = write_table(writer, scene_table(), &scene);
    std::string out, tables;
    for (const Member& member : top.members)
        if (member.value.is_table())
            tables += "\n[" + member.key + "]\n" + lines(member.value);
        else
            out += member.key + " = " + to_toml(member.value) + "\n";
    out += tables;
    for (const Kind& kind : kinds()) out += entities_text(scene, kind, writer);
    return out;
}

std::vector<std::string> material_names() {
    std::vector<std::string> out;
    for (const EntityType& type : find_kind("material")->types)
        if (type.catalogue)
            for (std::string& name : type.catalogue()) out.push_back(std::move(name));
    return out;
}

std::string material_text(const std::string& name) {
    const Kind& kind = *find_kind("material");
    for (const EntityType& type : kind.types) {
        if (!type.catalogue) continue;
        for (const std::string& entry : type.catalogue()) {
            if (entry != name) continue;
            Scene shelf;
            type.from_catalogue(name, type.add(shelf, name));
            return entities_text(shelf, kind, Writer{}).substr(1);
        }
    }
    throw InputError(
        Problem{"", 0, 0, name, "there is no such material", suggestion(name, material_names())});
}

}  // namespace rivulet::scene
