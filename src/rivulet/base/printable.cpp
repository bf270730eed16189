#include <rivulet/base/printable.h>

#include <fmt/format.h>

#include <algorithm>

namespace rivulet {

namespace {

struct Letter {
    std::size_t bytes = 0;  // 0: not UTF-8
    std::uint32_t code = 0;
};

/// The letter that begins here. Overlong forms and surrogates are not UTF-8 (RFC 3629).
Letter letter_at(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {1, first};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = first & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const std::uint32_t least = bytes == 2 ? 0x80 : bytes == 3 ? 0x800 : 0x10000;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
    return {bytes, code};
}

bool is_command(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string filtered(std::string_view text, bool keep_lines) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Letter letter = letter_at(text);
        const std::size_t bytes = letter.bytes > 0 ? letter.bytes : 1;
        if (letter.bytes == 0)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        else if (keep_lines && (letter.code == '\n' || letter.code == '\t'))
            out += text[0];
        else if (is_command(letter.code))
            out += letter.code < 0x80 ? fmt::format("\\x{:02x}", letter.code)
                                      : fmt::format("\\u{:04x}", letter.code);
        else
            out += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return out;
}

bool is_plain_in_a_shell(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view text) {
    return filtered(text, false);
}

std::string printable_lines(std::string_view text) {
    return filtered(text, true);
}

std::string shell_word(std::string_view text) {
    if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain_in_a_shell)) return std::string(text);
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else
            out += c;
    }
    return out + "'";
}

}  // namespace rivulet
