#include <rivulet/io/usda_tokens.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <rivulet/io/refuse.h>

namespace rivulet::io {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_word_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_word(char c) {
    return is_word_start(c) || is_digit(c) || c == ':' || c == '.' || c == '|';
}
constexpr std::string_view kMarks = "()[]{}=,;:+-&";

}  // namespace

UsdaTokens::UsdaTokens(std::string_view text, const std::string& name) : text_(text), name_(name) {
    scan();
}

UsdaToken UsdaTokens::take() {
    const UsdaToken taken = next_;
    scan();
    return taken;
}

void UsdaTokens::expect(char mark) {
    if (!next_.is(mark))
        refuse(next_.line, fmt::format("expected '{}' instead of '{}'", mark, next_.text.substr(0, 40)));
    take();
}

void UsdaTokens::skip_group() {
    constexpr int kDeepest = 1000;
    for (int depth = 1; depth > 0;) {
        const UsdaToken t = take();
        if (t.kind == UsdaTokenKind::end) refuse(t.line, "the file ends inside brackets");
        if (t.is('(') || t.is('[') || t.is('{')) ++depth;
        if (t.is(')') || t.is(']') || t.is('}')) --depth;
        if (depth > kDeepest) refuse(t.line, "brackets are nested too deep");
    }
}

void UsdaTokens::refuse(int line, std::string message, std::string hint) const {
    refuse_file(name_, line, std::move(message), std::move(hint));
}

void UsdaTokens::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            fresh_line_ = true;
        } else if (c == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            continue;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        ++at_;
    }
}

void UsdaTokens::scan_quoted() {
    const char quote = rest()[0];
    const std::string triple(3, quote);
    const bool is_long = rest().substr(0, 3) == triple;
    const int begin_line = line_;
    at_ += is_long ? 3 : 1;
    const std::size_t begin = at_;
    for (;; ++at_) {
        if (at_ >= text_.size() || (!is_long && text_[at_] == '\n'))
            refuse(begin_line, "a quoted text has no end");
        if (text_[at_] == '\n') ++line_;
        if (text_[at_] == '\\') {
            ++at_;
            continue;
        }
        if (is_long ? rest().substr(0, 3) == triple : text_[at_] == quote) break;
    }
    next_.kind = UsdaTokenKind::text;
    next_.text = text_.substr(begin, at_ - begin);
    at_ += is_long ? 3 : 1;
}

void UsdaTokens::scan_between(char close, UsdaTokenKind kind) {
    const bool is_long = kind == UsdaTokenKind::asset && rest().substr(0, 3) == "@@@";
    const std::size_t width = is_long ? 3 : 1;
    const std::size_t begin = at_ + width;
    const std::size_t end = is_long ? text_.find("@@@", begin) : text_.find(close, begin);
    if (end == std::string_view::npos) refuse(line_, fmt::format("no closing '{}'", close));
    next_.kind = kind;
    next_.text = text_.substr(begin, end - begin);
    line_ += static_cast<int>(std::count(next_.text.begin(), next_.text.end(), '\n'));
    at_ = end + width;
}

void UsdaTokens::scan_number() {
    const char* begin = text_.data() + at_;
    const char* first = *begin == '+' ? begin + 1 : begin;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), next_.value);
    if (error == std::errc::invalid_argument)
        refuse(line_, fmt::format("'{}' is not a number", rest().substr(0, 20)));
    if (error == std::errc::result_out_of_range) refuse(line_, "a number is out of range");
    next_.kind = UsdaTokenKind::number;
    next_.text = {begin, static_cast<std::size_t>(end - begin)};
    at_ += next_.text.size();
}

void UsdaTokens::scan() {
    skip_blanks();
    next_ = {};
    next_.line = line_;
    next_.starts_line = fresh_line_;
    fresh_line_ = false;
    if (at_ >= text_.size()) return;
    const char c = text_[at_];
    const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const bool sign = c == '-' || c == '+';
    if (is_digit(c) || (c == '.' && is_digit(after)) ||
        (sign && (is_digit(after) || after == '.' || after == 'i' || after == 'n'))) {
        scan_number();
    } else if (is_word_start(c)) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        next_.kind = UsdaTokenKind::word;
        next_.text = text_.substr(begin, at_ - begin);
    } else if (c == '"' || c == '\'') {
        scan_quoted();
    } else if (c == '@') {
        scan_between('@', UsdaTokenKind::asset);
    } else if (c == '<') {
        scan_between('>', UsdaTokenKind::path);
    } else if (kMarks.find(c) != std::string_view::npos) {
        next_.kind = UsdaTokenKind::mark;
        next_.text = text_.substr(at_++, 1);
    } else {
        refuse(line_, fmt::format("unexpected character of code {}", static_cast<unsigned char>(c)));
    }
}

}  // namespace rivulet::io
