#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace rivulet::soak {

/// How a random scene went.
struct Outcome {
    std::string finding;   // "" when everything held
    std::string summary;   // one line for people
    bool stopped = false;  // the run gave up, naming stage and entity as it should
};

/// Makes the scene of this seed and runs it for a few steps in `folder`: straight with two threads, and with
/// one thread in two parts. Asks for equal worlds, a ledger that closes, finite numbers in metrics, frames
/// and checkpoints, and that a run which gives up says where.
Outcome run_one(std::uint64_t seed, const std::string& files, const std::filesystem::path& folder);
/// The same for a scene that was found wanting once; it reads its files from `files`.
Outcome run_scene(const std::string& text, const std::string& files, const std::filesystem::path& folder);

}  // namespace rivulet::soak
