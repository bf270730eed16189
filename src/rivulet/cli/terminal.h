#pragma once

#include <chrono>
#include <string>

namespace rivulet::cli {

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
