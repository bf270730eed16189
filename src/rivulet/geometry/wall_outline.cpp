#include <rivulet/geometry/wall_outline.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rivulet::geometry {
namespace {

/// Walks along a line on its right side, `half` away from it.
class RightSide {
 public:
    RightSide(const ProfileLine& line, double half, int steps) : line_(line), half_(half), steps_(steps) {}

    /// Without what lies round its free ends.
    std::vector<ProfilePoint> walk() {
        const std::size_t n = line_.points.size();
        for (std::size_t i = 0; i < n; ++i) {
            const bool first = i == 0 && !line_.closed, last = i + 1 == n && !line_.closed;
            if (first && line_.points[i].radius == 0)
                leave_axis();
            else if (last && line_.points[i].radius == 0)
                reach_axis();
            else if (!first && !last)
                corner(line_.points[i], direction((i + n - 1) % n), direction(i));
        }
        return std::move(out_);
    }
    /// Half a turn round the free end, from the right side to the left.
    std::vector<ProfilePoint> round_end() {
        const ProfilePoint d = direction(line_.points.size() - 2);
        const double from = std::atan2(-d.radius, d.height);
        arc(line_.points.back(), from, from + std::numbers::pi);
        return std::move(out_);
    }

 private:
    /// Of the piece that starts at point i.
    ProfilePoint direction(std::size_t i) const {
        const ProfilePoint &a = line_.points[i], &b = line_.points[(i + 1) % line_.points.size()];
        const double l = std::hypot(b.radius - a.radius, b.height - a.height);
        return {(b.radius - a.radius) / l, (b.height - a.height) / l};
    }
    void add(const ProfilePoint& p) {
        // Never beyond the axis: what the other half would show is there already.
        out_.push_back({std::max(p.radius, 0.0), p.height});
    }
    void arc(const ProfilePoint& centre, double from, double to) {
        const int pieces =
            std::max(1, static_cast<int>(std::ceil((to - from) * steps_ / (2 * std::numbers::pi) - 1e-9)));
        for (int k = 0; k <= pieces; ++k) {
            const double a = from + (to - from) * k / pieces;
            add({centre.radius + half_ * std::cos(a), centre.height + half_ * std::sin(a)});
        }
    }
    void corner(const ProfilePoint& p, const ProfilePoint& in, const ProfilePoint& out) {
        const double turn = std::atan2(in.radius * out.height - in.height * out.radius,
                                       in.radius * out.radius + in.height * out.height);
        const double from = std::atan2(-in.radius, in.height);
        if (turn * steps_ > std::numbers::pi) return arc(p, from, from + turn);
        const double reach = half_ / std::cos(0.5 * turn), a = from + 0.5 * turn;
        add({p.radius + reach * std::cos(a), p.height + reach * std::sin(a)});
    }
    /// Across the axis the line goes on as its mirror image.
    void reach_axis() {
        const ProfilePoint d = direction(line_.points.size() - 2);
        to_axis(line_.points.back(), d, {d.radius, -d.height});
        out_.back().radius = 0;
    }
    void leave_axis() {
        const ProfilePoint d = direction(0);
        to_axis(line_.points.front(), {d.radius, -d.height}, d);
        out_.front().radius = 0;
    }
    /// A corner whose middle lies on the axis: only the half on this side of it.
    void to_axis(const ProfilePoint& p, const ProfilePoint& in, const ProfilePoint& out) {
        const std::size_t before = out_.size();
        corner(p, in, out);
        if (out_.size() == before + 1) return;
        std::vector<ProfilePoint> round(out_.begin() + static_cast<std::ptrdiff_t>(before), out_.end());
        out_.resize(before);
        const double top = p.height + (in.radius < 0 ? half_ : -half_);
        if (in.radius >= 0) out_.push_back({0, top});
        for (const ProfilePoint& q : round)
            if (q.radius > 1e-9 * half_) out_.push_back(q);
        if (in.radius < 0) out_.push_back({0, top});
    }

    const ProfileLine& line_;
    double half_;
    int steps_;
    std::vector<ProfilePoint> out_;
};

}  // namespace

std::vector<ProfileLine> wall_outlines(const ProfileLine& line, double half, int steps) {
    ProfileLine back = line;
    std::reverse(back.points.begin(), back.points.end());
    std::vector<ProfilePoint> right = RightSide(line, half, steps).walk(),
                              left = RightSide(back, half, steps).walk();
    if (line.closed) return {{std::move(right), true}, {std::move(left), true}};
    const bool starts_on_axis = line.points.front().radius == 0,
               ends_on_axis = line.points.back().radius == 0;
    if (starts_on_axis && ends_on_axis) return {{std::move(right), false}, {std::move(left), false}};
    const auto add = [](std::vector<ProfilePoint>& to, const std::vector<ProfilePoint>& more) {
        to.insert(to.end(), more.begin(), more.end());
    };
    // From the start, round the end, and back; where the line ends on the axis it is begun there.
    const ProfileLine &forth = ends_on_axis ? back : line, &home = ends_on_axis ? line : back;
    std::vector<ProfilePoint> out = ends_on_axis ? left : right;
    add(out, RightSide(forth, half, steps).round_end());
    add(out, ends_on_axis ? right : left);
    if (starts_on_axis || ends_on_axis) return {{std::move(out), false}};
    add(out, RightSide(home, half, steps).round_end());
    return {{std::move(out), true}};
}

}  // namespace rivulet::geometry
