#include <rivulet/viewer/surface_maker.h>

#include <fmt/format.h>

#include <exception>
#include <utility>

#include <rivulet/session/surfaces.h>
#include <rivulet/viewer/http.h>

namespace rivulet::viewer {

namespace {

/// Thrown out of a job that is to end. No Error: those are kept as faults of a frame.
struct Stopped {};

}  // namespace

SurfaceMaker::~SurfaceMaker() {
    stop();
    if (thread_.joinable()) thread_.join();
}

bool SurfaceMaker::start(std::vector<std::int64_t> frames) {
    const std::lock_guard guard(lock_);
    if (running_) return false;
    if (thread_.joinable()) thread_.join();  // it has ended: `running_` is the last thing it sets
    stopping_ = false;
    ++job_;
    stopped_ = false;
    frames_ = frames.size();
    done_ = 0;
    made_ = 0;
    error_.clear();
    thread_ = std::thread([this, list = std::move(frames)] { work(list); });
    running_ = true;
    return true;
}

void SurfaceMaker::stop() {
    stopping_ = true;
}

void SurfaceMaker::work(const std::vector<std::int64_t>& frames) {
    std::string error;
    std::int64_t made = 0;
    bool stopped = false;
    try {
        session::SurfaceJob job;
        job.frames = frames;
        const auto result =
            session::make_surfaces(io::real_file_system(), paths_, job, [&](double done, double) {
                if (stopping_) throw Stopped{};
                const std::lock_guard guard(lock_);
                done_ = done;
            });
        made = result.made;
        for (const std::string& f : result.failed) error += (error.empty() ? "" : "\n") + f;
    } catch (const Stopped&) {
        stopped = true;
    } catch (const std::exception& e) {
        error = e.what();
    }
    const std::lock_guard guard(lock_);
    error_ = std::move(error);
    made_ = made;
    stopped_ = stopped;
    running_ = false;
}

std::string SurfaceMaker::state() const {
    const std::lock_guard guard(lock_);
    return fmt::format(
        "{{\"job\": {}, \"running\": {}, \"frames\": {}, \"done\": {}, \"made\": {}, \"stopped\": {}, "
        "\"error\": {}}}",
        job_, running_, frames_, json_number(done_), made_, stopped_, json_text(error_));
}

}  // namespace rivulet::viewer
