#include <rivulet/viewer/http.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace rivulet::viewer {
namespace {

bool is_visible(char c) {
    return c > 0x20 && c < 0x7f;
}

bool is_token_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Nothing when a code is malformed or stands for a control character or, in a path, for a slash.
std::optional<std::string> percent_decoded(std::string_view text, bool in_path) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        const int code = 16 * high + low;
        if (code < 0x20 || code == 0x7f || (in_path && (code == '/' || code == '\\'))) return std::nullopt;
        out += static_cast<char>(code);
        i += 2;
    }
    return out;
}

Parsed refused(int status, std::string reason) {
    Parsed p;
    p.state = Parsed::State::refused;
    p.status = status;
    p.reason = std::move(reason);
    return p;
}

bool parse_query(std::string_view text, std::map<std::string, std::string>& query) {
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const auto name = percent_decoded(pair.substr(0, equals), false);
        const auto value = percent_decoded(pair.substr(std::min(pair.size(), equals + 1)), false);
        if (!name || !value) return false;
        query.try_emplace(*name, *value);
    }
    return true;
}

/// "GET /path?query HTTP/1.1"; an empty string when it is fine, otherwise what is wrong.
std::string parse_request_line(std::string_view line, Request& request) {
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return "malformed request line";
    const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1),
                           version = line.substr(last + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return "unknown protocol";
    if (method.empty() || !std::all_of(method.begin(), method.end(), is_token_character))
        return "malformed method";
    if (target.empty() || target[0] != '/' || !std::all_of(target.begin(), target.end(), is_visible))
        return "malformed address";
    const std::size_t mark = std::min(target.find('?'), target.size());
    const auto path = percent_decoded(target.substr(0, mark), true);
    if (!path) return "malformed address";
    if (!parse_query(target.substr(std::min(target.size(), mark + 1)), request.query))
        return "malformed query";
    request.method = std::string(method);
    request.path = *path;
    request.keep_alive = version == "HTTP/1.1";
    return {};
}

struct FieldsSeen {
    std::size_t count = 0;
    bool host = false;
};

std::string parse_field(std::string_view line, Request& request, FieldsSeen& seen) {
    const std::size_t colon = line.find(':');
    if (++seen.count > kMostHeaderFields) return "too many header fields";
    if (colon == 0 || colon == std::string_view::npos) return "malformed header field";
    const std::string_view raw_name = line.substr(0, colon);
    if (!std::all_of(raw_name.begin(), raw_name.end(), is_token_character)) return "malformed header field";
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    for (const char c : value)
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t') return "control character in a header field";
    const std::string name = lower(raw_name);
    if (name == "host") {
        if (std::exchange(seen.host, true)) return "repeated Host";
        request.host = lower(value);
    } else if (name == "origin") {
        if (std::exchange(request.has_origin, true)) return "repeated Origin";
        request.origin = lower(value);
    } else if (name == "connection") {
        const std::string wish = lower(value);
        if (wish == "close") request.keep_alive = false;
    } else if (name == "transfer-encoding" || (name == "content-length" && value != "0")) {
        return "a body is not accepted";
    }
    return {};
}

/// Length of the UTF-8 sequence at the start of `text`, 0 when it is none.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80                      ? 1
                               : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                               : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                               : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                   : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // Overlong forms, surrogates and codes past U+10FFFF.
    if (byte(0) == 0xe0 && byte(1) < 0xa0) return 0;
    if (byte(0) == 0xed && byte(1) > 0x9f) return 0;
    if (byte(0) == 0xf0 && byte(1) < 0x90) return 0;
    if (byte(0) == 0xf4 && byte(1) > 0x8f) return 0;
    return length;
}

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 308:
            return "Permanent Redirect";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 413:
            return "Content Too Large";
        case 422:
            return "Unprocessable Content";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        default:
            return "Internal Server Error";
    }
}

}  // namespace

Parsed parse_request(std::string_view bytes) {
    const std::size_t end = bytes.substr(0, kMostRequestBytes).find("\r\n\r\n");
    if (end == std::string_view::npos) {
        if (bytes.size() >= kMostRequestBytes) return refused(431, "request too large");
        return {};
    }
    Parsed parsed;
    std::string_view head = bytes.substr(0, end);
    bool first = true;
    FieldsSeen seen;
    while (first || !head.empty()) {
        const std::string_view line = head.substr(0, head.find("\r\n"));
        head.remove_prefix(std::min(head.size(), line.size() + 2));
        const std::string problem =
            first ? parse_request_line(line, parsed.request) : parse_field(line, parsed.request, seen);
        first = false;
        if (!problem.empty())
            return refused(problem == "a body is not accepted"   ? 413
                           : problem == "too many header fields" ? 431
                                                                 : 400,
                           problem);
    }
    parsed.state = Parsed::State::complete;
    parsed.length = end + 4;
    return parsed;
}

std::string response_head(const Response& response, bool keep_alive) {
    return fmt::format(
        "HTTP/1.1 {} {}\r\n"
        "Content-Type: {}\r\n"
        "Content-Length: {}\r\n"
        "Connection: {}\r\n"
        "Cache-Control: no-store\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "
        "data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "X-Content-Type-Options: nosniff\r\n{}\r\n",
        response.status, reason_phrase(response.status), response.type, response.body.size(),
        keep_alive ? "keep-alive" : "close",
        response.location.empty() ? "" : fmt::format("Location: {}\r\n", response.location));
}

Response plain_response(int status, std::string text) {
    return {status, "text/plain; charset=utf-8", std::move(text)};
}
Response json_response(int status, std::string json) {
    return {status, "application/json", std::move(json)};
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char c = text[0];
        if (length == 0)
            out += "\\ufffd";
        else if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (c == '\n')
            out += "\\n";
        else if (length == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f))
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max(length, std::size_t{1}));
    }
    return out + '"';
}

std::string json_number(double value) {
    return std::isfinite(value) ? fmt::format("{:.9g}", value) : "null";
}

}  // namespace rivulet::viewer
