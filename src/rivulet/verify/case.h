#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rivulet/base/progress.h>

namespace rivulet::verify {

/// One measured number against its reference. Passed when |value - reference| <= tolerance * scale, where
/// scale is |reference|, or 1 when `absolute` is set; with `at_most`/`at_least` the reference is a bound
/// instead.
struct Quantity {
    enum class Kind { relative, absolute, at_most, at_least };
    std::string name;  // "" when the case has only one
    double value = 0, reference = 0, tolerance = 0;
    Kind kind = Kind::relative;
    std::optional<double> order{};        // measured order of convergence
    std::optional<double> order_least{};  // smallest acceptable order
    bool passed() const;
};

/// A curve for the report's plot: computed against reference points or another curve.
struct Curve {
    std::string label;
    std::vector<double> x, y;
    bool points = false;  // drawn as markers instead of a line
};
struct Plot {
    std::string title, x_label, y_label;
    std::vector<Curve> curves;
    bool log_x = false, log_y = false;  // decades; what is not positive is left out
};

struct Outcome {
    std::vector<Quantity> quantities;
    std::vector<Plot> plots;
    std::string remark;
};

struct Options {
    bool quick = false;  // coarse version: a whole room in at most 60 s on 2 cores
};

/// A validation case: a name, where its reference comes from, and what to run.
struct Case {
    std::string room, name;
    std::string source;  // reference, e.g. "Martin & Moyce 1952"
    std::function<Outcome(const Options&)> run;
    std::string full_name() const { return room + "." + name; }
};

/// Every validation case, room after room: the one explicit list (verify/list.cpp).
std::vector<Case> all_cases();

}  // namespace rivulet::verify
