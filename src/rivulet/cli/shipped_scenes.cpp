#include <rivulet/cli/shipped_scenes.h>

#include <algorithm>
#include <fstream>

namespace rivulet::cli {

namespace {

namespace fs = std::filesystem;

fs::path scenes_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path() / "../share/rivulet/scenes";
    return fs::is_directory(installed) ? installed.lexically_normal() : fs::path(RIVULET_SCENES);
}

/// What stands between the first quotation marks of a line and the last; "" without any.
std::string in_quotes(const std::string& line) {
    const auto begin = line.find('"'), end = line.rfind('"');
    return begin != std::string::npos && end > begin ? line.substr(begin + 1, end - begin - 1) : "";
}

/// Title, the comment before everything else and what is included, without reading the scene.
void describe(ShippedScene& scene) {
    std::ifstream in(scene.path);
    bool top = true;
    for (std::string line; std::getline(in, line) && line.rfind("[", 0) != 0;) {
        top = top && line.rfind("# ", 0) == 0;
        if (top) scene.about += (scene.about.empty() ? "" : " ") + line.substr(2);
        if (line.rfind("title", 0) == 0) scene.title = in_quotes(line);
        if (line.rfind("include", 0) == 0)
            scene.parent =
                (fs::path(scene.name).parent_path() / in_quotes(line)).replace_extension().string();
    }
}

}  // namespace

std::vector<ShippedScene> shipped_scenes() {
    std::vector<ShippedScene> scenes;
    const fs::path root = scenes_folder();
    if (!fs::is_directory(root)) return scenes;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.path().extension() != ".toml") continue;
        fs::path name = fs::relative(entry.path(), root);
        scenes.push_back({entry.path(), name.replace_extension().string(), "", "", ""});
        describe(scenes.back());
    }
    std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return scenes;
}

}  // namespace rivulet::cli
