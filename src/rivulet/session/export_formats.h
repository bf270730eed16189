#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>
#include <rivulet/session/exports.h>

namespace rivulet::session {

/// One format: the files of a frame, and the files that list frames.
class FormatWriter {
 public:
    virtual ~FormatWriter() = default;
    /// Returns the names of the frame's files.
    virtual std::vector<std::string> write(const output::ExportFrame& frame) = 0;
    /// Whether the files of a frame are there.
    virtual bool complete(std::int64_t frame) const = 0;
    struct Finished {
        std::vector<std::string> names;      // files that list frames
        std::vector<std::string> open_this;  // what to open, with its path
    };
    /// Lists these frames.
    virtual Finished finish(const std::vector<std::int64_t>& frames) = 0;
};

std::unique_ptr<FormatWriter> format_writer(io::FileSystem& files, const std::filesystem::path& folder,
                                            const ExportJob& job);

}  // namespace rivulet::session
