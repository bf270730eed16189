#include <rivulet/io/obj_curves.h>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

#include <rivulet/io/edge_chains.h>
#include <rivulet/io/refuse.h>

namespace rivulet::io {
namespace {

/// Words of one line; a trailing backslash was joined before.
class Words {
 public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next() {
        const std::size_t from = rest_.find_first_not_of(" \t\r");
        if (from == std::string_view::npos) return {};
        rest_.remove_prefix(from);
        const std::size_t to = std::min(rest_.find_first_of(" \t\r"), rest_.size());
        const std::string_view word = rest_.substr(0, to);
        rest_.remove_prefix(to);
        return word;
    }

 private:
    std::string_view rest_;
};

class ObjCurveParser {
 public:
    ObjCurveParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    CurveArrays parse() {
        while (!text_.empty()) {
            const int line = line_ + 1;
            read_line(take_line(), line);
        }
        if (edges_.empty()) refuse_file(name_, 0, "no polylines", "strands are `l` elements");
        const EdgeChains chains = chain_edges(edges_, static_cast<std::uint32_t>(vertices_.size()), name_);
        CurveArrays curves;
        curves.start = chains.start;
        curves.position.reserve(chains.vertex.size());
        for (const std::uint32_t v : chains.vertex) curves.position.push_back(vertices_[v]);
        return curves;
    }

 private:
    /// One logical line; physical lines that end in a backslash are joined.
    std::string_view take_line() {
        joined_.clear();
        for (;;) {
            const std::size_t end = text_.find('\n');
            std::string_view line = text_.substr(0, end);
            text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
            ++line_;
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            const bool goes_on = !line.empty() && line.back() == '\\' && !text_.empty();
            if (!goes_on && joined_.empty()) return line;
            if (goes_on) line.remove_suffix(1);
            joined_.append(line).push_back(' ');
            if (!goes_on) return joined_;
        }
    }

    void read_line(std::string_view line, int number) {
        Words words(line);
        const std::string_view kind = words.next();
        if (kind == "v") {
            Vec3d p;
            for (int i = 0; i < 3; ++i) p[i] = coordinate(words.next(), number);
            if (vertices_.size() >= std::numeric_limits<std::uint32_t>::max())
                refuse(number, "too many vertices");
            vertices_.push_back(p);
        } else if (kind == "l") {
            read_polyline(words, number);
        }
    }

    void read_polyline(Words& words, int number) {
        std::uint32_t previous = 0;
        int count = 0;
        for (std::string_view word = words.next(); !word.empty(); word = words.next(), ++count) {
            const std::uint32_t v = vertex_index(word.substr(0, word.find('/')), number);
            if (count > 0) edges_.push_back({previous, v});
            previous = v;
        }
        if (count < 2) refuse(number, "a polyline needs at least two vertices");
    }

    double coordinate(std::string_view word, int number) const {
        if (!word.empty() && word.front() == '+') word.remove_prefix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || error == std::errc::invalid_argument || end != word.data() + word.size())
            refuse(number, fmt::format("'{}' is not a coordinate", word.substr(0, 40)));
        return value;
    }

    std::uint32_t vertex_index(std::string_view word, int number) const {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        const auto count = static_cast<std::int64_t>(vertices_.size());
        if (error != std::errc{} || end != word.data() + word.size())
            refuse(number, fmt::format("'{}' is not a vertex number", word.substr(0, 40)));
        if (value == 0 || value > count || value < -count)
            refuse(number, fmt::format("vertex {} of {}", value, count));
        return static_cast<std::uint32_t>(value > 0 ? value - 1 : count + value);
    }

    [[noreturn]] void refuse(int line, std::string message) const {
        refuse_file(name_, line, std::move(message));
    }

    std::string_view text_;
    const std::string& name_;
    std::string joined_;
    int line_ = 0;
    std::vector<Vec3d> vertices_;
    std::vector<std::array<std::uint32_t, 2>> edges_;
};

}  // namespace

CurveArrays parse_obj_curves(std::string_view text, const std::string& name) {
    return ObjCurveParser(text, name).parse();
}

}  // namespace rivulet::io
