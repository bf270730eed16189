#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <rivulet/io/text_scanner.h>
#include <rivulet/io/triangle_mesh_file.h>

namespace rivulet::io {
namespace {

// NOTE: an own reader because tinyobjloader keeps a polygon's corner count in 8 bits, turns words that are
// no numbers into 0 without a word, and gives no line for a bad vertex.
class ObjReader {
 public:
    ObjReader(std::string_view text, const std::string& file) : scan_(text, file) {}

    TriangleMesh read() {
        while (!scan_.at_end()) {
            const std::string_view keyword = scan_.token_in_line();
            if (keyword == "v") read_vertex();
            if (keyword == "f") read_face();
            scan_.next_line();
        }
        if (mesh_.position.empty()) scan_.refuse("has no vertices");
        if (highest_ >= static_cast<std::int64_t>(mesh_.position.size()))
            highest_at_.refuse(
                fmt::format("vertex {} is asked for, but there are {}", highest_ + 1, mesh_.position.size()));
        return std::move(mesh_);
    }

 private:
    void read_vertex() {
        Vec3d p;
        for (int k = 0; k < 3; ++k) {
            const std::string_view token = scan_.token_in_line();
            const auto value = parse_number<double>(token);
            if (!value || !std::isfinite(*value))
                scan_.refuse(fmt::format("vertex {}: '{}' is not a finite coordinate",
                                         mesh_.position.size() + 1, printable(token)));
            p[k] = *value;
        }
        if (mesh_.position.size() >= std::numeric_limits<std::int32_t>::max())
            scan_.refuse("has too many vertices");
        mesh_.position.push_back(p);
    }

    void read_face() {
        corners_.clear();
        for (std::string_view token; !(token = scan_.token_in_line()).empty() && token[0] != '#';)
            corners_.push_back(corner(token));
        if (corners_.size() < 3)
            scan_.refuse(fmt::format("a face needs 3 corners, here are {}", corners_.size()));
        add_polygon(mesh_.triangle, corners_);
    }

    /// "7", "7/1", "7/1/3", "7//3", "-1": the vertex, counted from 0.
    std::int32_t corner(std::string_view token) {
        const auto index = parse_number<std::int32_t>(token.substr(0, token.find('/')));
        if (!index || *index == 0 || token.find_first_not_of("0123456789/-+") != std::string_view::npos)
            scan_.refuse(fmt::format("'{}' is not a face corner", printable(token)),
                         "vertices count from 1, or from -1 backwards");
        if (*index < 0) {
            const std::int64_t from_end = static_cast<std::int64_t>(mesh_.position.size()) + *index;
            if (from_end < 0)
                scan_.refuse(fmt::format("vertex {} counted from the end is asked for, but there are {}",
                                         *index, mesh_.position.size()));
            return static_cast<std::int32_t>(from_end);
        }
        if (*index - 1 > highest_) {
            highest_ = *index - 1;
            highest_at_ = scan_;
        }
        return *index - 1;
    }

    static std::string printable(std::string_view token) {
        std::string text(token.substr(0, 40));
        for (char& c : text)
            if (c < ' ' || c > '~') c = '?';
        return text;
    }

    TextScanner scan_, highest_at_ = scan_;
    std::int64_t highest_ = -1;  // largest index asked for, and where
    TriangleMesh mesh_;
    std::vector<std::int32_t> corners_;
};

}  // namespace

TriangleMesh read_obj(std::span<const std::byte> bytes, const std::string& file) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.find('\0') != std::string_view::npos) TextScanner(text, file).refuse("is not a text file");
    return ObjReader(text, file).read();
}

}  // namespace rivulet::io
