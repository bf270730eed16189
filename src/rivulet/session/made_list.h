#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>

namespace rivulet::session {

/// made.csv in a folder of pictures or exports: which frame was made from which settings, so that work that
/// was interrupted goes on and work with other settings is done anew.
class MadeList {
 public:
    /// `settings` is any text that says everything the result depends on besides the frame. A list that
    /// cannot be read counts as empty.
    MadeList(io::FileSystem& files, std::filesystem::path folder, const std::string& settings);

    bool has(std::int64_t frame) const;
    /// Takes the frame off the list before its files are written over: they may come to be half of one and
    /// half of another.
    void begin(std::int64_t frame);
    /// Notes the frame; its files must be complete.
    void add(std::int64_t frame);
    /// Frames made from these settings, ascending.
    std::vector<std::int64_t> frames() const;

 private:
    void write() const;
    std::filesystem::path file() const { return folder_ / "made.csv"; }

    io::FileSystem& files_;
    std::filesystem::path folder_;
    std::string key_;
    std::map<std::int64_t, std::string> key_of_frame_;
};

}  // namespace rivulet::session
