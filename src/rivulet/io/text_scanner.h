#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <rivulet/base/error.h>

namespace rivulet::io {

/// Walks through a text token by token and knows the line it is on. Text and file name outlive it.
class TextScanner {
 public:
    TextScanner(std::string_view text, std::string_view file, int line = 1)
        : rest_(text), file_(file), line_(line) {}

    bool at_end() const { return rest_.empty(); }
    int line() const { return line_; }
    std::string_view rest() const { return rest_; }

    /// Next token of this line; empty at its end. A backslash before the line's end joins the next line.
    std::string_view token_in_line() {
        skip_blanks();
        return take_token();
    }
    /// Next token of the text, over any number of lines; empty at the end.
    std::string_view token() {
        for (skip_blanks(); rest_.starts_with('\n'); skip_blanks()) next_line();
        return take_token();
    }
    /// Drops the rest of this line.
    void next_line() {
        const std::size_t end = rest_.find('\n');
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        ++line_;
    }
    [[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) const {
        throw InputError(
            Problem{.file = std::string(file_), .line = line_, .key = {}, .message = message, .hint = hint});
    }

 private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
    void skip_blanks() {
        for (;;) {
            std::size_t n = 0;
            while (n < rest_.size() && is_blank(rest_[n])) ++n;
            rest_.remove_prefix(n);
            if (rest_.starts_with("\\\n"))
                rest_.remove_prefix(2);
            else if (rest_.starts_with("\\\r\n"))
                rest_.remove_prefix(3);
            else
                return;
            ++line_;
        }
    }
    std::string_view take_token() {
        std::size_t n = 0;
        while (n < rest_.size() && rest_[n] != '\n' && !is_blank(rest_[n]) && !joins_line(n)) ++n;
        const std::string_view token = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return token;
    }
    bool joins_line(std::size_t at) const {
        return rest_[at] == '\\' &&
               (rest_.substr(at + 1).starts_with('\n') || rest_.substr(at + 1).starts_with("\r\n"));
    }

    std::string_view rest_, file_;
    int line_;
};

/// Of a floating-point token that fits no double: is it too small (and not too large)?
inline bool underflows(std::string_view token) {
    if (token.starts_with('-')) token.remove_prefix(1);
    const std::size_t exponent = token.find_first_of("eE");
    if (exponent == std::string_view::npos) return token.starts_with('0') || token.starts_with('.');
    return token.size() < 64 && token.substr(exponent + 1).starts_with('-');
}

/// The whole token as a number, with an optional sign; nothing else may follow.
template <class T>
std::optional<T> parse_number(std::string_view token) {
    if (token.starts_with('+')) {
        token.remove_prefix(1);
        if (token.starts_with('-') || token.starts_with('+')) return {};
    }
    T value{};
    const auto [end, code] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (end != token.data() + token.size()) return {};
    if (code == std::errc()) return value;
    if constexpr (std::is_floating_point_v<T>)
        if (code == std::errc::result_out_of_range && underflows(token)) return T{};
    return {};
}

}  // namespace rivulet::io
