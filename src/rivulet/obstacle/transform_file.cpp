#include <charconv>
#include <cmath>

#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>
#include <rivulet/obstacle/rigid_motion.h>

namespace rivulet::obstacle {
namespace {

struct Place {
    const std::string &file, &key;
    int line = 0;
    [[noreturn]] void refuse(std::string message, std::string hint) const {
        throw InputError(Problem{file, line, 0, key, std::move(message), std::move(hint)});
    }
};

/// The numbers of a line; a 18th is enough to know that there are too many.
std::vector<double> parse_line(std::string_view text, const Place& place) {
    std::vector<double> numbers;
    const char *at = text.data(), *end = at + text.size();
    while (at < end && numbers.size() < 18) {
        if (*at == ' ' || *at == '\t' || *at == ',' || *at == '\r') {
            ++at;
            continue;
        }
        double v = 0;
        const auto [next, fault] = std::from_chars(at, end, v);
        if (fault != std::errc{} || !std::isfinite(v))
            place.refuse("expected numbers", "write: time m00 m01 .. m33");
        numbers.push_back(v);
        at = next;
    }
    return numbers;
}

geometry::Pose rigid_pose(const std::vector<double>& n, const Place& place) {
    const auto m = [&](int i, int j) { return n[static_cast<std::size_t>(1 + 4 * i + j)]; };
    if (m(3, 0) != 0 || m(3, 1) != 0 || m(3, 2) != 0 || m(3, 3) != 1)
        place.refuse("the last row of the matrix must be 0 0 0 1",
                     "write the matrix row by row; if it acts on rows, transpose it");
    Mat3d r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) r(i, j) = m(i, j);
    // NOTE: files carry few digits (1e-3 allows three); the rotation used is made orthonormal afterwards.
    const Mat3d excess = r * transpose(r) - Mat3d::identity();
    if (!(contract(excess, excess) < 1e-6))
        place.refuse("the matrix scales or shears", "only rotations and translations move an obstacle");
    if (determinant(r) < 0)
        place.refuse("the matrix mirrors", "only rotations and translations move an obstacle");
    const Vec3d x = normalized(r.column(0));
    const Vec3d y = normalized(r.column(1) - x * dot(x, r.column(1)));
    return {Mat3d::from_columns(x, y, cross(x, y)), {m(0, 3), m(1, 3), m(2, 3)}};
}

std::string read_file(const std::string& path, const std::string& key) {
    try {
        return io::read_text(path);
    } catch (const IoError& e) {
        throw InputError(
            Problem{path, 0, 0, key, e.what(), "check the name; files are relative to the scene"});
    }
}

}  // namespace

TransformTrack read_transforms(const std::string& path, const std::string& key) {
    const std::string text = read_file(path, key);
    TransformTrack track;
    Place place{path, key};
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line(text.data() + begin, end - begin);
        begin = end + 1;
        ++place.line;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos || line[first] == '#') continue;
        const std::vector<double> numbers = parse_line(line, place);
        if (numbers.size() != 17) place.refuse("expected 17 numbers", "write: time m00 m01 .. m33");
        if (!track.time.empty() && !(numbers[0] > track.time.back()))
            place.refuse("times must increase", "sort the lines by time");
        track.time.push_back(numbers[0]);
        track.pose.push_back(rigid_pose(numbers, place));
    }
    if (track.time.empty())
        place.refuse("no transforms in the file", "write one line per time: time m00 m01 .. m33");
    return track;
}

}  // namespace rivulet::obstacle
