#include <rivulet/viewer/route.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <rivulet/base/error.h>

namespace rivulet::viewer {
namespace {

bool is_own_host(std::string_view host, std::uint16_t port) {
    return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

bool is_own_origin(std::string_view origin, std::uint16_t port) {
    constexpr std::string_view scheme = "http://";
    return origin.starts_with(scheme) && is_own_host(origin.substr(scheme.size()), port);
}

/// Digits only, at most nine of them.
std::optional<std::int64_t> parse_number(std::string_view text) {
    std::int64_t value = 0;
    if (text.empty() || text.size() > 9) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::string query_value(const Request& request, const char* name) {
    const auto found = request.query.find(name);
    return found == request.query.end() ? std::string() : found->second;
}

Response not_found() {
    return plain_response(404, "not found\n");
}

Response answer_api(std::string_view name, const Request& request, Content& content) {
    constexpr std::string_view frame_prefix = "frame/", table_prefix = "table/";
    if (name == "run") return content.run();
    if (name == "scene") return content.scene();
    if (name == "log") return content.log();
    if (name == "cameras") return content.cameras();
    if (name == "surface") return content.surface();
    if (name == "obstacles") return content.obstacles();
    if (name == "frames") {
        const std::string from = query_value(request, "from");
        const auto number = parse_number(from.empty() ? "0" : from);
        return number ? content.frames(*number) : plain_response(400, "from: not a number\n");
    }
    if (name.starts_with(frame_prefix)) {
        const auto number = parse_number(name.substr(frame_prefix.size()));
        return number ? content.frame(*number) : not_found();
    }
    if (name.starts_with(table_prefix)) {
        const std::string_view table = name.substr(table_prefix.size());
        return table == "metrics" || table == "timings" ? content.table(table) : not_found();
    }
    if (name == "locate") {
        const auto number = parse_number(query_value(request, "frame"));
        return number ? content.locate(*number, query_value(request, "entity"))
                      : plain_response(400, "frame: not a number\n");
    }
    return not_found();
}

/// What changes something.
Response answer_post(std::string_view name, const Request& request, Content& content) {
    if (name == "api/surface/stop") return content.stop_surface();
    if (name != "api/surface") return plain_response(405, "only GET\n");
    const std::string frame = query_value(request, "frame");
    if (frame == "all") return content.make_surface({});
    const auto number = parse_number(frame);
    return number ? content.make_surface(*number) : plain_response(400, "frame: not a number\n");
}

}  // namespace

bool same_secret(std::string_view given, std::string_view secret) {
    if (secret.empty() || given.size() != secret.size()) return false;
    volatile unsigned difference = 0;
    for (std::size_t i = 0; i < secret.size(); ++i)
        difference = difference | static_cast<unsigned>(static_cast<unsigned char>(given[i] ^ secret[i]));
    return difference == 0;
}

Response handle(const Request& request, const Access& access, Content& content) {
    if (!is_own_host(request.host, access.port)) return plain_response(403, "wrong host\n");
    if (request.has_origin && !is_own_origin(request.origin, access.port))
        return plain_response(403, "wrong origin\n");
    const std::string_view path = request.path;
    const std::size_t slash = std::min(path.find('/', 1), path.size());
    if (path.empty() || !same_secret(path.substr(1, slash - 1), access.token))
        return plain_response(403,
                              "the address needs its token: use the whole address that rivulet printed\n");
    const bool post = request.method == "POST";
    if (!post && request.method != "GET" && request.method != "HEAD")
        return plain_response(405, "only GET and POST\n");
    // The page asks for everything else relative to its own address, which therefore ends in a slash.
    if (slash == path.size())
        return {308, "text/plain; charset=utf-8", "", fmt::format("/{}/", access.token)};
    const std::string_view name = path.substr(slash + 1);
    constexpr std::string_view api = "api/";
    try {
        if (post) return answer_post(name, request, content);
        if (name.starts_with(api)) return answer_api(name.substr(api.size()), request, content);
        if (auto found = content.asset(name)) return *std::move(found);
        return not_found();
    } catch (const Error& e) {
        return json_response(422, fmt::format("{{\"error\": {}}}", json_text(e.what())));
    } catch (const std::exception& e) {
        return json_response(500, fmt::format("{{\"error\": {}}}", json_text(e.what())));
    }
}

}  // namespace rivulet::viewer
