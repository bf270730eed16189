#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <rivulet/viewer/preview.h>
#include <rivulet/viewer/route.h>
#include <rivulet/viewer/surface_maker.h>
#include <rivulet/viewer/table.h>

namespace rivulet::viewer {

/// A row of frames.csv.
struct ListedFrame {
    std::int64_t frame = 0;
    double time = 0;
    std::string hash;
};

/// Rows that are whole and well formed; `damaged` counts the others (a torn last line does not count).
std::vector<ListedFrame> parse_frame_list(std::string_view text, std::size_t& damaged);

/// Throws InputError when the folder holds neither run.json nor frames.
void require_run_directory(const std::filesystem::path& root);

/// A run directory, finished, running, damaged or still to come, as the page sees it. Reads only, but for
/// OUT/cache, where previews are kept (a cache that cannot be written is done without), and OUT/surface, when
/// the page asks for surfaces.
class RunContent : public Content {
 public:
    explicit RunContent(std::filesystem::path root);

    std::optional<Response> asset(std::string_view name) override;
    Response run() override;
    Response frames(std::int64_t from) override;
    Response frame(std::int64_t number) override;
    Response obstacles() override;
    Response table(std::string_view name) override;
    Response scene() override;
    Response log() override;
    Response cameras() override;
    Response surface() override;
    Response make_surface(std::optional<std::int64_t> frame) override;
    Response stop_surface() override;
    Response locate(std::int64_t frame, std::string_view entity) override;

 private:
    struct FrameList {
        std::vector<ListedFrame> rows;
        std::size_t damaged = 0;
        std::uint64_t size = 0;
        std::filesystem::file_time_type changed{};
        std::string error;
    };
    /// Reads frames.csv again when it changed. Call with `lock_` held.
    const FrameList& frame_list();
    output::FrameFiles files_of(std::int64_t number) const;
    std::string cache_key(std::int64_t number);

    std::filesystem::path root_;
    std::mutex lock_;      // of the lists and tables
    std::mutex building_;  // one preview is made at a time: memory stays bounded
    FrameList list_;
    FollowedTable metrics_, timings_;
    SurfaceMaker surfaces_;
};

}  // namespace rivulet::viewer
