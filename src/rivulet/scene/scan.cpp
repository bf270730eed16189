#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/scene/toml_text.h>

namespace rivulet::scene {
namespace {

class Scanner {
 public:
    Scanner(std::string_view text, const std::string& file_name) : text_(text), file_(file_name) {}

    void run() {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;  // byte order mark
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#')
                skip_comment();
            else if (c == '"' || c == '\'')
                skip_string(c);
            else
                structure(c);
        }
    }

 private:
    [[noreturn]] void refuse(const std::string& message, const std::string& hint = "") const {
        throw InputError(Problem{file_, line_, column_, "", message, hint});
    }

    void advance() {
        const unsigned char c = static_cast<unsigned char>(text_[at_]);
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            refuse(fmt::format("binary byte 0x{:02x}", unsigned{c}), "a scene is plain UTF-8 text");
        ++at_;
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if ((c & 0xC0) != 0x80) {
            ++column_;
        }
    }

    void skip_comment() {
        while (at_ < text_.size() && text_[at_] != '\n') advance();
    }

    /// Stops after the closing quotes, or at the end of the line or text: the parser reports what is missing.
    void skip_string(char quote) {
        const std::string triple(3, quote);
        const bool many_lines = text_.substr(at_, 3) == triple;
        for (int i = 0; i < (many_lines ? 3 : 1); ++i) advance();
        while (at_ < text_.size()) {
            if (quote == '"' && text_[at_] == '\\') {
                advance();
                if (at_ < text_.size()) advance();
            } else if (many_lines && text_.substr(at_, 3) == triple) {
                while (at_ < text_.size() && text_[at_] == quote) advance();
                return;
            } else if (!many_lines && (text_[at_] == quote || text_[at_] == '\n')) {
                return advance();
            } else {
                advance();
            }
        }
    }

    /// NOTE: toml++ 3.3 takes for granted that a key follows the bracket of a header.
    void check_header() const {
        std::size_t i = at_ + 1;
        if (i < text_.size() && text_[i] == '[') ++i;
        while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t')) ++i;
        const char c = i < text_.size() ? text_[i] : ']';
        const bool starts_key = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                c == '_' || c == '-' || c == '"' || c == '\'' || c == ']';
        const bool has_own_message = static_cast<unsigned char>(c) >= 0x80;
        if (!starts_key && !has_own_message) refuse("expected a name after '['", "for example [liquid.pool]");
    }

    void structure(char c) {
        // NOTE: toml++ 3.3 reaches undefined behaviour on some letters beyond ASCII in bare keys.
        if (static_cast<unsigned char>(c) >= 0x80)
            refuse("letters beyond ASCII stand only in texts and comments", "put it in quotes");
        if (c == '[' && depth_ == 0 && line_is_empty_) check_header();
        if (c == '\n')
            line_is_empty_ = true;
        else if (c != ' ' && c != '\t' && c != '\r')
            line_is_empty_ = false;
        if (c == '[' || c == '{') ++depth_;
        if ((c == ']' || c == '}') && depth_ > 0) --depth_;
        if (c == '.')
            ++dots_;
        else if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{')
            dots_ = 0;
        if (depth_ > kDeepestNesting || dots_ >= kDeepestNesting)
            refuse(fmt::format("nested deeper than {} levels", kDeepestNesting));
        advance();
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
    int depth_ = 0, dots_ = 0;
    bool line_is_empty_ = true;
};

}  // namespace

void scan_before_parsing(std::string_view text, const std::string& file_name) {
    if (text.size() > kLargestFile)
        throw InputError(Problem{file_name, 0, 0, "",
                                 fmt::format("a scene file may have {} MB at most", kLargestFile >> 20),
                                 "keep geometry in mesh files"});
    Scanner(text, file_name).run();
}

}  // namespace rivulet::scene
