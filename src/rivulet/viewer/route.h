#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <rivulet/viewer/http.h>

namespace rivulet::viewer {

/// Who may ask: the port the server listens on and the secret part of the address.
struct Access {
    std::uint16_t port = 0;
    std::string token;
};

/// What can be asked for. Implementations may be called from several threads at once.
class Content {
 public:
    virtual ~Content() = default;
    virtual std::optional<Response> asset(std::string_view name) = 0;  // page, script, style sheet
    virtual Response run() = 0;
    virtual Response frames(std::int64_t from) = 0;
    virtual Response frame(std::int64_t number) = 0;
    virtual Response obstacles() = 0;
    virtual Response table(std::string_view name) = 0;  // metrics or timings
    virtual Response scene() = 0;
    virtual Response log() = 0;
    virtual Response cameras() = 0;  // of the scene
    /// How the making of surfaces goes; to begin with one frame, or with all without one; to end it.
    virtual Response surface() = 0;
    virtual Response make_surface(std::optional<std::int64_t> frame) = 0;
    virtual Response stop_surface() = 0;
    /// Where the entity of an error message is in a frame.
    virtual Response locate(std::int64_t frame, std::string_view entity) = 0;
};

/// Takes as long for a wrong guess as for a right one of the same length.
bool same_secret(std::string_view given, std::string_view secret);

/// Answers one request. Only 127.0.0.1:port and localhost:port as Host (and Origin, when there is one), only
/// addresses that start with the token, only the names above; everything else learns nothing. What changes
/// something is asked for by POST, which no link and no picture of another page can send; the rest by GET.
Response handle(const Request& request, const Access& access, Content& content);

}  // namespace rivulet::viewer
