#include <rivulet/output/run_record.h>

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/text_file.h>

namespace rivulet::output {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<RunStatus, const char*>, 4> kStatusNames{
    {{RunStatus::running, "running"},
     {RunStatus::finished, "finished"},
     {RunStatus::interrupted, "interrupted"},
     {RunStatus::failed, "failed"}}};

/// Reading and writing share this list, so that they cannot disagree.
template <class Record, class Visit>
void plain_members(Record& r, Visit&& visit) {
    visit("format", r.format), visit("version", r.version), visit("scene", r.scene);
    visit("host", r.host), visit("pid", r.pid), visit("heartbeat", r.heartbeat);
    visit("threads", r.threads), visit("seed", r.seed);
    visit("steps", r.steps), visit("frames", r.frames), visit("last_frame", r.last_frame),
        visit("fps", r.fps);
    visit("simulated_seconds", r.simulated_seconds), visit("wall_seconds", r.wall_seconds);
    visit("peak_memory_bytes", r.peak_memory_bytes);
    visit("particles_max", r.particles_max), visit("vertices", r.vertices);
    visit("grid_cells_max", r.grid_cells_max), visit("warnings", r.warnings);
}

RunStatus status_from(const std::string& text) {
    for (const auto& [status, name] : kStatusNames)
        if (text == name) return status;
    throw std::invalid_argument("unknown status '" + text + "'");
}

}  // namespace

std::string to_text(RunStatus status) {
    for (const auto& [s, name] : kStatusNames)
        if (s == status) return name;
    return "unknown";
}

std::string to_json(const RunRecord& record) {
    Json json;
    plain_members(record, [&](const char* key, const auto& value) { json[key] = value; });
    json["scene_xxh64"] = record.scene_xxh64;
    if (!record.branched_from.empty())
        json["branched_from"] = record.branched_from, json["first_step"] = record.first_step;
    json["status"] = to_text(record.status);
    json["error"] = nullptr;
    if (record.error)
        json["error"] = {{"stage", record.error->stage},
                         {"entity", record.error->entity},
                         {"frame", record.error->frame},
                         {"message", record.error->message}};
    Json stages = Json::object();
    for (const auto& s : record.stages) stages[s.name] = {{"seconds", s.seconds}, {"calls", s.calls}};
    json["stages"] = stages;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunRecord parse_run_record(const std::string& text, const std::string& name) {
    const auto refuse = [&](const std::string& message, const std::string& hint) {
        return InputError(Problem{name, 0, 0, "", message, hint});
    };
    try {
        const Json json = Json::parse(text);
        RunRecord record;
        record.format = json.at("format").get<int>();
        if (record.format > kRunFormat)
            throw refuse(
                fmt::format("run format {} is newer than this program knows ({})", record.format, kRunFormat),
                "use a newer rivulet");
        plain_members(record, [&](const char* key, auto& value) { json.at(key).get_to(value); });
        record.scene_xxh64 = json.value("scene_xxh64", "");
        record.branched_from = json.value("branched_from", "");
        record.first_step = json.value("first_step", std::int64_t{0});
        record.status = status_from(json.at("status").get<std::string>());
        if (!json.at("error").is_null()) {
            const Json& e = json.at("error");
            record.error =
                RunRecord::Failure{e.at("stage").get<std::string>(), e.at("entity").get<std::string>(),
                                   e.at("message").get<std::string>(), e.at("frame").get<std::int64_t>()};
        }
        for (const auto& [key, value] : json.at("stages").items())
            record.stages.push_back(
                {key, value.at("seconds").get<double>(), value.at("calls").get<std::uint64_t>()});
        return record;
    } catch (const InputError&) {
        throw;
    } catch (const std::exception& e) {
        throw refuse(fmt::format("not a run record ({})", e.what()), "is this a run directory of rivulet?");
    }
}

void write_run_record(io::FileSystem& files, const std::string& path, const RunRecord& record) {
    io::write_atomically(files, path, to_json(record));
}

RunRecord read_run_record(const std::string& path) {
    return parse_run_record(io::read_text(path), path);
}

}  // namespace rivulet::output
