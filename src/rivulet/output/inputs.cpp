#include <rivulet/output/inputs.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/copy_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/run_contents.h>

namespace rivulet::output {

namespace fs = std::filesystem;

namespace {

constexpr const char* kList = "inputs.json";

}  // namespace

std::map<std::string, std::string> input_folders(const std::vector<std::string>& inputs) {
    std::map<std::string, std::string> folders;
    for (const std::string& path : inputs)
        folders.try_emplace(fs::path(path).parent_path().string(), fmt::format("inputs/{}", folders.size()));
    return folders;
}

void store_inputs(io::FileSystem& files, const fs::path& run, const std::vector<std::string>& inputs) {
    const auto folders = input_folders(inputs);
    for (const auto& [from, to] : folders) files.create_directories(run / to);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string& input : inputs) {
        const fs::path path(input);
        const fs::path copy = fs::path(folders.at(path.parent_path().string())) / path.filename();
        const auto [bytes, hash] = io::copy_file(files, path, run / copy);
        list.push_back({{"path", input},
                        {"bytes", bytes},
                        {"xxh64", io::hash_text(hash)},
                        {"needed", path.extension() != ".toml"},
                        {"copy", copy.lexically_relative("inputs").string()}});
    }
    io::write_atomically(files, run / "inputs" / kList, list.dump(2) + "\n");
}

std::vector<std::string> stored_inputs(const fs::path& folder) {
    std::vector<std::string> names;
    if (!fs::exists(folder / kList)) return names;
    try {
        for (const auto& entry : nlohmann::json::parse(io::read_text(folder / kList)))
            if (entry.at("copy").is_string() && stays_inside(entry.at("copy").get<std::string>()))
                names.push_back(entry.at("copy").get<std::string>());
    } catch (const std::exception&) {
        // A list that cannot be read lists nothing more.
    }
    names.emplace_back(kList);
    return names;
}

void require_unchanged_inputs(const fs::path& folder) {
    const fs::path list_path = folder / kList;
    const auto problem = [](const fs::path& file, const std::string& message) {
        return Problem{file.string(), 0, 0, "", message, "a run goes on only with the files it started with"};
    };
    std::vector<Problem> problems;
    try {
        const auto list = nlohmann::json::parse(io::read_text(list_path));
        for (const auto& entry : list) {
            if (!entry.at("needed").get<bool>()) continue;
            // Runs of earlier versions read the files where they were, whether or not they have copies.
            const auto& copy = entry.at("copy");
            const bool own = copy.is_string() && fs::path(copy.get<std::string>()).has_parent_path();
            const fs::path path =
                own ? folder / copy.get<std::string>() : fs::path(entry.at("path").get<std::string>());
            if (!fs::exists(path))
                problems.push_back(problem(path, "is gone since the run started"));
            else if (io::hash_text(io::xxh64_of_file(path)) != entry.at("xxh64").get<std::string>())
                problems.push_back(problem(path, "has changed since the run started"));
        }
    } catch (const nlohmann::json::exception& e) {
        problems.push_back(problem(list_path, fmt::format("cannot be understood ({})", e.what())));
    }
    if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace rivulet::output
