#include <rivulet/viewer/run_content.h>

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include <rivulet/base/error.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/input_file.h>
#include <rivulet/io/text_file.h>
#include <rivulet/scene/scene.h>
#include <rivulet/viewer/assets.h>
#include <rivulet/viewer/packet.h>

namespace rivulet::viewer {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostRecordBytes = 1 << 20, kMostSceneBytes = 4 << 20, kMostListBytes = 256 << 20;
constexpr std::uint64_t kMostCacheBytes = 64 << 20;
constexpr std::uint64_t kLogTail = 256 << 10;
constexpr std::size_t kKeyLength = 16;

template <class Number>
bool parse_cell(std::string_view& line, Number& value) {
    const std::string_view cell = line.substr(0, line.find(','));
    line.remove_prefix(std::min(line.size(), cell.size() + 1));
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc{} && end == cell.data() + cell.size();
}

bool parse_row(std::string_view line, ListedFrame& row) {
    std::int64_t step = 0;
    std::uint64_t bytes = 0;
    if (!parse_cell(line, row.frame) || !parse_cell(line, row.time) || !parse_cell(line, step) ||
        !parse_cell(line, bytes))
        return false;
    row.hash = std::string(line);
    return row.frame >= 0 && row.frame < 1'000'000'000 && row.hash.size() == 16 &&
           row.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Size and time of change, "-" for a file that is not there.
std::string stamp(const fs::path& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error) return "-";
    return fmt::format("{}:{}", size, fs::last_write_time(path, error).time_since_epoch().count());
}

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::uint64_t size_or_zero(const fs::path& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    return error ? 0 : size;
}

std::string file_or_null(const fs::path& path, std::uint64_t most) {
    std::error_code error;
    if (!fs::exists(path, error)) return "null";
    return json_text(io::read_text(path, most));
}

Response packet_response(std::string bytes) {
    return {200, "application/octet-stream", std::move(bytes)};
}

}  // namespace

std::vector<ListedFrame> parse_frame_list(std::string_view text, std::size_t& damaged) {
    std::vector<ListedFrame> rows;
    damaged = 0;
    bool header = true;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        ListedFrame row;
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (std::exchange(header, false)) continue;
        if (parse_row(line, row) && (rows.empty() || row.frame > rows.back().frame))
            rows.push_back(std::move(row));
        else
            ++damaged;
    }
    return rows;
}

RunContent::RunContent(fs::path root)
    : root_(std::move(root)),
      metrics_(root_ / "metrics.csv"),
      timings_(root_ / "timings.csv"),
      surfaces_(output::RunPaths{root_}) {}

void require_run_directory(const fs::path& root) {
    std::error_code error;
    if (!fs::exists(root / "run.json", error) && !fs::is_directory(root / "frames", error))
        throw InputError(Problem{root.string(), 0, 0, "", "is not a run directory (no run.json, no frames)",
                                 "give the folder that 'rivulet run' wrote"});
}

std::optional<Response> RunContent::asset(std::string_view name) {
    for (const Asset& a : assets())
        if (a.name == name) return Response{200, std::string(a.type), std::string(a.bytes)};
    return std::nullopt;
}

const RunContent::FrameList& RunContent::frame_list() {
    const fs::path path = root_ / "frames.csv";
    std::error_code error;
    const std::uint64_t size = fs::file_size(path, error);
    const auto changed = fs::last_write_time(path, error);
    if (error) {
        list_ = {};
        list_.error = "frames.csv cannot be read";
        return list_;
    }
    if (size == list_.size && changed == list_.changed) return list_;
    list_ = {};
    try {
        list_.rows = parse_frame_list(io::read_text(path, kMostListBytes), list_.damaged);
        list_.size = size;
        list_.changed = changed;
    } catch (const Error& e) {
        list_.error = e.what();
    }
    return list_;
}

Response RunContent::run() {
    std::string record = "null", record_error = "null";
    try {
        record = file_or_null(root_ / "run.json", kMostRecordBytes);
        if (record == "null") record_error = json_text("run.json is missing");
    } catch (const Error& e) {
        record_error = json_text(e.what());
    }
    const std::lock_guard guard(lock_);
    const FrameList& list = frame_list();
    return json_response(
        200, fmt::format(
                 "{{\"folder\": {}, \"now\": {:.3f}, \"record\": {}, \"record_error\": {}, \"frames\": {}, "
                 "\"last\": {}, \"damaged_rows\": {}, \"list_error\": {}, \"metrics_bytes\": {}, "
                 "\"timings_bytes\": {}, \"log_bytes\": {}}}",
                 json_text(root_.string()), seconds_since_1970(), record, record_error, list.rows.size(),
                 list.rows.empty() ? -1 : list.rows.back().frame, list.damaged,
                 list.error.empty() ? "null" : json_text(list.error), size_or_zero(root_ / "metrics.csv"),
                 size_or_zero(root_ / "timings.csv"), size_or_zero(root_ / "log.txt")));
}

Response RunContent::frames(std::int64_t from) {
    const std::lock_guard guard(lock_);
    const FrameList& list = frame_list();
    std::string json = "[";
    for (std::size_t i = static_cast<std::size_t>(from); i < list.rows.size(); ++i)
        json += fmt::format("{}[{}, {}, \"{}\"]", json.size() > 1 ? ", " : "", list.rows[i].frame,
                            json_number(list.rows[i].time), list.rows[i].hash);
    return json_response(200, json + "]");
}

