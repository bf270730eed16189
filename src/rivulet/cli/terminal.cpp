#include <rivulet/cli/terminal.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include <rivulet/base/printable.h>

namespace rivulet::cli {

void print(std::FILE* to, std::string_view text) {
    const std::string shown = printable_lines(text);
    std::fwrite(shown.data(), 1, shown.size(), to);
}

void say_json(const nlohmann::ordered_json& line) {
    using Json = nlohmann::ordered_json;
    print(stdout, line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n");
    std::fflush(stdout);
}

bool on_terminal() {
    return isatty(STDERR_FILENO) == 1;
}

std::string duration_text(double seconds) {
    if (!(seconds >= 0) || seconds > 3e9) return "?";
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    if (whole < 86400) return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
    return fmt::format("{} d {} h", whole / 86400, whole % 86400 / 3600);
}

std::string bytes_text(double bytes) {
    const char* unit[] = {"B", "kB", "MB", "GB", "TB"};
    int i = 0;
    while (bytes >= 1000 && i < 4) bytes /= 1000, ++i;
    return i == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, unit[i]);
}

std::string count_text(long long count) {
    std::string digits = std::to_string(std::abs(count)), out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) out += ' ';
        out += digits[i];
    }
    return count < 0 ? "-" + out : out;
}

void StatusLine::update(const std::string& text) {
    if (quiet_ || !terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (open_ && now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    open_ = true;
    std::fputs("\r\033[K", stderr);
    print(stderr, text);
    std::fflush(stderr);
}

void StatusLine::line(const std::string& text) {
    if (quiet_) return;
    if (terminal_) {
        shown_ = {};
        update(text);
    } else {
        print(stderr, text + "\n");
    }
}

void StatusLine::finish() {
    if (open_) std::fputs("\n", stderr);
    open_ = false;
}

std::string bar_text(double fraction, int width) {
    const double f = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0);
    const int full = static_cast<int>(f * width);
    return "[" + std::string(std::size_t(full), '#') + std::string(std::size_t(width - full), '.') +
           fmt::format("] {:3.0f} %", 100 * f);
}

ProgressBar::ProgressBar(std::string what, bool quiet)
    : what_(std::move(what)), status_(quiet), begin_(std::chrono::steady_clock::now()) {}

void ProgressBar::operator()(double done, double total) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    last_ = total > 0 ? done / total : 1;
    const std::string left = last_ > 0 ? duration_text(spent.count() * (1 - last_) / last_) : "?";
    status_.update(fmt::format("{} {}  {} left", what_, bar_text(last_), left));
}

ProgressBar::~ProgressBar() {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    if (last_ > 0)
        status_.line(fmt::format("{} {}  {}", what_, bar_text(last_), duration_text(spent.count())));
}

}  // namespace rivulet::cli
