#include <rivulet/output/inputs.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/run_contents.h>

namespace rivulet::output {

namespace fs = std::filesystem;

namespace {
constexpr std::uintmax_t kMostCopiedBytes = 1 << 20;
constexpr const char* kList = "inputs.json";
}  // namespace

void store_inputs(io::FileSystem& files, const fs::path& folder, const std::vector<fs::path>& inputs) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const fs::path& path = inputs[i];
        const std::uintmax_t bytes = fs::file_size(path);
        nlohmann::ordered_json entry{{"path", fs::absolute(path).lexically_normal().string()},
                                     {"bytes", bytes},
                                     {"xxh64", io::hash_text(io::xxh64_of_file(path))},
                                     {"needed", path.extension() != ".toml"},
                                     {"copy", nullptr}};
        if (bytes <= kMostCopiedBytes) {
            const std::string name = fmt::format("{:03}_{}", i, path.filename().string());
            io::write_atomically(files, folder / name, io::read_text(path, kMostCopiedBytes));
            entry["copy"] = name;
        }
        list.push_back(std::move(entry));
    }
    io::write_atomically(files, folder / kList, list.dump(2) + "\n");
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
            const fs::path path = entry.at("path").get<std::string>();
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
