#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rivulet::io {

enum class UsdaTokenKind { end, word, number, text, asset, path, mark };

/// One token of .usda text. `text` is what stands between quotes, at-signs or angle brackets, else the token.
struct UsdaToken {
    UsdaTokenKind kind = UsdaTokenKind::end;
    std::string_view text;
    double value = 0;         // number
    int line = 1;             // counts from 1
    bool starts_line = true;  // nothing but blanks between the line's begin and the token

    bool is(char mark) const { return kind == UsdaTokenKind::mark && text.size() == 1 && text[0] == mark; }
    bool is(std::string_view word) const { return kind == UsdaTokenKind::word && text == word; }
};

/// Cuts .usda text into tokens, one ahead. Throws InputError with the line on what cannot be cut.
class UsdaTokens {
 public:
    UsdaTokens(std::string_view text, const std::string& name);
    const UsdaToken& peek() const { return next_; }
    UsdaToken take();
    /// Takes the mark or throws.
    void expect(char mark);
    /// Takes everything up to the mark that closes the bracket just opened; depth counted, not recursed.
    void skip_group();
    [[noreturn]] void refuse(int line, std::string message, std::string hint = {}) const;

 private:
    void scan();
    void skip_blanks();
    void scan_quoted();
    void scan_between(char close, UsdaTokenKind kind);
    void scan_number();
    std::string_view rest() const { return text_.substr(at_); }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool fresh_line_ = true;
    UsdaToken next_;
};

}  // namespace rivulet::io
