#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace rivulet::cli {

/// Everything the commands print goes through these four, so that no text of a user can command the terminal.
void print(std::FILE* to, std::string_view text);
/// On standard output: what was asked for.
template <class... T>
void say(fmt::format_string<T...> form, T&&... parts) {
    print(stdout, fmt::format(form, std::forward<T>(parts)...));
}
/// On standard error: everything else.
template <class... T>
void note(fmt::format_string<T...> form, T&&... parts) {
    print(stderr, fmt::format(form, std::forward<T>(parts)...));
}
/// One object on a line of standard output, in plain ASCII.
void say_json(const nlohmann::ordered_json& line);

/// True when standard error is a terminal a person looks at.
bool on_terminal();

/// 75 s -> "1 min 15 s"; at most two parts.
std::string duration_text(double seconds);
/// 1.5e9 -> "1.5 GB".
std::string bytes_text(double bytes);
/// 1234567 -> "1 234 567".
std::string count_text(long long count);

/// One line on standard error that updates in place on a terminal; plain lines otherwise, one per `line`
/// call.
class StatusLine {
 public:
    explicit StatusLine(bool quiet) : quiet_(quiet), terminal_(on_terminal()) {}
    ~StatusLine() { finish(); }
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    /// Replaces the line; shown at most ten times a second, and not at all without a terminal.
    void update(const std::string& text);
    /// A line that stays: on a terminal the final content of the status line, otherwise a plain line.
    void line(const std::string& text);
    /// Ends the line, so that other output starts on a fresh one.
    void finish();
    bool terminal() const { return terminal_; }

 private:
    bool quiet_, terminal_, open_ = false;
    std::chrono::steady_clock::time_point shown_{};
};

/// [#####.....] 48 %
std::string bar_text(double fraction, int width = 24);

/// A Progress callback (base/progress.h) that draws a bar named `what` with the remaining time.
class ProgressBar {
 public:
    ProgressBar(std::string what, bool quiet);
    void operator()(double done, double total);
    ~ProgressBar();

 private:
    std::string what_;
    StatusLine status_;
    std::chrono::steady_clock::time_point begin_;
    double last_ = 0;
};

}  // namespace rivulet::cli
