#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <rivulet/io/file_system.h>

namespace rivulet::output {

/// made.csv in a folder of surfaces, pictures or exports: which files of which frame were made from which
/// settings, so that work that was interrupted goes on, work with other settings is done anew, and nothing
/// else in the folder is taken for ours.
class MadeList {
 public:
    /// `settings` is any text that says everything the result depends on besides the frame. A list that
    /// cannot be read counts as empty.
    MadeList(io::FileSystem& files, std::filesystem::path folder, const std::string& settings);

    bool has(std::int64_t frame) const;
    /// Whether any file of a frame is listed, complete or not, from whatever settings.
    bool lists(std::int64_t frame) const { return of_frame_.count(frame) > 0; }
    /// Says that the frame is not complete before its files are written over, which may come to be half of
    /// one and half of another, and that these names are ours before there is a file.
    void begin(std::int64_t frame, const std::vector<std::string>& names = {});
    /// Notes the frame; its files, by their names in the folder, must be complete.
    void add(std::int64_t frame, const std::vector<std::string>& names);
    /// Notes files that belong to all frames.
    void add_common(const std::vector<std::string>& names);
    /// Frames made from these settings, ascending.
    std::vector<std::int64_t> frames() const;

 private:
    struct Made {
        std::string key, names;  // names are joined by '|'
    };
    void write() const;
    std::filesystem::path file() const { return folder_ / kName; }

    io::FileSystem& files_;
    std::filesystem::path folder_;
    std::string key_;
    std::map<std::int64_t, Made> of_frame_;
    std::string common_;

 public:
    static constexpr const char* kName = "made.csv";
};

/// Names of all files that the list in this folder gives, itself at the end; none without a list. Names that
/// would lead out of the folder are not ours.
std::vector<std::string> made_files(const std::filesystem::path& folder);

}  // namespace rivulet::output
