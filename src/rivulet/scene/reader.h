#pragma once

#include <map>
#include <string>
#include <vector>

#include <rivulet/base/error.h>
#include <rivulet/base/units.h>
#include <rivulet/scene/value.h>

namespace rivulet::scene {

struct Document;

/// Allowed values of a number or quantity, in SI.
struct Range {
    double low, high;
    bool low_open = false, high_open = false;
    Range();  // everything finite
    bool contains(double v) const;
    /// "> 0", "at least 0", "between 0 and 1"; "" for everything. `unit` follows each bound.
    std::string text(const std::string& unit = "") const;
};

/// Names of the entities that a reference may point at, in the order of their indices.
struct NameList {
    std::vector<std::string> names;
    std::vector<std::string> on_request;  // catalogue names: appended to `names` when first referred to
};

/// Turns values into numbers, and collects what is wrong with them instead of stopping.
class Reader {
 public:
    explicit Reader(const Document& document) : document_(document) {}

    double fps = 24;  // length of a frame for times in `f`
    std::map<std::string, NameList> names;
    std::vector<std::string> files;  // absolute paths of the files that entities name

    void fail(const Source& at, const std::string& path, std::string message, std::string hint = "");
    bool failed() const { return total_ > 0; }
    std::size_t count() const { return total_; }
    bool full() const;
    /// All problems by file and line.
    std::vector<Problem> problems() const;

    /// Each returns false, and has reported why, when the value is not what is asked for.
    bool quantity(const Value& value, const std::string& path, const Dimension& expected, double& out);
    bool vector(const Value& value, const std::string& path, const Dimension& expected, Vec3d& out);
    /// "4, 2.5 cm"; the third is 0.
    bool pair(const Value& value, const std::string& path, const Dimension& expected, Vec3d& out);
    bool number(const Value& value, const std::string& path, double& out);
    bool integer(const Value& value, const std::string& path, std::int64_t& out);
    bool boolean(const Value& value, const std::string& path, bool& out);
    bool text(const Value& value, const std::string& path, std::string& out);
    bool triple(const Value& value, const std::string& path, Vec3d& out);
    bool in_range(const Value& value, const std::string& path, double v, const Range& range,
                  const std::string& unit);
    /// Index of the named entity of a kind ("obstacle", "liquid material", ...).
    bool reference(const Value& value, const std::string& path, const std::string& kind, int& out);
    /// Kind (of several) and index of the named entity: what the scene has before what a catalogue has, an
    /// earlier kind before a later one. "obstacle.comb" names the kind itself.
    bool either(const Value& value, const std::string& path, const std::vector<std::string>& kinds, int& kind,
                int& index);
    /// Absolute path of an existing file, written relative to the scene text it stands in.
    bool file(const Value& value, const std::string& path, std::string& out);
    /// The same for a path that names several files; nothing is looked up on the disk.
    bool file_pattern(const Value& value, const std::string& path, std::string& out);
    /// Records a file the scene depends on; reports when it is missing.
    bool depend_on(const Source& at, const std::string& path, const std::string& file);

 private:
    bool several(const Value& value, const std::string& path, const Dimension& expected, Vec3d& out,
                 int count);
    void wrong_dimension(const Value& value, const std::string& path, const Dimension& expected,
                         const Dimension& got, bool has_unit);

    const Document& document_;
    struct Found {
        Source at;
        Problem problem;
    };
    std::vector<Found> found_;
    std::size_t total_ = 0;
};

/// The candidate nearest to a word by edits (insert, delete, replace, swap); "" when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);
/// "did you mean 'x'?" or the list of what is allowed.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);
/// The word of a kind in keys: "material" of "strand material".
std::string kind_word(const std::string& called);
/// The unit a person would write: deg for rad, rpm for rad/s.
std::string friendly_unit(const Dimension& dimension);

}  // namespace rivulet::scene
