// rooms: viewer
#include <cstdint>
#include <string_view>

#include <rivulet/viewer/route.h>
#include <rivulet/viewer/run_content.h>
#include <rivulet/viewer/table.h>

using namespace rivulet::viewer;

namespace {

constexpr std::string_view kSecret = "top secret of the run";

/// Everything that is served holds the secret; file names asked for are checked.
class SecretContent : public Content {
 public:
    std::optional<Response> asset(std::string_view name) override {
        if (name.empty() || name == "app.js") return secret();
        return std::nullopt;
    }
    Response run() override { return secret(); }
    Response frames(std::int64_t from) override { return from < 0 ? trap() : secret(); }
    Response frame(std::int64_t number) override { return number < 0 ? trap() : secret(); }
    Response obstacles() override { return secret(); }
    Response table(std::string_view name) override {
        return name != "metrics" && name != "timings" ? trap() : secret();
    }
    Response scene() override { return secret(); }
    Response log() override { return secret(); }
    Response cameras() override { return secret(); }
    Response surface() override { return secret(); }
    Response make_surface(std::optional<std::int64_t> frame) override {
        changed = true;
        return frame && *frame < 0 ? trap() : secret();
    }
    Response stop_surface() override {
        changed = true;
        return secret();
    }
    bool changed = false;
    Response locate(std::int64_t frame, std::string_view) override { return frame < 0 ? trap() : secret(); }

 private:
    static Response secret() { return {200, "text/plain", std::string(kSecret)}; }
    [[noreturn]] static Response trap() { __builtin_trap(); }
};

}  // namespace

/// A request either is refused, or is answered; nothing is served without host and token. The same bytes as
/// tables must not disturb either.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Access access{8080, "0123456789abcdef"};
    SecretContent content;
    const Parsed parsed = parse_request(text);
    if (parsed.state == Parsed::State::complete) {
        if (parsed.length > size || parsed.length > kMostRequestBytes) __builtin_trap();
        const Response response = handle(parsed.request, access, content);
        if (response.body == kSecret) {
            const Request& r = parsed.request;
            const bool allowed =
                r.path.starts_with("/0123456789abcdef/") &&
                (r.host == "127.0.0.1:8080" || r.host == "localhost:8080") &&
                (r.method == (content.changed ? "POST" : "GET") || (r.method == "HEAD" && !content.changed));
            if (!allowed) __builtin_trap();
        }
        const std::string head = response_head(response, true);
        if (head.find("\r\n\r\n") != head.size() - 4) __builtin_trap();
    }
    std::size_t damaged = 0;
    parse_frame_list(text, damaged);
    ThinnedTable table(16);
    table.append(text);
    if (table.rows() > 16) __builtin_trap();
    json_text(text);
    return 0;
}
