#include <rivulet/session/stored_run.h>

#include <fmt/format.h>

#include <span>

#include <rivulet/base/error.h>
#include <rivulet/base/printable.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>

namespace rivulet::session {

std::string hash_of_text(const std::string& text) {
    return io::hash_text(io::xxh64(std::as_bytes(std::span(text))));
}

void require_unchanged_scene(const output::RunPaths& paths, const output::RunRecord& record) {
    const std::string scene = paths.scene().string();
    if (record.scene_xxh64.empty() || hash_of_text(io::read_text(scene)) == record.scene_xxh64) return;
    throw InputError(Problem{
        scene, 0, 0, "", "was edited after the run started, which goes on only as it began",
        fmt::format("take the edit back, or go on with it in a new folder: rivulet branch {} --scene {} "
                    "--at FRAME -o ELSEWHERE",
                    shell_word(paths.root.string()), shell_word(scene))});
}

scene::Scene original_scene(const output::RunPaths& paths, const output::RunRecord& record,
                            scene::ReadReport* report) {
    // As read_scene calls it, so that both give their files the same names.
    const std::string folder = std::filesystem::weakly_canonical(paths.root).string();
    for (const auto& path : {paths.scene(), paths.original_scene()}) {
        if (!std::filesystem::exists(path)) continue;
        const std::string text = io::read_text(path);
        if (record.scene_xxh64.empty() || hash_of_text(text) == record.scene_xxh64)
            return scene::read_scene_text(text, path.string(), folder, {}, report);
    }
    throw InputError(Problem{paths.scene().string(), 0, 0, "", "is no longer the scene the run began with",
                             "put it back, or start a new run"});
}

}  // namespace rivulet::session
