#pragma once

#include <string>

namespace CLI {
class App;
}

namespace rivulet::cli {

/// Exit codes of every command.
inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130;

/// Each adds its commands to the program; a command that runs stores its exit code.
void add_run_commands(CLI::App& app, int& exit_code);  // run, resume
void add_scene_commands(CLI::App& app,
                        int& exit_code);  // check, info, new, scenes, explain, schema, materials
void add_compare_command(CLI::App& app, int& exit_code);  // compare
void add_verify_commands(CLI::App& app, int& exit_code);  // verify, bench
void add_view_command(CLI::App& app, int& exit_code);     // view
void add_surface_command(CLI::App& app, int& exit_code);  // surface
void add_render_command(CLI::App& app, int& exit_code);   // render
void add_export_command(CLI::App& app, int& exit_code);   // export
void add_gallery_command(CLI::App& app, int& exit_code);

}  // namespace rivulet::cli
