#include <rivulet/scene/reader.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include <rivulet/obstacle/mesh_sequence.h>
#include <rivulet/scene/document.h>

namespace rivulet::scene {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostProblems = 100;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Times in frames and dimensionless 0: a bare 0 fits every dimension.
bool is_bare_zero(const Value& value) {
    return (value.type == Value::Type::integer && value.integer == 0) ||
           (value.type == Value::Type::number && value.number == 0);
}
bool is_number(const Value& value) {
    return value.type == Value::Type::integer || value.type == Value::Type::number;
}

/// Whether a name, or a pattern (obstacle/mesh_sequence.h), is that of any file.
bool names_files(const std::string& name) {
    std::error_code code;
    if (fs::is_regular_file(name, code)) return true;
    if (obstacle::frame_file(name, 0).empty()) return false;
    for (const auto& entry : fs::directory_iterator(fs::path(name).parent_path(), code))
        if (obstacle::frame_number(name, entry.path().string())) return true;
    return false;
}

}  // namespace

Range::Range() : low(-kInfinity), high(kInfinity) {}

bool Range::contains(double v) const {
    return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high);
}

std::string Range::text(const std::string& unit) const {
    const std::string suffix = unit.empty() ? "" : " " + unit;
    const auto bound = [&](double v) {
        const double degrees = std::round(v * 180 / std::numbers::pi);
        if (unit == "rad" && v != 0 && std::abs(v * 180 / std::numbers::pi - degrees) < 1e-9)
            return shortest(degrees) + " deg";
        return v == 0 ? std::string("0") : shortest(v) + suffix;
    };
    if (low == high) return "exactly " + bound(low);
    const bool from_below = std::isfinite(low), to_above = std::isfinite(high);
    if (from_below && to_above)
        return low_open || high_open ? fmt::format("{} {} and {} {}", low_open ? ">" : ">=", bound(low),
                                                   high_open ? "<" : "<=", bound(high))
                                     : fmt::format("between {} and {}", bound(low), bound(high));
    if (from_below) return (low_open ? "> " : "at least ") + bound(low);
    if (to_above) return (high_open ? "< " : "at most ") + bound(high);
    return "";
}

bool Reader::full() const {
    return found_.size() >= kMostProblems;
}

void Reader::fail(const Source& at, const std::string& path, std::string message, std::string hint) {
    ++total_;
    if (full()) return;
    const std::string& file = document_.files[std::size_t(at.file)];
    found_.push_back({at, Problem{file, at.line, at.column, path, std::move(message), std::move(hint)}});
}

std::vector<Problem> Reader::problems() const {
    std::vector<Found> sorted = found_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Found& a, const Found& b) {
        return std::tie(a.at.file, a.at.line, a.at.column) < std::tie(b.at.file, b.at.line, b.at.column);
    });
    std::vector<Problem> out;
    for (Found& found : sorted) out.push_back(std::move(found.problem));
    if (total_ > found_.size())
        out.push_back(Problem{document_.files[0], 0, 0, "",
                              fmt::format("and {} more problems", total_ - found_.size()), ""});
    return out;
}

void Reader::wrong_dimension(const Value& value, const std::string& path, const Dimension& expected,
                             const Dimension& got, bool has_unit) {
    if (has_unit || expected.is_number())
        return fail(
            value.at, path,
            fmt::format("expected {}, got {} ({})", a_name_of(expected), a_name_of(got), describe(value)));
    const std::string written = value.type == Value::Type::text ? value.text : describe(value);
    fail(value.at, path, fmt::format("expected {} with a unit, got {}", a_name_of(expected), describe(value)),
         fmt::format("write \"{} {}\"", written, friendly_unit(expected)));
}

bool Reader::quantity(const Value& value, const std::string& path, const Dimension& expected, double& out) {
    if (is_bare_zero(value)) return out = 0, true;
    if (is_number(value)) {
        if (expected.is_number()) return number(value, path, out);
        return wrong_dimension(value, path, expected, {}, false), false;
    }
    if (value.type != Value::Type::text)
        return fail(value.at, path, fmt::format("expected {}, got {}", a_name_of(expected), describe(value)),
                    fmt::format("for example \"1 {}\"", friendly_unit(expected))),
               false;
    try {
        const Quantity q = parse_quantity(value.text, fps);
        if (!same(q.dimension, expected) && !(q.value == 0 && !q.has_unit))
            return wrong_dimension(value, path, expected, q.dimension, q.has_unit), false;
        return out = q.value, true;
    } catch (const UnitError& error) {
        fail(value.at, path,
             fmt::format("expected {}, got {}: {}", a_name_of(expected), describe(value), error.what()),
             fmt::format("for example \"1 {}\"", friendly_unit(expected)));
        return false;
    }
}

