#pragma once

#include <string>
#include <vector>

#include <rivulet/scene/value.h>

namespace rivulet::scene {

/// A scene text with its includes and command-line settings merged, and every file that went into it.
struct Document {
    Value root;
    std::vector<std::string> files;    // Source::file indexes this; settings appear as "--set key=value"
    std::vector<std::string> folders;  // of each file: what relative paths written there start from
    std::vector<std::string> read;     // absolute paths of the scene and its includes
    std::string second_folder;         // where relative paths start that lead nowhere from there; "": none
};

/// Strength: include < file < settings. Merging goes table by table; arrays and values replace.
Document load_document(const std::string& path, const std::vector<std::string>& settings);
/// The same from memory; `file_name` is for messages, includes start from `folder`.
Document load_document_text(const std::string& text, const std::string& file_name, const std::string& folder,
                            const std::vector<std::string>& settings);

}  // namespace rivulet::scene
