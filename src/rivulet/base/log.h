#pragma once

#include <functional>
#include <string>
#include <utility>

namespace rivulet {

enum class LogLevel { detail, info, warning };

/// Where the library says things. It never prints: the owner of the run gives a sink (log file, terminal,
/// viewer).
class Log {
 public:
    using Sink = std::function<void(LogLevel, const std::string&)>;
    Log() = default;
    explicit Log(Sink sink) : sink_(std::move(sink)) {}
    void detail(const std::string& text) const { say(LogLevel::detail, text); }
    void info(const std::string& text) const { say(LogLevel::info, text); }
    void warning(const std::string& text) const { say(LogLevel::warning, text); }

 private:
    void say(LogLevel level, const std::string& text) const {
        if (sink_) sink_(level, text);
    }
    Sink sink_;
};

}  // namespace rivulet
