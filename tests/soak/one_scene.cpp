#include "soak/one_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "soak/random_scene.h"
#include "support/same_world.h"

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/io/archive.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/text_file.h>
#include <rivulet/output/csv.h>
#include <rivulet/output/run_directory.h>
#include <rivulet/session/run.h>
#include <rivulet/world/stepper.h>

namespace rivulet::soak {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSteps = 12, kFirstPart = 5;
constexpr double kLedger = 1e-12;

/// Goes on until the run has taken so many steps in all, or has come to its end.
session::RunSetup until(std::int64_t steps) {
    session::RunSetup setup;
    auto taken = std::make_shared<std::int64_t>(0);
    setup.watcher.step = [taken](const session::News& news) { *taken = news.step; };
    setup.watcher.stop_wanted = [taken, steps] { return *taken >= steps; };
    return setup;
}

world::World last_world(const fs::path& run) {
    const output::RunPaths paths{run};
    const auto steps = output::checkpoint_steps(paths);
    if (steps.empty()) throw Error("the run left no checkpoint");
    return output::read_checkpoint(paths.checkpoint(steps.front())).world;
}

/// What the rows of metrics.csv say against the run; "" when nothing.
std::string complaint_about(const fs::path& run) {
    const auto table = output::parse_csv(io::read_text(output::RunPaths{run}.metrics()));
    for (const auto& row : table.rows)
        for (std::size_t c = 0; c < row.size(); ++c) {
            const double value = std::stod(row[c]);
            if (!std::isfinite(value)) return fmt::format("{} is {}", table.header[c], row[c]);
            if (table.header[c] == "volume_error" && std::abs(value) > kLedger)
                return fmt::format("the ledger is off by {}", row[c]);
        }
    return "";
}

template <class T>
bool all_finite(const std::vector<std::byte>& bytes) {
    for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
        T value;
        std::memcpy(&value, bytes.data() + i, sizeof(T));
        if (!std::isfinite(value)) return false;
    }
    return true;
}

/// The first array of an archive with a number that is none; "" without one.
std::string not_finite_in(const fs::path& path) {
    const io::ArchiveReader archive(path);
    for (const io::ArrayInfo& info : archive.arrays()) {
        const bool good = info.dtype == io::Dtype::float32   ? all_finite<float>(archive.read_raw(info.name))
                          : info.dtype == io::Dtype::float64 ? all_finite<double>(archive.read_raw(info.name))
                                                             : true;
        if (!good) return fmt::format("{} of {} is not finite", info.name, path.filename().string());
    }
    return "";
}

/// What the files of a run say against it: its checkpoint by the lists of fields, its frames array by array.
std::string complaint_about_files(const fs::path& run) {
    const output::RunPaths paths{run};
    try {
        world::require_finite(last_world(run));
    } catch (const StepFailed& failure) {
        return fmt::format("the checkpoint: {} {}", failure.entity, failure.reason);
    }
    std::vector<fs::path> files{paths.fixed()};
    for (const std::int64_t k : output::frame_numbers(paths)) files.push_back(paths.frame(k));
    for (const fs::path& file : files)
        if (const std::string found = not_finite_in(file); !found.empty()) return found;
    return "";
}

std::string how_it_ended(const output::RunRecord& record) {
    if (!record.error) return output::to_text(record.status);
    return fmt::format("{} in {}, {}", output::to_text(record.status), record.error->stage,
                       record.error->entity);
}

std::string compare(const output::RunRecord& straight, const output::RunRecord& parts,
                    const fs::path& folder) {
    if (straight.error && (straight.error->stage.empty() || straight.error->entity.empty()))
        return "the run gave up without saying where";
    if (how_it_ended(straight) != how_it_ended(parts))
        return fmt::format("straight: {}; in parts: {}", how_it_ended(straight), how_it_ended(parts));
    const std::string field =
        world::first_difference(last_world(folder / "straight"), last_world(folder / "parts"));
    if (!field.empty())
        return fmt::format("{} differs between two threads straight and one thread in parts", field);
    const std::string rows = complaint_about(folder / "straight");
    return rows.empty() ? complaint_about_files(folder / "straight") : rows;
}

}  // namespace

Outcome run_scene(const std::string& text, const std::string& files, const fs::path& folder) {
    const fs::path path = folder / "scene.toml";
    // The scene lies beside the files it names.
    for (const auto& entry : fs::directory_iterator(files))
        fs::copy_file(entry.path(), folder / entry.path().filename(), fs::copy_options::overwrite_existing);
    io::write_atomically(io::real_file_system(), path, text);
    const auto straight =
        with_threads(2, [&] { return session::start(path, {}, folder / "straight", true, until(kSteps)); });
    const auto parts = with_threads(1, [&] {
        const auto first = session::start(path, {}, folder / "parts", true, until(kFirstPart));
        return first.status == output::RunStatus::interrupted
                   ? session::resume(folder / "parts", until(kSteps))
                   : first;
    });
    Outcome out;
    out.finding = compare(straight, parts, folder);
    out.stopped = straight.error.has_value();
    out.summary = fmt::format("{} steps, {} particles, {} vertices, {}", straight.steps,
                              straight.particles_max, straight.vertices, how_it_ended(straight));
    return out;
}

Outcome run_one(std::uint64_t seed, const std::string& files, const fs::path& folder) {
    const RandomScene scene = random_scene(seed, files);
    Outcome out = run_scene(scene.text, files, folder);
    out.summary += fmt::format(", {} draws refused", scene.refused);
    return out;
}

}  // namespace rivulet::soak
