#include <fmt/format.h>

#include <algorithm>
#include <set>

#include <rivulet/scene/document.h>
#include <rivulet/scene/kind.h>
#include <rivulet/scene/scene.h>

namespace rivulet::scene {
namespace {

constexpr std::size_t kMostEntities = 10'000;  // of one kind
constexpr int kLongestDerivation = 64;

bool is_name(const std::string& name) {
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    if (name.empty() || name.size() > 64 || !letter(name[0])) return false;
    return std::all_of(name.begin(), name.end(),
                       [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

struct Entity {
    const Kind* kind;
    const Member* member;
    std::string path;
    const EntityType* type = nullptr;
    std::size_t index = 0;  // in the vector of its type
    enum { untouched, busy, done } typing = untouched, filling = untouched;
};

class SceneReader {
 public:
    explicit SceneReader(const Document& document) : root_(document.root), reader_(document) {}

    Scene read(const Document& document, ReadReport* report) {
        refuse_other_formats();
        read_frame_rate();
        collect_entities();
        for (Entity& entity : entities_) fill(entity, 0);
        // Materials of a catalogue are numbered as they are first named: by the things made of them.
        read_table(reader_, scene_table(), root_, "", &scene_, false, kind_names());
        check_obstacle_parents(scene_, reader_, root_);
        check_counts();
        stop_on_problems();
        append_from_catalogues();
        if (report) {
            report->files = document.read;
            report->files.insert(report->files.end(), reader_.files.begin(), reader_.files.end());
        }
        return std::move(scene_);
    }

 private:
    void stop_on_problems() const {
        if (reader_.failed()) throw InputError(reader_.problems());
    }

    /// A later language would give misleading complaints, so it gets one that says what is the matter.
    void refuse_other_formats() {
        const Value* format = root_.find("format");
        if (!format || format->type != Value::Type::integer || format->integer <= 1) return;
        reader_.fail(format->at, "format",
                     fmt::format("this version reads format 1, not {}", format->integer));
        stop_on_problems();
    }

    /// Frames are a unit of time, so their length must be known before any time is read.
    void read_frame_rate() {
        const Value* time = root_.find("time");
        const Value* fps = time ? time->find("fps") : nullptr;
        if (!fps) return;
        const double given = fps->type == Value::Type::integer  ? double(fps->integer)
                             : fps->type == Value::Type::number ? fps->number
                                                                : 0;
        if (given > 0 && std::isfinite(given)) reader_.fps = given;
    }

    static std::vector<std::string> kind_names() {
        std::vector<std::string> out;
        for (const Kind& kind : kinds()) out.push_back(kind.name);
        for (const std::string& name : kinds_to_come()) out.push_back(name);
        return out;
    }

    void collect_entities() {
        // Materials have names of their own, so that [liquid.water] may be made of the catalogue's water.
        std::set<std::string> material_names, names;
        for (const Member& group : root_.members) {
            if (std::count(kinds_to_come().begin(), kinds_to_come().end(), group.key))
                reader_.fail(group.at, group.key, "not in this version");
            const Kind* kind = find_kind(group.key);
            if (kind) collect_kind(*kind, group, kind->derivable ? material_names : names);
        }
        for (Entity& entity : entities_) find_type(entity, 0);
        for (const Kind& kind : kinds())
            for (const EntityType& type : kind.types)
                if (type.catalogue) reader_.names[type.called].on_request = type.catalogue();
        for (Entity& entity : entities_) {
            if (!entity.type) continue;
            entity.type->add(scene_, entity.member->key);
            entity.index = entity.type->count(scene_) - 1;
            reader_.names[entity.type->called].names.push_back(entity.member->key);
        }
    }

    void collect_kind(const Kind& kind, const Member& group, std::set<std::string>& used) {
        if (!group.value.is_table())
            return reader_.fail(group.value.at, group.key,
                                "expected named tables, got " + describe(group.value),
                                fmt::format("write [{}.name]", kind.name));
        if (group.value.members.size() > kMostEntities)
            return reader_.fail(group.at, group.key, fmt::format("more than {} entities", kMostEntities));
        for (const Member& member : group.value.members) {
            const std::string path = kind.name + "." + member.key;
            if (!member.value.is_table()) {
                reader_.fail(member.value.at, path, "expected a table, got " + describe(member.value),
                             fmt::format("an entity is named: [{}.name]", kind.name));
            } else if (!is_name(member.key)) {
                reader_.fail(member.at, path, "not a name",
                             "names are small letters, digits and _, letter first");
            } else if (!used.insert(member.key).second) {
                reader_.fail(member.at, path,
                             fmt::format("the name '{}' is taken by another entity", member.key));
            } else {
                by_path_[path] = entities_.size();
                entities_.push_back({&kind, &member, path});
            }
        }
    }

    Entity* find(const Kind& kind, const std::string& name) {
        const auto found = by_path_.find(kind.name + "." + name);
        return found == by_path_.end() ? nullptr : &entities_[found->second];
    }

    /// The type whose catalogue has this name.
    static const EntityType* catalogue_type(const Kind& kind, const std::string& name) {
        for (const EntityType& type : kind.types)
            if (type.catalogue) {
                const std::vector<std::string> names = type.catalogue();
                if (std::count(names.begin(), names.end(), name)) return &type;
            }
        return nullptr;
    }

    /// Which struct an entity is read into: by `type`, else as its base or catalogue entry, else the
    /// first of the kind.
    void find_type(Entity& entity, int depth) {
        if (entity.typing == Entity::done) return;
        const Value& table = entity.member->value;
        const Value* base = entity.kind->derivable ? table.find("base") : nullptr;
        if (entity.typing == Entity::busy || depth > kLongestDerivation)
            return reader_.fail(base ? base->at : table.at, entity.path + ".base",
                                "bases go round in a circle");
        entity.typing = Entity::busy;
        const EntityType* own_name = catalogue_type(*entity.kind, entity.member->key);
        entity.type = base ? base_type(entity, *base, depth) : own_name ? own_name : &entity.kind->types[0];
        const Value* word = entity.kind->types.size() > 1 || !entity.type || !entity.type->word.empty()
                                ? table.find("type")
                                : nullptr;
        if (word && entity.type) choose_type(entity, *word, base != nullptr);
        entity.typing = Entity::done;
    }

    const EntityType* base_type(Entity& entity, const Value& base, int depth) {
        std::string name;
        if (!reader_.text(base, entity.path + ".base", name)) return nullptr;
        Entity* other = name == entity.member->key ? nullptr : find(*entity.kind, name);
        if (other) {
            find_type(*other, depth + 1);
            return other->type;
        }
        if (const EntityType* type = catalogue_type(*entity.kind, name)) return type;
        std::vector<std::string> known;
        for (const Entity& candidate : entities_)
            if (candidate.kind == entity.kind && &candidate != &entity)
                known.push_back(candidate.member->key);
        for (const EntityType& type : entity.kind->types)
            if (type.catalogue)
                for (const std::string& entry : type.catalogue()) known.push_back(entry);
        reader_.fail(base.at, entity.path + ".base",
                     fmt::format("there is no {} '{}'", entity.kind->name, name), suggestion(name, known));
        return nullptr;
    }

    void choose_type(Entity& entity, const Value& word, bool derived) {
        std::string given;
        if (!reader_.text(word, entity.path + ".type", given)) return;
        const EntityType* chosen = entity.kind->type(given);
        std::vector<std::string> words;
        for (const EntityType& type : entity.kind->types) words.push_back(type.word);
        const auto& to_come = entity.kind->types_to_come;
        if (std::count(to_come.begin(), to_come.end(), given))
            reader_.fail(word.at, entity.path + ".type", fmt::format("'{}' is not in this version", given));
        else if (!chosen)
            reader_.fail(word.at, entity.path + ".type",
                         fmt::format("unknown {} type '{}'", entity.kind->name, given),
                         suggestion(given, words));
        else if (derived && chosen != entity.type)
            reader_.fail(word.at, entity.path + ".type",
                         fmt::format("its base is of type '{}'", entity.type->word));
        entity.type = chosen;
    }

    void fill(Entity& entity, int depth) {
        if (entity.filling != Entity::untouched || !entity.type || depth > kLongestDerivation) return;
        entity.filling = Entity::busy;
        const Value& table = entity.member->value;
        std::vector<std::string> known;
        bool derived = false;
        if (entity.kind->derivable) {
            known.push_back("base");
            derived = start_from_base(entity, table.find("base"), depth);
        }
        if (!entity.type->word.empty()) known.push_back("type");
        read_table(reader_, entity.type->table(), table, entity.path, entity.type->at(scene_, entity.index),
                   derived, known);
        entity.filling = Entity::done;
    }

    /// Without a written base, an entity starts from the catalogue entry of its own name.
    bool start_from_base(Entity& entity, const Value* base, int depth) {
        const std::string name = base && base->type == Value::Type::text ? base->text : entity.member->key;
        void* object = entity.type->at(scene_, entity.index);
        Entity* other = name == entity.member->key ? nullptr : find(*entity.kind, name);
        if (other) {
            fill(*other, depth + 1);
            if (other->type != entity.type) return false;
            entity.type->copy_all_but_name(object, other->type->at(scene_, other->index));
        } else if (catalogue_type(*entity.kind, name) == entity.type) {
            Scene shelf;
            void* entry = entity.type->add(shelf, name);
            entity.type->from_catalogue(name, entry);
            entity.type->copy_all_but_name(object, entry);
        } else {
            return false;
        }
        return true;
    }

    void check_counts() {
        for (const Kind& kind : kinds())
            for (const EntityType& type : kind.types)
                if (reader_.names[type.called].names.size() > type.most)
                    reader_.fail(root_.at, kind.name,
                                 fmt::format("more than {} of {}", type.most, type.called));
    }

    void append_from_catalogues() {
        for (const Kind& kind : kinds())
            for (const EntityType& type : kind.types) {
                const std::vector<std::string>& names = reader_.names[type.called].names;
                for (std::size_t i = type.count(scene_); i < names.size(); ++i)
                    type.from_catalogue(names[i], type.add(scene_, names[i]));
            }
    }

    const Value& root_;
    Reader reader_;
    Scene scene_;
    std::vector<Entity> entities_;
    std::map<std::string, std::size_t> by_path_;
};

Scene read_document(const Document& document, ReadReport* report) {
    return SceneReader(document).read(document, report);
}

}  // namespace

Scene read_scene(const std::string& path, const std::vector<std::string>& settings, ReadReport* report,
                 const std::string& second_folder) {
    Document document = load_document(path, settings);
    document.second_folder = second_folder;
    return read_document(document, report);
}

Scene read_scene_text(const std::string& text, const std::string& file_name, const std::string& folder,
                      const std::vector<std::string>& settings, ReadReport* report) {
    return read_document(load_document_text(text, file_name, folder, settings), report);
}

std::int64_t Scene::last_frame() const {
    return world::last_frame_before(time.end, time.fps);
}

}  // namespace rivulet::scene
