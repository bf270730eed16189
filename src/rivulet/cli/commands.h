#pragma once

namespace rivulet::cli {

class CommandLine;

/// Exit codes of every command.
inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130;

/// Each adds its commands to the program.
void add_run_commands(CommandLine& program);    // run, resume, branch
void add_scene_commands(CommandLine& program);  // check, info, new, scenes, explain, schema
void add_materials_command(CommandLine& program);
void add_compare_command(CommandLine& program);  // compare
void add_verify_commands(CommandLine& program);  // verify, bench
void add_view_command(CommandLine& program);     // view
void add_surface_command(CommandLine& program);  // surface
void add_render_command(CommandLine& program);   // render
void add_export_command(CommandLine& program);   // export
void add_gallery_command(CommandLine& program);

}  // namespace rivulet::cli
