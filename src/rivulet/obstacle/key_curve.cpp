#include <algorithm>
#include <cmath>

#include <rivulet/obstacle/key_curve.h>

namespace rivulet::obstacle {
namespace {

/// Slopes at the keys that keep each cubic piece monotone (Fritsch and Carlson 1980, section 4).
std::vector<double> monotone_slopes(const std::vector<double>& time, const std::vector<double>& value) {
    const std::size_t n = time.size();
    std::vector<double> slope(n, 0.0), secant(n > 0 ? n - 1 : 0);
    for (std::size_t k = 0; k + 1 < n; ++k) secant[k] = (value[k + 1] - value[k]) / (time[k + 1] - time[k]);
    for (std::size_t k = 1; k + 1 < n; ++k)
        if (secant[k - 1] * secant[k] > 0) slope[k] = 0.5 * (secant[k - 1] + secant[k]);
    for (std::size_t k = 0; k + 1 < n; ++k) {
        if (secant[k] == 0) {
            slope[k] = slope[k + 1] = 0;
            continue;
        }
        const double a = slope[k] / secant[k], b = slope[k + 1] / secant[k], size = a * a + b * b;
        if (size <= 9) continue;
        const double shrink = 3 / std::sqrt(size);
        slope[k] *= shrink;
        slope[k + 1] *= shrink;
    }
    return slope;
}

}  // namespace

KeyCurve::KeyCurve(std::vector<double> time, std::vector<double> value, Ease ease)
    : time_(std::move(time)), value_(std::move(value)), slope_(monotone_slopes(time_, value_)), ease_(ease) {}

double KeyCurve::at(double t) const {
    if (ease_ == Ease::hold) t += kAtKey;
    if (!(t > time_.front())) return value_.front();
    if (t >= time_.back()) return value_.back();
    const auto after = std::upper_bound(time_.begin(), time_.end(), t);
    const auto k = static_cast<std::size_t>(after - time_.begin()) - 1;
    if (ease_ == Ease::hold) return value_[k];
    const double width = time_[k + 1] - time_[k], u = (t - time_[k]) / width;
    const double rise = value_[k + 1] - value_[k];
    if (ease_ == Ease::linear) return value_[k] + rise * u;
    const double m0 = slope_[k] * width, m1 = slope_[k + 1] * width;
    return value_[k] + u * (m0 + u * ((3 * rise - 2 * m0 - m1) + u * (m0 + m1 - 2 * rise)));
}

double KeyCurve::variation(double from, double to) const {
    if (ease_ == Ease::hold) return 0;
    // Monotone between keys.
    double sum = 0, before = at(from);
    const auto first = std::upper_bound(time_.begin(), time_.end(), from);
    for (auto k = first; k != time_.end() && *k < to; ++k) {
        const double here = value_[static_cast<std::size_t>(k - time_.begin())];
        sum += std::abs(here - before);
        before = here;
    }
    return sum + std::abs(at(to) - before);
}

Jumps KeyCurve::jumps(double from, double to) const {
    Jumps found;
    if (ease_ != Ease::hold) return found;
    const auto key = std::upper_bound(time_.begin(), time_.end(), from + kAtKey);
    for (auto k = static_cast<std::size_t>(key - time_.begin()); k < time_.size(); ++k) {
        if (time_[k] > to + kAtKey) break;
        if (k > 0 && value_[k] != value_[k - 1]) found.include({time_[k], time_[k]});
    }
    return found;
}

VectorKeyCurve::VectorKeyCurve(const Keys<Vec3d>& keys) {
    for (int a = 0; a < 3; ++a) {
        std::vector<double> value(keys.value.size());
        for (std::size_t i = 0; i < value.size(); ++i) value[i] = keys.value[i][a];
        component_[static_cast<std::size_t>(a)] = KeyCurve(keys.time, std::move(value), keys.ease);
    }
}

}  // namespace rivulet::obstacle
