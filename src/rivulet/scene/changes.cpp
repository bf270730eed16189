#include <rivulet/scene/changes.h>

#include <fmt/format.h>

#include <map>

#include <rivulet/io/hash.h>
#include <rivulet/obstacle/mesh_sequence.h>
#include <rivulet/scene/kind.h>

namespace rivulet::scene {
namespace {

/// What a file holds, or the files that a pattern stands for; its name when it is none of those read.
std::string content_of(const std::string& name, const std::vector<std::string>& read) {
    std::map<int, std::string> found;
    for (const std::string& file : read) {
        const auto frame = obstacle::frame_number(name, file);
        if (file == name) return io::hash_text(io::xxh64_of_file(file));
        if (frame) found[*frame] = io::hash_text(io::xxh64_of_file(file));
    }
    std::string all;
    for (const auto& [frame, hash] : found) all += hash;
    return found.empty() ? name : all;
}

Writer writer_of(const SceneWithFiles& s) {
    Writer writer = names_of_entities(s.scene);
    writer.file_name = [&files = s.files](const std::string& name) { return content_of(name, files); };
    return writer;
}

class Comparison {
 public:
    Comparison(const SceneWithFiles& before, const SceneWithFiles& after)
        : before_(before.scene),
          after_(after.scene),
          names_before_(writer_of(before)),
          names_after_(writer_of(after)) {}

    Changes run() {
        table("", scene_table(), write_table(names_before_, scene_table(), &before_),
              write_table(names_after_, scene_table(), &after_));
        for (const Kind& kind : kinds())
            for (const EntityType& type : kind.types) entities(kind, type);
        return std::move(changes_);
    }

 private:
    void changed(const std::string& key, const std::string& reason) {
        changes_.keys.push_back(key);
        if (!reason.empty())
            changes_.refused.push_back(
                {"", 0, 0, key, "cannot change in a run that has begun: " + reason,
                 "start a new run for it; 'rivulet explain' says of each key whether it can change"});
    }

    void table(const std::string& path, const Table& keys, const Value& before, const Value& after) {
        fields(path, keys, before, after);
        const Value* type = before.find("type");
        if (keys.variants.empty() || !type) return;
        // Another variant was found different at the key that holds the table.
        if (const Table* variant = keys.variant(type->text)) fields(path, *variant, before, after);
    }

    void fields(const std::string& path, const Table& keys, const Value& before, const Value& after) {
        for (const Field& field : keys.fields) {
            const Value *a = before.find(field.key), *b = after.find(field.key);
            if ((a ? to_toml(*a) : "") == (b ? to_toml(*b) : "")) continue;
            const std::string key = path + field.key;
            const bool inside = field.kind == FieldKind::table && a && b && field.fixed.empty() &&
                                variant_of(*a) == variant_of(*b);
            if (inside)
                table(key + ".", field.table(), *a, *b);
            else
                changed(key, field.fixed);
        }
    }
    static std::string variant_of(const Value& table) {
        const Value* type = table.find("type");
        return type ? type->text : "";
    }

    void entities(const Kind& kind, const EntityType& type) {
        const std::size_t there = type.count(before_), now = type.count(after_);
        for (std::size_t i = 0; i < std::max(there, now); ++i) {
            const std::string old = i < there ? type.name_of(before_, i) : "",
                              name = i < now ? type.name_of(after_, i) : "";
            if (old.empty())
                changed(kind.name + "." + name, type.fixed.empty() ? type.closed : type.fixed);
            else if (name != old)
                changed(kind.name + "." + old, "things of a run keep their names and their order");
            else
                entity(kind.name + "." + name + ".", type, i);
        }
    }
    void entity(const std::string& path, const EntityType& type, std::size_t i) {
        const auto written = [&](const Writer& names, const Scene& scene) {
            return write_table(names, type.table(), type.at(const_cast<Scene&>(scene), i));
        };
        const Value before = written(names_before_, before_), after = written(names_after_, after_);
        if (type.fixed.empty())
            table(path, type.table(), before, after);
        else if (to_toml(before) != to_toml(after))
            changed(path.substr(0, path.size() - 1), type.fixed);
    }

    const Scene &before_, &after_;
    const Writer names_before_, names_after_;
    Changes changes_;
};

}  // namespace

Changes changes_between(const SceneWithFiles& before, const SceneWithFiles& after) {
    return Comparison(before, after).run();
}

}  // namespace rivulet::scene
