#include <rivulet/session/frame_range.h>

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string_view>

#include <rivulet/base/error.h>

namespace rivulet::session {

namespace {

std::int64_t frame_number(std::string_view text, std::int64_t if_empty, const std::string& whole) {
    if (text.empty()) return if_empty;
    std::int64_t number = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (bad != std::errc{} || end != text.data() + text.size() || number < 0)
        throw InputError(Problem{"", 0, 0, "frames", fmt::format("\"{}\" is no range of frames", whole),
                                 "write N, A:B, A: or :B, e.g. 0:48"});
    return number;
}

}  // namespace

std::vector<std::int64_t> pick_frames(const output::RunPaths& paths, const std::string& range) {
    const auto refuse = [&](const std::string& message, const std::string& hint) {
        return InputError(Problem{paths.root.string(), 0, 0, "", message, hint});
    };
    if (!std::filesystem::is_directory(paths.frames()))
        throw refuse("is not a run directory (no frames)", "give the folder that 'rivulet run' wrote");
    const std::vector<std::int64_t> there = output::frame_numbers(paths);
    if (there.empty()) throw refuse("has no frames yet", "let the run write its first frame");
    if (range == "last") return {there.back()};

    const std::size_t colon = range.find(':');
    const std::string_view text(range);
    constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
    std::int64_t from = 0, to = kNoEnd;
    if (colon != std::string::npos) {
        from = frame_number(text.substr(0, colon), 0, range);
        to = frame_number(text.substr(colon + 1), kNoEnd, range);
    } else if (!range.empty()) {
        from = to = frame_number(text, 0, range);
    }
    std::vector<std::int64_t> picked;
    for (const std::int64_t k : there)
        if (from <= k && k <= to) picked.push_back(k);
    if (picked.empty())
        throw refuse(fmt::format("has no frame in {}", range),
                     fmt::format("frames {} to {} are there", there.front(), there.back()));
    return picked;
}

}  // namespace rivulet::session