output::FrameFiles RunContent::files_of(std::int64_t number) const {
    const std::string name = fmt::format("{:06}.npz", number);
    return {root_ / "frames" / name, root_ / "static.npz", root_ / "surface" / name};
}

std::string RunContent::cache_key(std::int64_t number) {
    std::string hash;
    {
        const std::lock_guard guard(lock_);
        for (const ListedFrame& row : frame_list().rows)
            if (row.frame == number) hash = row.hash;
    }
    const output::FrameFiles files = files_of(number);
    const std::string text = fmt::format("{}|{}|{}|{}|{}", kPreviewVersion, hash, stamp(files.frame),
                                         stamp(files.fixed), stamp(files.surface));
    return io::hash_text(io::xxh64(std::as_bytes(std::span(text))));
}

Response RunContent::frame(std::int64_t number) {
    const output::FrameFiles files = files_of(number);
    const fs::path cached = root_ / "cache" / fmt::format("{:06}.preview", number);
    std::error_code ignored;
    if (!fs::exists(files.frame, ignored))
        return json_response(404, fmt::format("{{\"error\": {}}}",
                                              json_text(files.frame.filename().string() + " is not there")));
    const std::string key = cache_key(number);
    try {
        if (fs::exists(cached, ignored)) {
            std::string bytes = io::read_text(cached, kMostCacheBytes);
            if (bytes.starts_with(key)) return packet_response(bytes.substr(kKeyLength));
        }
    } catch (const Error&) {
        // An unreadable preview is made again.
    }
    const std::lock_guard guard(building_);
    const std::string packet = make_preview(number, files);
    try {
        io::FileSystem& system = io::real_file_system();
        system.create_directories(root_ / "cache");
        io::write_atomically(system, cached, key + packet);
    } catch (const Error&) {
        // A folder that cannot be written is viewed without a cache.
    }
    return packet_response(packet);
}

Response RunContent::obstacles() {
    const std::lock_guard guard(building_);
    return packet_response(make_obstacle_packet(root_ / "static.npz"));
}

Response RunContent::table(std::string_view name) {
    const std::lock_guard guard(lock_);
    const ThinnedTable& table = (name == "metrics" ? metrics_ : timings_).update();
    PacketWriter packet;
    std::string columns;
    for (const std::string& c : table.columns()) columns += (columns.empty() ? "" : ", ") + json_text(c);
    const std::size_t at = packet.add(std::span<const float>(table.values()));
    return packet_response(packet.finish(fmt::format(
        "{{\"columns\": [{}], \"rows\": {}, \"rows_of_file\": {}, \"damaged\": {}, \"values\": {}}}", columns,
        table.rows(), table.rows_of_file(), table.damaged(), at)));
}

Response RunContent::scene() {
    return plain_response(200, io::read_text(root_ / "scene.toml", kMostSceneBytes));
}

Response RunContent::cameras() {
    const auto vector = [](const Vec3d& v) {
        return fmt::format("[{}, {}, {}]", json_number(v.x), json_number(v.y), json_number(v.z));
    };
    std::vector<scene::Camera> cameras;
    try {
        cameras = scene::read_scene((root_ / "scene.toml").string()).cameras;
    } catch (const Error&) {
        // A scene that cannot be read has no cameras to look through.
    }
    std::string json = "[";
    for (const scene::Camera& c : cameras)
        json += fmt::format("{}{{\"name\": {}, \"position\": {}, \"target\": {}, \"up\": {}, \"fov\": {}}}",
                            json.size() > 1 ? ", " : "", json_text(c.name), vector(c.position),
                            vector(c.target), vector(c.up), json_number(c.fov));
    return json_response(200, json + "]");
}

Response RunContent::surface() {
    return json_response(200, surfaces_.state());
}

Response RunContent::make_surface(std::optional<std::int64_t> frame) {
    std::vector<std::int64_t> frames;
    {
        const std::lock_guard guard(lock_);
        for (const ListedFrame& row : frame_list().rows)
            if (!frame || row.frame == *frame) frames.push_back(row.frame);
    }
    if (frames.empty()) return json_response(404, "{\"error\": \"there is no such frame\"}");
    if (!surfaces_.start(std::move(frames)))
        return json_response(409, "{\"error\": \"surfaces are being made already\"}");
    return surface();
}

Response RunContent::stop_surface() {
    surfaces_.stop();
    return surface();
}

Response RunContent::log() {
    const io::InputFile file(root_ / "log.txt");
    const std::uint64_t from = file.size() > kLogTail ? file.size() - kLogTail : 0;
    std::string text(static_cast<std::size_t>(file.size() - from), '\0');
    text.resize(file.read_some(from, std::as_writable_bytes(std::span(text))));
    if (from > 0) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
    return plain_response(200, text);
}

Response RunContent::locate(std::int64_t frame, std::string_view entity) {
    const std::lock_guard guard(building_);
    return json_response(200, locate_entity(files_of(frame), entity));
}

}  // namespace rivulet::viewer
