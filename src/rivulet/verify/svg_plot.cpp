#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <rivulet/verify/report.h>

namespace rivulet::verify {

namespace {

constexpr std::array kColors{"#1d6fb8", "#c2410c", "#15803d", "#7c3aed", "#be185d", "#4b5563"};

struct Axis {
    double low = std::numeric_limits<double>::infinity(), high = -low, step = 1;
    bool decades = false;  // coordinates are then powers of ten

    /// Not finite for what a logarithmic axis cannot show.
    double coordinate(double v) const {
        return decades ? (v > 0 ? std::log10(v) : std::numeric_limits<double>::quiet_NaN()) : v;
    }
    void include(double v) {
        const double c = coordinate(v);
        if (!std::isfinite(c)) return;
        low = std::min(low, c);
        high = std::max(high, c);
    }
    /// Widens to round ticks, about five of them.
    void settle() {
        if (!(low <= high)) low = 0, high = 1;
        if (high - low < 1e-12 * std::max(1.0, std::abs(high))) low -= 0.5, high += 0.5;
        const double raw = (high - low) / 5, power = std::pow(10, std::floor(std::log10(raw)));
        const double lead = raw / power;
        step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
        if (decades) step = std::max(1.0, std::round(step));
        low = std::floor(low / step + 1e-9) * step;
        high = std::ceil(high / step - 1e-9) * step;
    }
    std::string label(double c) const {
        if (decades) return fmt::format("{:.4g}", std::pow(10, c));
        return fmt::format("{:.4g}", std::abs(c) < 1e-9 * step ? 0 : c);
    }
    double at(double c) const { return (c - low) / (high - low); }
};

struct Pixel {
    double x, y;
};

/// Where the names of curves stand: along which side, and the height of the first.
struct Legend {
    double x, y;
    const char* anchor;
};

/// The corner of a plot that the curves cross least; the upper right one if there is a choice.
Legend emptiest_corner(const std::vector<std::vector<Pixel>>& curves, const Pixel& low, const Pixel& high,
                       double wide, double tall) {
    const auto points_in = [&](const Pixel& from) {
        int count = 0;
        const auto look_at = [&](const Pixel& p) {
            count += p.x > from.x && p.x < from.x + wide && p.y > from.y && p.y < from.y + tall;
        };
        for (const auto& curve : curves)
            for (std::size_t i = 0; i < curve.size(); ++i) {
                const Pixel a = curve[i], b = curve[std::min(i + 1, curve.size() - 1)];
                const int parts = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / 2);
                for (int n = 0; n < parts; ++n)
                    look_at({a.x + (b.x - a.x) * n / parts, a.y + (b.y - a.y) * n / parts});
            }
        return count;
    };
    const Pixel corners[4] = {
        {high.x - wide, low.y}, {low.x, low.y}, {high.x - wide, high.y - tall}, {low.x, high.y - tall}};
    const auto best =
        std::min_element(std::begin(corners), std::end(corners),
                         [&](const Pixel& a, const Pixel& b) { return points_in(a) < points_in(b); });
    const bool at_right = best->x > low.x;
    return {at_right ? high.x - 4 : low.x + 4, best->y + 14, at_right ? "end" : "start"};
}

}  // namespace

std::string svg_plot(const Plot& plot, int width, int height) {
    Axis x, y;
    x.decades = plot.log_x;
    y.decades = plot.log_y;
    for (const Curve& c : plot.curves) {
        for (double v : c.x) x.include(v);
        for (double v : c.y) y.include(v);
    }
    x.settle();
    y.settle();
    const double left = 64, right = width - 14.0, top = 34, bottom = height - 44.0;
    const auto px = [&](double v) { return left + x.at(v) * (right - left); };
    const auto py = [&](double v) { return bottom - y.at(v) * (bottom - top); };

    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"system-ui,sans-serif\" font-size=\"11\"><text x=\"{2}\" y=\"18\" "
        "font-size=\"13\">{3}</text>",
        width, height, left, plot.title);
    for (double v = x.low; v <= x.high + 0.5 * x.step; v += x.step)
        svg += fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#e5e9ee\"/>"
            "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>",
            px(v), top, bottom, bottom + 15, x.label(v));
    for (double v = y.low; v <= y.high + 0.5 * y.step; v += y.step)
        svg += fmt::format(
            "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#e5e9ee\"/>"
            "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
            left, right, py(v), left - 6, py(v) + 4, y.label(v));
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", 0.5 * (left + right),
                       height - 8, plot.x_label);
    svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                       0.5 * (top + bottom), plot.y_label);
    std::vector<std::vector<Pixel>> drawn(plot.curves.size());
    std::size_t longest = 0;
    for (std::size_t k = 0; k < plot.curves.size(); ++k) {
        const Curve& c = plot.curves[k];
        longest = std::max(longest, c.label.size());
        for (std::size_t i = 0; i < std::min(c.x.size(), c.y.size()); ++i) {
            const double at_x = x.coordinate(c.x[i]), at_y = y.coordinate(c.y[i]);
            if (std::isfinite(at_x) && std::isfinite(at_y)) drawn[k].push_back({px(at_x), py(at_y)});
        }
    }
    // A letter is 6 px wide.
    const Legend legend = emptiest_corner(drawn, {left, top}, {right, bottom}, 6.0 * double(longest) + 8,
                                          14.0 * double(plot.curves.size()) + 6);
    for (std::size_t k = 0; k < plot.curves.size(); ++k) {
        const Curve& c = plot.curves[k];
        const char* color = kColors[k % kColors.size()];
        std::string line;
        for (const Pixel& p : drawn[k]) {
            if (c.points)
                svg +=
                    fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", p.x, p.y, color);
            else
                line += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
        }
        if (!line.empty())
            svg += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" points=\"{}\"/>",
                               color, line);
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>", legend.x,
                           legend.y + 14 * static_cast<double>(k), legend.anchor, color, c.label);
    }
    return svg + "</svg>";
}

}  // namespace rivulet::verify
