#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <rivulet/output/run_directory.h>

namespace rivulet::viewer {

/// Makes surfaces of a run's frames beside the server, by the code of `rivulet surface` and with its
/// defaults: one job at a time, in a thread of its own. May be called from several threads.
class SurfaceMaker {
 public:
    explicit SurfaceMaker(output::RunPaths paths) : paths_(std::move(paths)) {}
    /// Ends a job that is under way.
    ~SurfaceMaker();
    SurfaceMaker(const SurfaceMaker&) = delete;
    SurfaceMaker& operator=(const SurfaceMaker&) = delete;

    /// False while another job is under way. Frames that have a surface are passed over.
    bool start(std::vector<std::int64_t> frames);
    /// Ends the job soon; the surface under way is not written.
    void stop();
    /// JSON: "job" counts jobs, 0 before the first; "running"; "frames" of the job; "done" of them, with the
    /// part of the one under way; "made" by it; "stopped"; "error", empty when nothing went wrong.
    std::string state() const;

 private:
    void work(const std::vector<std::int64_t>& frames);

    output::RunPaths paths_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
    mutable std::mutex lock_;  // of all below, and of starting
    std::int64_t job_ = 0;
    bool running_ = false, stopped_ = false;
    std::size_t frames_ = 0;
    double done_ = 0;
    std::int64_t made_ = 0;
    std::string error_;
};

}  // namespace rivulet::viewer
