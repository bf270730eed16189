#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/contact/bridge.h>
#include <rivulet/contact/bridge_life.h>
#include <rivulet/contact/bridge_table.h>
#include <rivulet/verify/case.h>

/// The force of a liquid bridge, and the table of it. Surface tension 1, radius 1.
namespace rivulet::verify {
namespace {

using contact::Bridge;
using contact::BridgeSolids;
using contact::BridgeState;
using contact::solve_bridge;
using Kind = Quantity::Kind;

constexpr double radians(double degrees) {
    return degrees * std::numbers::pi / 180;
}
BridgeSolids equal(double angle) {
    return contact::bridge_between(1, 1, angle, angle);
}
std::string number(double x) {
    std::string s = std::to_string(x);
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
    return s;
}

/// The force against a known one to half of its last digit, and against dE/dgap at fixed area.
void add_force(Outcome& out, const std::string& name, const BridgeSolids& solids, double gap, double area,
               double known, double half_digit) {
    const Bridge at = solve_bridge(solids, gap, area, 1);
    out.quantities.push_back({name, at.force, known, half_digit, Kind::absolute});
    if (!(gap > 0)) return;
    const double e = 1e-4 * gap;
    const double slope =
        (solve_bridge(solids, gap + e, area, 1).energy - solve_bridge(solids, gap - e, area, 1).energy) /
        (2 * e);
    out.quantities.push_back({name + ": against dE/dgap", at.force - slope, 0, 1e-6, Kind::absolute});
}

/// Where a function that rises through 0 between two places does so.
template <class F>
double root(double low, double high, F&& f) {
    for (int i = 0; i < 80; ++i) (f(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
    return low;
}

void add_known_forces(Outcome& out) {
    for (const auto& [angle, known] : {std::pair{0.0, 3.507226}, {0.35, 3.319236}})
        add_force(out, "angle " + number(angle) + ", gap 0.4, area 0.5", equal(angle), 0.4, 0.5, known, 5e-7);
    const double steep = radians(70);
    add_force(out, "70°, area 1, contact", equal(steep), 0, 1, -0.818, 5e-4);
    add_force(out, "70°, area 1, gap 0.1", equal(steep), 0.1, 1, -0.5064, 5e-5);
    add_force(out, "70°, area 1, gap 0.3", equal(steep), 0.3, 1, 0.19907, 5e-6);
    const double rest = root(0, 1, [&](double gap) { return solve_bridge(equal(steep), gap, 1, 1).force; });
    out.quantities.push_back({"70°, area 1: gap of rest", rest, 0.24528, 5e-6, Kind::absolute});
    out.quantities.push_back(
        {"slope there", solve_bridge(equal(steep), rest, 1, 1).slope, 3.622, 5e-4, Kind::absolute});
    const double walls[3][3] = {{0, 0, 5.84374}, {0.35, 0, 5.64787}, {0.35, 0.35, 5.43934}};
    for (const auto& [angle, wall, known] : walls)
        add_force(out, "wall, angles " + number(angle) + " and " + number(wall),
                  contact::bridge_to_wall(1, 0, angle, wall), 0.2, 0.5, known, 5e-6);
}

void add_repelling_areas(Outcome& out) {
    const double known[5][3] = {
        {40, 2.576, 5e-4}, {50, 1.485, 5e-4}, {60, 0.6849, 5e-5}, {70, 0.21598, 5e-6}, {80, 0.0280, 5e-5}};
    for (const auto& [degrees, area, half_digit] : known) {
        const double found = root(1e-3, 20, [&, at = degrees](double a) {
            return -solve_bridge(equal(radians(at)), 0, a, 1).force;
        });
        out.quantities.push_back({number(degrees) + "°: area above which it repels at contact", found, area,
                                  half_digit, Kind::absolute});
    }
}

void add_work(Outcome& out) {
    const double known[4][3] = {
        {0.1, 1.6107, 3.217}, {0.5, 2.3198, 2.884}, {1, 2.6175, 2.681}, {2, 2.8409, 2.436}};
    for (const auto& [area, work, at_break] : known) {
        const Bridge open = solve_bridge(equal(0), contact::break_gap(0, area), area, 1);
        const double done = open.energy - solve_bridge(equal(0), 0, area, 1).energy;
        // NOTE: the reference is a sum of trapezia over 400 pieces, good to its last digit or two.
        out.quantities.push_back({"work to open, area " + number(area), done, work, 2e-4, Kind::absolute});
        out.quantities.push_back(
            {"force at break, area " + number(area), open.force, at_break, 5e-4, Kind::absolute});
    }
}

/// The table against the exact law: the largest miss of the force over random places.
double table_miss(const BridgeSolids& solids, std::uint64_t seed, int samples) {
    const contact::BridgeTable table(solids);
    const Random random(41, seed);
    double worst = 0;
    for (int i = 0; i < samples; ++i) {
        const auto at = std::uint64_t(2 * i);
        const double area = std::exp(std::log(1e-4) + random.uniform(at) * std::log(5e5));
        const double gap = random.uniform(at + 1) * table.reach(area);
        const Bridge exact = solve_bridge(solids, gap, area, 1);
        if (exact.state == BridgeState::bridged &&
            solve_bridge(solids, 0, area, 1).state == BridgeState::bridged)
            worst = std::max(worst, std::abs(table.at(gap, area, 1).force - exact.force));
    }
    return worst;
}

Outcome run_bridge_force(const Options& o) {
    Outcome out;
    add_known_forces(out), add_repelling_areas(out), add_work(out);
    const int samples = o.quick ? 2000 : 50000;
    std::uint64_t seed = 0;
    for (const double degrees : {0.0, 35.0, 70.0, 110.0})
        out.quantities.push_back({"table, equal strands, " + number(degrees) + "°: largest miss of the force",
                                  table_miss(equal(radians(degrees)), seed++, samples), 1e-4, 0,
                                  Kind::at_most});
    out.quantities.push_back(
        {"table, radii 1 and 2.8, 20° and 50°: largest miss",
         table_miss(contact::bridge_between(1, 2.8, radians(20), radians(50)), seed++, samples), 1e-4, 0,
         Kind::at_most});
    out.quantities.push_back(
        {"table, wall, 20° and 50°: largest miss",
         table_miss(contact::bridge_to_wall(1, 0, radians(20), radians(50)), seed++, samples), 1e-4, 0,
         Kind::at_most});
    Plot plot{"force of a bridge of area r²", "gap over r", "force per length over σ", {}};
    for (const double degrees : {0.0, 35.0, 70.0}) {
        Curve curve{number(degrees) + "°", {}, {}};
        const double reach = contact::break_gap(radians(degrees), 1);
        for (int i = 0; i <= 100; ++i) {
            curve.x.push_back(reach * i / 100);
            curve.y.push_back(solve_bridge(equal(radians(degrees)), curve.x.back(), 1, 1).force);
        }
        plot.curves.push_back(std::move(curve));
    }
    out.plots.push_back(std::move(plot));
    return out;
}

}  // namespace

std::vector<Case> contact_bridge_cases() {
    return {{"contact", "bridge_force",
             "exact bridge between cylinders and to a wall: Fei 2017 eq. 1 to 8, both menisci counted",
             run_bridge_force}};
}

}  // namespace rivulet::verify
