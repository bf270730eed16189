#pragma once

#include <string>

#include <rivulet/output/run_directory.h>
#include <rivulet/output/run_record.h>
#include <rivulet/scene/scene.h>

namespace rivulet::session {

std::string hash_of_text(const std::string& text);

/// A checkpoint belongs to the scene it was computed with: throws InputError when scene.toml was edited.
void require_unchanged_scene(const output::RunPaths& paths, const output::RunRecord& record);

/// The scene a run was computed with, also when scene.toml was edited since: the run keeps a copy.
scene::Scene original_scene(const output::RunPaths& paths, const output::RunRecord& record,
                            scene::ReadReport* report = nullptr);

}  // namespace rivulet::session