bool Reader::vector(const Value& value, const std::string& path, const Dimension& expected, Vec3d& out) {
    return several(value, path, expected, out, 3);
}

bool Reader::pair(const Value& value, const std::string& path, const Dimension& expected, Vec3d& out) {
    return several(value, path, expected, out, 2);
}

bool Reader::several(const Value& value, const std::string& path, const Dimension& expected, Vec3d& out,
                     int count) {
    const std::string example =
        fmt::format("for example \"0, 1{} {}\"", count == 3 ? ", 0" : "", friendly_unit(expected));
    if (is_bare_zero(value)) return out = Vec3d{}, true;
    if (value.type != Value::Type::text)
        return fail(value.at, path,
                    fmt::format("expected one text with {} numbers and a unit, got {}",
                                count == 3 ? "three" : "two", describe(value)),
                    example),
               false;
    try {
        const VectorQuantity q = count == 3 ? parse_vector(value.text, fps) : parse_pair(value.text, fps);
        if (!same(q.dimension, expected) && !(q.value == Vec3d{} && !q.has_unit))
            return wrong_dimension(value, path, expected, q.dimension, q.has_unit), false;
        return out = q.value, true;
    } catch (const UnitError& error) {
        return fail(value.at, path, fmt::format("{}: {}", describe(value), error.what()), example), false;
    }
}

bool Reader::number(const Value& value, const std::string& path, double& out) {
    if (value.type == Value::Type::integer) return out = double(value.integer), true;
    if (value.type == Value::Type::number && std::isfinite(value.number)) return out = value.number, true;
    if (value.type == Value::Type::text) {
        try {
            const Quantity q = parse_quantity(value.text, fps);
            if (q.dimension.is_number() && q.has_unit) return out = q.value, true;  // "40 %"
        } catch (const UnitError&) {
        }
    }
    return fail(value.at, path, fmt::format("expected a plain number, got {}", describe(value))), false;
}

bool Reader::integer(const Value& value, const std::string& path, std::int64_t& out) {
    if (value.type == Value::Type::integer) return out = value.integer, true;
    return fail(value.at, path, fmt::format("expected a whole number, got {}", describe(value))), false;
}

bool Reader::boolean(const Value& value, const std::string& path, bool& out) {
    if (value.type == Value::Type::boolean) return out = value.boolean, true;
    return fail(value.at, path, fmt::format("expected true or false, got {}", describe(value))), false;
}

bool Reader::text(const Value& value, const std::string& path, std::string& out) {
    if (value.type == Value::Type::text) return out = value.text, true;
    if (!value.as_written.empty()) return out = value.as_written, true;
    return fail(value.at, path, fmt::format("expected a text in quotes, got {}", describe(value))), false;
}

bool Reader::triple(const Value& value, const std::string& path, Vec3d& out) {
    if (!value.is_array() || value.items.size() != 3)
        return fail(value.at, path, fmt::format("expected three numbers, got {}", describe(value)),
                    "for example [0, 1, 0]"),
               false;
    Vec3d v;
    for (int i = 0; i < 3; ++i)
        if (!number(value.items[std::size_t(i)], path, v[i])) return false;
    return out = v, true;
}

bool Reader::in_range(const Value& value, const std::string& path, double v, const Range& range,
                      const std::string& unit) {
    if (range.contains(v)) return true;
    return fail(value.at, path, fmt::format("must be {}, got {}", range.text(unit), describe(value))), false;
}

bool Reader::reference(const Value& value, const std::string& path, const std::string& kind, int& out) {
    std::string name;
    if (!text(value, path, name)) return false;
    NameList& list = names[kind];
    const auto found = std::find(list.names.begin(), list.names.end(), name);
    if (found != list.names.end()) return out = int(found - list.names.begin()), true;
    if (std::find(list.on_request.begin(), list.on_request.end(), name) != list.on_request.end()) {
        list.names.push_back(name);
        return out = int(list.names.size()) - 1, true;
    }
    if (full()) return fail(value.at, path, ""), false;
    std::vector<std::string> all = list.names;
    all.insert(all.end(), list.on_request.begin(), list.on_request.end());
    fail(value.at, path, fmt::format("there is no {} '{}'", kind, name),
         all.empty() ? fmt::format("the scene has no {}", kind) : suggestion(name, all));
    return false;
}

