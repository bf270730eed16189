#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet {

/// Seconds spent per named stage, in order of first use. Not part of any state: wall clocks never reach
/// results.
class StageTimers {
 public:
    struct Stage {
        std::string name;
        double seconds = 0;        // since the last `start_step`
        double total_seconds = 0;  // since the start
        std::uint64_t calls = 0;
    };

    /// Runs `work` and books its time under `name`, also when it throws.
    template <class F>
    decltype(auto) time(std::string_view name, F&& work) {
        struct Booking {
            StageTimers& timers;
            std::size_t index;
            std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
            ~Booking() {
                const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
                Stage& s = timers.stages_[index];
                s.seconds += spent.count();
                s.total_seconds += spent.count();
                ++s.calls;
            }
        } booking{*this, index_of(name)};
        return std::forward<F>(work)();
    }

    void start_step() {
        for (Stage& s : stages_) s.seconds = 0;
    }
    const std::vector<Stage>& stages() const { return stages_; }

 private:
    std::size_t index_of(std::string_view name) {
        for (std::size_t i = 0; i < stages_.size(); ++i)
            if (stages_[i].name == name) return i;
        stages_.push_back({std::string(name)});
        return stages_.size() - 1;
    }
    std::vector<Stage> stages_;
};

}  // namespace rivulet
