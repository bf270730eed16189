#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

/// Minima of a distance along a line. Places run over [0, 1].
namespace rivulet::contact {

struct LineMinimum {
    double place = 0, value = 0;  // -, m
};

struct LineMinima {
    static constexpr int kMost = 6;
    int count = 0;  // those below the ceiling, in the order of their places
    std::array<LineMinimum, kMost> at;
    LineMinimum least;  // of all values seen
    double bound = 0;   // no value on the line is below this
};

/// What is looked for along a line.
struct LineSearch {
    double length = 0;   // of the line: the value changes no faster than the way [m]
    double ceiling = 0;  // values above need no attention [m]
    double resolution =
        0;  // > 0; dips shallower than this may be missed, and separate minima rise by more [m]
};

/// Finds minima while values come from left to right: a valley ends when the values have risen by `rise`.
class ValleyFinder {
 public:
    ValleyFinder(LineMinima& out, double ceiling, double rise) : out_(out), ceiling_(ceiling), rise_(rise) {}
    void see(double place, double value) {
        if (value < out_.least.value) out_.least = {place, value};
        if (!falling_ && value < top_ - rise_) falling_ = true, lowest_ = {place, value};
        if (!falling_) {
            top_ = std::max(top_, value);
        } else if (value < lowest_.value) {
            lowest_ = {place, value};
        } else if (value > lowest_.value + rise_) {
            close(value);
        }
    }
    /// The values between this place and the next are above the ceiling.
    void skip() {
        if (falling_) close(ceiling_);
        top_ = std::max(top_, ceiling_ + 2 * rise_);
    }
    void finish() {
        if (falling_) close(0);
    }

 private:
    void close(double value) {
        if (lowest_.value < ceiling_ && out_.count < LineMinima::kMost) out_.at[out_.count++] = lowest_;
        falling_ = false, top_ = value;
    }
    LineMinima& out_;
    double ceiling_, rise_, top_ = 1e300;
    bool falling_ = false;
    LineMinimum lowest_;
};

inline constexpr int kMostLineSamples = 2048;

/// Minima of a value that changes no faster than the way (Piyavskii 1972): between two samples h apart it
/// stays above (d0 + d1 - h)/2, so only intervals that could go below the ceiling are halved, until what is
/// unknown is below the resolution. Ends when the samples are spent, with a lower bound that still holds.
template <class Value>
LineMinima lipschitz_minima(Value&& value, const LineSearch& search) {
    assert(search.length >= 0 && search.resolution > 0);
    struct Interval {
        double from, to, value_to;
        int depth;
    };
    constexpr int kDeepest = 40;
    std::array<Interval, kDeepest + 2> stack;
    LineMinima out;
    double at = 0, before = value(0.0);
    out.least = {0, before};
    out.bound = before;
    ValleyFinder valleys(out, search.ceiling, search.resolution);
    valleys.see(at, before);
    int top = 0, samples = 2;
    stack[0] = {0, 1, value(1.0), 0};
    while (top >= 0) {
        const Interval i = stack[static_cast<std::size_t>(top)];
        const double h = (i.to - i.from) * search.length;
        const double low = 0.5 * (before + i.value_to - h);
        const bool above = low >= search.ceiling;
        if (above || low >= std::min(before, i.value_to) - search.resolution || i.depth == kDeepest ||
            samples >= kMostLineSamples) {
            out.bound = std::min(out.bound, low);
            if (above) valleys.skip();
            before = i.value_to;
            valleys.see(i.to, before);
            --top;
            continue;
        }
        const double middle = 0.5 * (i.from + i.to);
        stack[static_cast<std::size_t>(top)] = {middle, i.to, i.value_to, i.depth + 1};
        stack[static_cast<std::size_t>(++top)] = {i.from, middle, value(middle), i.depth + 1};
        ++samples;
    }
    valleys.finish();
    return out;
}

/// A value and how it changes along the line.
struct LineSample {
    double value = 0, slope = 0;  // m, m per whole line
};

/// Minimum of a convex value: where the tangents at both ends meet is a lower bound and the next sample
/// (Kelley 1960); halved when that does not shrink the interval.
template <class Sample>
LineMinima convex_minimum(Sample&& sample, const LineSearch& search) {
    LineMinima out;
    double from = 0, to = 1;
    LineSample left = sample(0.0), right = sample(1.0);
    out.least = left.value <= right.value ? LineMinimum{0, left.value} : LineMinimum{1, right.value};
    out.bound = out.least.value;
    if (left.slope < 0 && right.slope > 0)
        for (int step = 0; step < 60; ++step) {
            // left.value + left.slope (x - from) = right.value + right.slope (x - to)
            const double meet = (right.value - left.value + left.slope * from - right.slope * to) /
                                (left.slope - right.slope);
            const double x = step % 3 == 2 || !(meet > from && meet < to) ? 0.5 * (from + to) : meet;
            out.bound = std::min(out.least.value, left.value + left.slope * (meet - from));
            if (out.least.value - out.bound <= search.resolution) break;
            const LineSample middle = sample(x);
            if (middle.value < out.least.value) out.least = {x, middle.value};
            if (middle.slope == 0) {
                out.bound = out.least.value;
                break;
            }
            (middle.slope < 0 ? left : right) = middle;
            (middle.slope < 0 ? from : to) = x;
        }
    if (out.least.value < search.ceiling) out.count = 1, out.at[0] = out.least;
    return out;
}

}  // namespace rivulet::contact