bool Reader::either(const Value& value, const std::string& path, const std::vector<std::string>& kinds,
                    int& kind, int& index) {
    std::string name;
    if (!text(value, path, name)) return false;
    std::string called;
    std::vector<std::string> all;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const std::string word = kind_word(kinds[k]) + ".";
        if (name.starts_with(word)) {
            Value plain = value;
            plain.text = name.substr(word.size());
            plain.as_written.clear();
            plain.type = Value::Type::text;
            return kind = int(k), reference(plain, path, kinds[k], index);
        }
        called += (k > 0 ? " or " : "") + kinds[k];
        for (const auto& list : {names[kinds[k]].names, names[kinds[k]].on_request})
            all.insert(all.end(), list.begin(), list.end());
    }
    for (const auto list : {&NameList::names, &NameList::on_request})
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            const std::vector<std::string>& known = names[kinds[k]].*list;
            if (std::find(known.begin(), known.end(), name) != known.end())
                return kind = int(k), reference(value, path, kinds[k], index);
        }
    fail(value.at, path, fmt::format("there is no {} '{}'", called, name), suggestion(name, all));
    return false;
}

bool Reader::file_pattern(const Value& value, const std::string& path, std::string& out) {
    std::string name;
    if (!text(value, path, name)) return false;
    if (name.empty() || name.find('\0') != std::string::npos)
        return fail(value.at, path, "expected the name of a file"), false;
    const auto from = [&](const std::string& folder) {
        return (fs::path(folder) / name).lexically_normal().string();
    };
    out = from(document_.folders[std::size_t(value.at.file)]);
    const std::string& second = document_.second_folder;
    if (!second.empty() && !names_files(out) && names_files(from(second))) out = from(second);
    return true;
}

bool Reader::file(const Value& value, const std::string& path, std::string& out) {
    return file_pattern(value, path, out) && depend_on(value.at, path, out);
}

bool Reader::depend_on(const Source& at, const std::string& path, const std::string& name) {
    std::error_code code;
    if (!fs::is_regular_file(name, code))
        return fail(at, path, fmt::format("no such file: {}", name), "files are relative to the scene"),
               false;
    if (std::find(files.begin(), files.end(), name) == files.end()) files.push_back(name);
    return true;
}

std::string kind_word(const std::string& called) {
    return called.substr(called.rfind(' ') + 1);  // npos + 1 is 0
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
    constexpr std::size_t kLongestWord = 64;
    if (word.size() > kLongestWord) return "";
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > kLongestWord) continue;
        // Optimal string alignment distance; rows i-2, i-1 and i.
        std::vector<std::size_t> before(candidate.size() + 1), last(candidate.size() + 1),
            row(candidate.size() + 1);
        for (std::size_t j = 0; j <= candidate.size(); ++j) last[j] = j;
        for (std::size_t i = 1; i <= word.size(); ++i) {
            row[0] = i;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t replace = last[j - 1] + (word[i - 1] != candidate[j - 1]);
                row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
                if (i > 1 && j > 1 && word[i - 1] == candidate[j - 2] && word[i - 2] == candidate[j - 1])
                    row[j] = std::min(row[j], before[j - 2] + 1);
            }
            std::swap(before, last);
            std::swap(last, row);
        }
        if (last.back() < best_distance) {
            best_distance = last.back();
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
    const std::string near = nearest(word, candidates);
    if (!near.empty()) return fmt::format("did you mean '{}'?", near);
    constexpr std::size_t kMostListed = 24;
    std::string list;
    for (std::size_t i = 0; i < std::min(candidates.size(), kMostListed); ++i)
        list += (i ? ", " : "") + candidates[i];
    if (candidates.size() > kMostListed) list += ", ...";
    return "known: " + list;
}

std::string friendly_unit(const Dimension& dimension) {
    const std::string unit = si_unit(dimension);
    return unit == "rad" ? "deg" : unit == "rad/s" ? "rpm" : unit == "B" ? "GB" : unit;
}

}  // namespace rivulet::scene
