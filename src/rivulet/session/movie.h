#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <rivulet/base/progress.h>
#include <rivulet/io/file_system.h>

namespace rivulet::session {

/// Throws InputError with what to do when the program `ffmpeg` is not on this machine.
void require_ffmpeg();

/// PNG pictures of one size, in order, as an H.264 movie (.mp4). Replaces `path` only when all went well.
/// The same pictures give the same bytes. Throws IoError with ffmpeg's own words when it fails.
void write_movie(io::FileSystem& files, const std::filesystem::path& path,
                 const std::vector<std::filesystem::path>& pictures, double fps,
                 const Progress& progress = {});

}  // namespace rivulet::session
