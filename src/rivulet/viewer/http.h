#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rivulet::viewer {

/// The part of HTTP/1.1 that the page needs: GET, HEAD and POST, all without a body.
struct Request {
    std::string method;
    std::string path;                          // percent-decoded, starts with '/'
    std::map<std::string, std::string> query;  // percent-decoded; the first of equal names counts
    std::string host, origin;                  // empty when absent
    bool has_origin = false;
    bool keep_alive = true;
};

struct Response {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body;
    std::string location{};  // where to ask instead; empty: nowhere
};

/// Nothing longer is read: request line and header fields together.
inline constexpr std::size_t kMostRequestBytes = 8192;
inline constexpr std::size_t kMostHeaderFields = 64;

struct Parsed {
    enum class State { incomplete, complete, refused } state = State::incomplete;
    std::size_t length = 0;  // bytes the request took, when complete
    int status = 400;        // when refused
    std::string reason;      // when refused
    Request request;         // when complete
};

/// Looks for one request at the start of `bytes`. Strict: control characters, folded lines, bodies, repeated
/// Host or Origin, malformed percent codes and encoded slashes or zeros in the path are refused.
Parsed parse_request(std::string_view bytes);

/// Status line and header fields. Every answer forbids foreign content, frames, caching and referrers.
std::string response_head(const Response& response, bool keep_alive);

Response plain_response(int status, std::string text);
Response json_response(int status, std::string json);

/// A JSON string with quotes. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view text);
/// A JSON number with nine digits, null when not finite.
std::string json_number(double value);

}  // namespace rivulet::viewer
