#include "soak/random_scene.h"

#include <fmt/format.h>

#include <filesystem>

#include "soak/random_value.h"

#include <rivulet/base/error.h>
#include <rivulet/scene/build.h>
#include <rivulet/scene/kind.h>

namespace rivulet::soak {
namespace {

using scene::EntityType, scene::Kind;

/// Draws of one entity before it is given up.
constexpr int kTries = 40;
/// Part of the scenes with materials as different as numbers can be.
constexpr double kExtreme = 0.15;
/// Draws of one entity that are tried when a scene should have one at all.
constexpr std::size_t kMostOfAKind = 3;

class Maker {
 public:
    Maker(std::uint64_t seed, const std::string& files) : dice_(seed), folder_(files) {
        around_.cell = dice_.magnitude(0.005, 0.05);
        around_.extent = around_.cell * dice_.between(4, 12);
        around_.duration = dice_.magnitude(0.005, 0.1);
        if (dice_.chance(kExtreme)) around_.contrast = 1e12;
        for (const auto& entry : std::filesystem::directory_iterator(files))
            around_.files.push_back(entry.path().filename().string());
        std::sort(around_.files.begin(), around_.files.end());
    }

    RandomScene make() {
        head();
        top_tables(false);
        for (const Kind& kind : scene::kinds())
            for (const EntityType& type : kind.types) {
                auto& names = around_.names[type.called];
                if (type.catalogue) names = type.catalogue();
                for (std::size_t i = 0, n = dice_.below(kMostOfAKind + 1); i < n; ++i) entity(kind, type, i);
            }
        top_tables(true);
        return {text_, refused_};
    }

 private:
    /// What bounds the work, so that a scene takes seconds.
    void head() {
        text_ = fmt::format(
            "format = 1\n[time]\nfps = {:.5g}\nend = \"{:.5g} s\"\n[grid]\ncell = \"{:.5g} m\"\n"
            "[output]\nmax_particles = 8000\nmax_vertices = 600\nmin_free_disk = \"1 MiB\"\n",
            3 / around_.duration, around_.duration, around_.cell);
    }
    /// Whether a table or one inside of it names entities.
    static bool names_entities(const scene::Table& table) {
        return std::any_of(table.fields.begin(), table.fields.end(), [](const scene::Field& field) {
            return !field.refers_to.empty() || !field.refers_to_any.empty() ||
                   (field.table && names_entities(field.table()));
        });
    }
    /// The other single tables, each as a whole or not at all; those that name entities come after them.
    void top_tables(bool naming) {
        for (const scene::Field& field : scene::scene_table().fields) {
            if (!field.table || text_.find("[" + field.key + "]\n") != std::string::npos) continue;
            if (names_entities(field.table()) != naming) continue;
            if (!dice_.chance(0.5)) continue;
            for (int i = 0; i < kTries; ++i)
                if (taken("[" + field.key + "]\n" + random_lines(dice_, field.table(), around_))) break;
        }
    }
    void entity(const Kind& kind, const EntityType& type, std::size_t number) {
        const std::string name =
            fmt::format("{}_{}", type.word.empty() ? kind.name : type.word + "_" + kind.name, number);
        for (int i = 0; i < kTries; ++i) {
            std::string more = fmt::format("[{}.{}]\n", kind.name, name);
            if (!type.word.empty()) more += fmt::format("type = \"{}\"\n", type.word);
            if (kind.derivable && !around_.names[type.called].empty() && dice_.chance(0.7))
                more += fmt::format("base = \"{}\"\n", dice_.one_of(around_.names[type.called]));
            more += random_lines(dice_, type.table(), around_);
            if (!taken(more)) continue;
            around_.names[type.called].push_back(name);
            return;
        }
    }
    /// Whether the program takes the scene with this added; only InputError may say no.
    bool taken(const std::string& more) {
        const std::string whole = text_ + more;
        try {
            scene::build(scene::read_scene_text(whole, "soak.toml", folder_));
        } catch (const InputError&) {
            ++refused_;
            return false;
        }
        text_ = whole;
        return true;
    }

    Dice dice_;
    Surroundings around_;
    std::string folder_, text_;
    std::int64_t refused_ = 0;
};

}  // namespace

RandomScene random_scene(std::uint64_t seed, const std::string& files) {
    return Maker(seed, files).make();
}

}  // namespace rivulet::soak
