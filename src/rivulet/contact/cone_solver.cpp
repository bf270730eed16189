#include <rivulet/contact/cone_solver.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <rivulet/base/pack.h>
#include <rivulet/base/parallel.h>
#include <rivulet/contact/cone_islands.h>
#include <rivulet/contact/cone_sides.h>
#include <rivulet/contact/coulomb.h>
#include <rivulet/contact/impulses.h>

namespace rivulet::contact {
namespace {

/// Springs between contacts and strands along the normal and across it, in parts of what the contact itself
/// weighs. Friction makes the law one of no potential, and a few problems circle for ever with springs that
/// differ or with over-relaxation: after so many iterations they are alike, and there is none.
constexpr double kAlong = 30, kAcross = 10;
constexpr int kAlike = 500;
/// Of contacts that are open, in parts of that.
constexpr double kOpen = 0.1;
/// Over-relaxation of the splitting; 1 to 2.
constexpr double kOver = 1.6;
/// Springs are chosen anew after so many iterations, then after three times as many, ...
constexpr int kFirstRenewal = 10, kLater = 3;
/// The law is looked at exactly after so many iterations, then after the sixth part of those done.
constexpr int kFirstCheck = 4, kCheckLater = 6;
constexpr std::size_t kGrain = 128;

constexpr std::size_t kWidth = Pack::kWidth;
using Slots = std::array<std::uint32_t, kWidth>;
constexpr std::uint32_t kWall = ConeSides::kNone;
constexpr Slots kWalls{kWall, kWall, kWall, kWall};

/// Four contacts in the course of the iteration, world axes: what one turn reads and writes lies together.
struct Spots {
    Vec3<Pack> side[2];  // copies of the sides' velocities less R⁻¹p, against the free ones; 0 at walls
    Vec3<Pack> impulse;  // that acts, bridge included: p
    Vec3<Pack> normal, free;  // velocity without any impulse
    Pack friction, clearance;
    Pack pressing;  // the part of p along the normal that is in the cone
    Slots slot[2] = {kWalls, kWalls};
    Pack open = 0.0;       // 1: of an island that is not done
    bool bridged = false;  // some have a bridge or a largest impulse

    Pack sides() const {
        return Pack::generate([&](int l) {
            const auto k = std::size_t(l);
            return double(slot[0][k] != kWall) + double(slot[1][k] != kWall);
        });
    }
};

/// Springs of each side of four contacts [kg]: R. 0: nothing answers.
struct Springs {
    Pack along, across;

    Springs(const double* a, const double* c) {
        std::memcpy(&along.v, a, sizeof along.v), std::memcpy(&across.v, c, sizeof across.v);
    }
    Mask answer() const { return along > Pack(0.0); }
    /// R v and R⁻¹ p.
    Vec3<Pack> times(const Vec3<Pack>& v, const Vec3<Pack>& normal) const {
        return across * v + ((along - across) * dot(normal, v)) * normal;
    }
    Vec3<Pack> over(const Vec3<Pack>& p, const Vec3<Pack>& normal) const {
        const Pack a = Pack(1.0) / along, c = Pack(1.0) / across;
        return c * p + ((a - c) * dot(normal, p)) * normal;
    }
};

Vec3<Pack> select(const Mask& m, const Vec3<Pack>& yes, const Vec3<Pack>& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}

/// What besides Coulomb's law acts along the normal of four contacts, as the cones have it.
struct Bridges {
    Pack most = std::numeric_limits<double>::infinity(), pull = 0.0, stiffness = 0.0, drag = 0.0;
};

/// Coulomb's law, with the bridge, as if both sides were free bodies of the springs' weight: closed form,
/// because the mobility is the same number in both directions across.
void obey(Spots& s, const Springs& springs, const Bridges& b) {
    const Pack zero = 0.0, both = Pack(1.0) / s.sides(), a = springs.along * both, c = springs.across * both;
    const Vec3<Pack> v = s.free + s.side[0] + s.side[1];
    const Pack speed = dot(s.normal, v), pushed = a * speed - b.pull;
    const auto stiff = [&](const Pack& at) { return a + b.stiffness + select(at > zero, b.drag, zero); };
    s.pressing = min(max(-s.clearance * stiff(-s.clearance) - pushed, zero), b.most);
    const Pack moved = s.pressing + pushed, weight = stiff(moved);
    const Pack bridge = -(b.pull + (weight - a) * (moved / weight));
    const Vec3<Pack> held = (-c) * (v - speed * s.normal);
    const Pack size = squared_length(held), limit = s.friction * s.pressing;
    const auto slides = size > limit * limit;
    const Pack part = select(slides, limit / sqrt(select(slides, size, Pack(1.0))), Pack(1.0));
    const Vec3<Pack> impulse = (s.pressing + bridge) * s.normal + part * held;
    s.pressing = select(springs.answer(), s.pressing, zero);
    s.impulse = select(springs.answer(), impulse, {});
}

/// The same for those that are not done.
void obey_if_open(Spots& s, const Springs& springs, const Bridges& b) {
    const Mask open = s.open > Pack(0.0);
    const Vec3<Pack> impulse = s.impulse;
    const Pack pressing = s.pressing;
    obey(s, springs, b);
    s.impulse = select(open, s.impulse, impulse);
    s.pressing = select(open, s.pressing, pressing);
}

Vec3d lane(const Vec3<Pack>& v, int l) {
    return {v.x[l], v.y[l], v.z[l]};
}
void set_lane(Vec3<Pack>& v, int l, const Vec3d& to) {
    v.x.set(l, to.x), v.y.set(l, to.y), v.z.set(l, to.z);
}

/// How far a contact is from the law [kg m/s], with v_N over the clearance. What holds up to a strength: each
/// part of the natural map by itself, r_N between 0 and that strength and friction for the r_N there is.
double miss_of(const Cone& c, const Vec3d& r, const Vec3d& v, double rho) {
    if (c.most == std::numeric_limits<double>::infinity()) return coulomb_residual(r, v, c.friction, rho);
    double y = r.y - rho * v.y, z = r.z - rho * v.z;
    const double size = std::sqrt(y * y + z * z), most = c.friction * r.x;
    if (size > most) y *= most / size, z *= most / size;
    return length(Vec3d{r.x - std::clamp(r.x - rho * v.x, 0.0, c.most), r.y - y, r.z - z});
}

}  // namespace

struct ConeSolver::Memory {
    ConeSides sides;
    ConeIslands islands;
    std::vector<Spots> spots;
    std::vector<std::uint32_t> busy;           // packs of contacts of which some are open
    std::vector<ConeIslands::Miss> misses;     // per contact
    std::vector<float> own_along, own_across;  // velocity per impulse of each contact; 0: nothing answers
    std::vector<float> crowd;                  // root of how many contacts share its nodes
    std::vector<double> along, across;         // springs of each contact's sides [kg]
    std::vector<Vec3d> impulse, velocity;
    std::vector<double> angular_impulse, turning;

    void resize(std::size_t contacts, std::size_t nodes) {
        const std::size_t packs = (contacts + kWidth - 1) / kWidth;
        for (auto* v : {&own_along, &own_across, &crowd}) v->resize(contacts);
        misses.resize(contacts);
        spots.assign(packs, Spots{}), along.assign(packs * kWidth, 0), across.assign(packs * kWidth, 0);
        impulse.assign(nodes, Vec3d{}), velocity.assign(nodes, Vec3d{});
        angular_impulse.assign(nodes, 0), turning.assign(nodes, 0);
    }
};

/// The work of one solve: consensus splitting (Boyd et al. 2011, section 7) between strands and contacts.
/// Each side of a contact has a copy of its velocity, tied to the strand's by a spring. In turns, all
/// contacts obey the exact law as if their two sides were free bodies of the springs' weight, and all strands
/// move with those springs: the strands' matrix keeps its band, so that one turn costs about a product with
/// C⁻¹. A fixed point obeys the law exactly, whatever the springs. Islands that are done rest.
class ConeWork {
 public:
    ConeWork(std::span<const Cone> cones, const Answers& answers, std::span<const Vec3d> free_velocity,
             std::span<const double> free_turning, std::span<Vec3d> impulse, ConeSolver::Memory& memory)
        : cones_(cones),
          answers_(answers),
          free_velocity_(free_velocity),
          free_turning_(free_turning),
          r_(impulse),
          m_(memory) {}

    ConeReport run(const ConeOptions& options) {
        weigh();
        if (cones_.empty()) return answer_all(), finish(), report_;
        const auto done = [&] {
            return report_.residual <= options.tolerance && report_.miss <= options.miss;
        };
        begin();
        if (!done() && options.most_iterations > 0) set_out();
        int renewal = kFirstRenewal, check = kFirstCheck;
        while (!done() && report_.iterations < options.most_iterations) {
            if (report_.iterations == renewal) choose_springs(), renewal *= kLater;
            turn();
            ++report_.iterations;
            if (report_.iterations < check && report_.iterations < options.most_iterations) continue;
            check += std::max(kFirstCheck, check / kCheckLater);
            answer_all(), measure();
            if (done() || report_.iterations >= options.most_iterations) continue;
            if (m_.islands.close(options.tolerance, options.miss)) attend();
            push_all();
        }
        report_.converged = done();
        if (rested_) m_.islands.open_all(), attend(), answer_all();
        do_no_work();
        finish();
        return report_;
    }

 private:
    /// Over contacts: body(i, the four it is among, its lane).
    template <class F>
    void each(F&& body) const {
        parallel_chunks(m_.spots.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t k = begin; k < end; ++k) each_of(k, body);
        });
    }
    /// Over those of one pack.
    template <class F>
    void each_of(std::size_t k, F&& body) const {
        Spots& s = m_.spots[k];
        for (std::size_t i = k * kWidth; i < std::min(cones_.size(), (k + 1) * kWidth); ++i)
            body(i, s, static_cast<int>(i % kWidth));
    }
    /// Over packs of which some contacts are open.
    template <class F>
    void each_pack(F&& body) const {
        parallel_chunks(m_.busy.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t k = begin; k < end; ++k) body(std::size_t(m_.busy[k]), m_.spots[m_.busy[k]]);
        });
    }
    /// Looks only at open islands from now on.
    void attend() {
        m_.busy.clear();
        rested_ = false;
        for (std::size_t k = 0; k < m_.spots.size(); ++k) {
            bool any = false;
            each_of(k, [&](std::size_t i, Spots& s, int l) {
                const bool open = m_.islands.is_open(i);
                s.open.set(l, open ? 1.0 : 0.0);
                any = any || open, rested_ = rested_ || !open;
            });
            if (any) m_.busy.push_back(static_cast<std::uint32_t>(k));
        }
        m_.sides.attend(m_.islands.open_owners());
    }
    Springs springs(std::size_t pack) const { return {&m_.along[pack * kWidth], &m_.across[pack * kWidth]}; }
    Bridges bridges(std::size_t pack) const {
        Bridges b;
        if (!m_.spots[pack].bridged) return b;
        for (std::size_t i = pack * kWidth; i < std::min(cones_.size(), (pack + 1) * kWidth); ++i) {
            const Cone& c = cones_[i];
            const int l = static_cast<int>(i % kWidth);
            b.most.set(l, c.most), b.pull.set(l, c.pull), b.stiffness.set(l, c.stiffness);
            b.drag.set(l, c.drag);
        }
        return b;
    }
    static Vec3d in_axes(const Cone& c, const Vec3d& v) {
        return {dot(c.axes[0], v), dot(c.axes[1], v), dot(c.axes[2], v)};
    }
    static Vec3d in_world(const Cone& c, const Vec3d& r) {
        return r.x * c.axes[0] + r.y * c.axes[1] + r.z * c.axes[2];
    }
    bool answers(std::size_t i) const { return m_.own_along[i] > 0; }
    double count_sides(std::size_t i) const {
        return (m_.sides.slot(i, 0) != kWall) + (m_.sides.slot(i, 1) != kWall);
    }
    /// The impulse that is in the cone, in the contact's axes.
    Vec3d in_cone(std::size_t i) const {
        const Spots& s = m_.spots[i / kWidth];
        const int l = static_cast<int>(i % kWidth);
        if (!(s.pressing[l] > 0)) return {};
        Vec3d r = in_axes(cones_[i], lane(s.impulse, l));
        r.x = s.pressing[l];
        return r;
    }

    void weigh() {
        m_.resize(cones_.size(), answers_.nodes());
        m_.sides.prepare(cones_, answers_);
        m_.islands.find(cones_, answers_.owners());
        attend();
        each([&](std::size_t i, Spots&, int) {
            const Mat3d axes = Mat3d::from_rows(cones_[i].axes[0], cones_[i].axes[1], cones_[i].axes[2]);
            const Mat3d w = axes * answers_.own(cones_[i]) * transpose(axes);
            m_.own_along[i] = static_cast<float>(w(0, 0));
            m_.own_across[i] = static_cast<float>(std::max(0.5 * (w(1, 1) + w(2, 2)), 1e-3 * w(0, 0)));
        });
        const double most =
            parallel_max(cones_.size(), 0.0, [&](std::size_t i) { return double(m_.own_along[i]); });
        for (float& own : m_.own_along)
            if (!(double(own) > 1e-14 * most)) own = 0, ++report_.unmoved;
    }

    /// How many contacts share the nodes of each: its root.
    void find_crowds() {
        std::vector<double>& at = m_.angular_impulse;
        std::fill(at.begin(), at.end(), 0);
        for (const Cone& c : cones_)
            for (std::size_t k = 0; k < 4; ++k)
                if (c.node[k] != Cone::kNone) at[c.node[k]] += std::abs(c.weight[k]);
        each([&](std::size_t i, Spots&, int) {
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k)
                if (cones_[i].node[k] != Cone::kNone)
                    sum += std::abs(cones_[i].weight[k]) * at[cones_[i].node[k]];
            m_.crowd[i] = static_cast<float>(std::sqrt(std::max(1.0, sum / count_sides(i))));
        });
    }

    /// What does not change in the course of the iteration, and the impulses to begin with.
    void fill(std::size_t i, Spots& s, int l) const {
        const Cone& c = cones_[i];
        set_lane(s.normal, l, c.axes[0]);
        s.friction.set(l, c.friction), s.clearance.set(l, c.clearance);
        s.bridged = s.bridged || c.most < std::numeric_limits<double>::infinity() || c.pull != 0 ||
                    c.stiffness != 0 || c.drag != 0;
        for (std::size_t k = 0; k < 2; ++k) s.slot[k][std::size_t(l)] = m_.sides.slot(i, k);
        set_lane(s.free, l, in_world(c, contact_velocity(c, free_velocity_, free_turning_)));
        if (!answers(i)) return;
        Vec3d r = project_on_cone(r_[i], c.friction);
        if (r.x > c.most) r = r * (c.most / r.x);
        s.pressing.set(l, r.x);
        r.x += bridge_impulse(c, r.x > 0 ? -c.clearance : 0);
        set_lane(s.impulse, l, in_world(c, r));
    }

    void begin() {
        each([&](std::size_t i, Spots& s, int l) { fill(i, s, l); });
        answer_all();
        measure();
    }
    void set_out() {
        // The sides begin where the strands are with these impulses.
        each_pack([&](std::size_t, Spots& s) {
            for (std::size_t k = 0; k < 2; ++k) s.side[k] = at_slots(s.slot[k]);
        });
        find_crowds();
        choose_springs();
        each_pack([&](std::size_t k, Spots& s) {
            obey(s, springs(k), bridges(k));
            push(s, springs(k));
        });
    }

    /// Springs by what each contact does now: open, sticking, or sliding, where friction is a given force
    /// over a speed. The sides' velocities stay.
    void choose_springs() {
        const bool first = report_.iterations == 0;
        each_pack([&](std::size_t k, Spots& s) {
            const Vec3<Pack> before =
                first ? Vec3<Pack>{} : select(springs(k).answer(), springs(k).over(s.impulse, s.normal), {});
            const Vec3<Pack> v = s.free + s.side[0] + s.side[1] + s.sides() * before;
            for (std::size_t i = k * kWidth; i < std::min(cones_.size(), (k + 1) * kWidth); ++i)
                if (answers(i)) choose_springs(i, s, lane(v, static_cast<int>(i % kWidth)), first);
            const Springs now = springs(k);
            const Vec3<Pack> moved =
                select(now.answer(), before - now.over(s.impulse, s.normal), Vec3<Pack>{});
            for (std::size_t side = 0; side < 2; ++side)
                s.side[side] += select(there(s.slot[side]), moved, {});
            push(s, now);
        });
        answers_.bed(cones_, m_.along, m_.across);
    }
    /// Of one contact that moves at v.
    void choose_springs(std::size_t i, const Spots& s, const Vec3d& v, bool first) {
        const Cone& c = cones_[i];
        const int l = static_cast<int>(i % kWidth);
        const double stiff = report_.iterations < kAlike ? kAlong : kAcross, crowd = double(m_.crowd[i]);
        const double own = double(m_.own_along[i]), across = kAcross / (double(m_.own_across[i]) * crowd);
        m_.along[i] = stiff / (own * crowd), m_.across[i] = across;
        const Vec3d impulse = lane(s.impulse, l), normal = c.axes[0];
        const double speed = dot(normal, v), slips = length(v - speed * normal);
        const double pressing = s.pressing[l], held = length(impulse - dot(impulse, normal) * normal);
        const bool closed =
            (pressing > 0 && pressing < c.most) || (first && c.most > 0 && speed + c.clearance < 0);
        if (!closed) {
            const double bridge = c.stiffness + (speed > 0 ? c.drag : 0);
            m_.along[i] *= std::max(kOpen, std::min(1.0, bridge * own));
            m_.across[i] *= kOpen;
        } else if (pressing > 0 && held >= (1 - 1e-9) * c.friction * pressing) {
            m_.across[i] = std::clamp(held / std::max(slips, 1e-300), kOpen * across, across);
        }
    }

    /// One turn. All strands with the springs: (C + Σ Eᵀ R E) w = Σ Eᵀ (2 p + R (y − free)); the sides
    /// follow, and all contacts obey the law.
    void turn() {
        m_.sides.gather(m_.velocity, m_.turning);
        answers_.solve_bedded(m_.velocity, m_.turning, m_.islands.open_owners());
        m_.sides.spread(m_.velocity, m_.turning);
        const Pack over = report_.iterations < kAlike ? kOver : 1.0;
        each_pack([&](std::size_t k, Spots& s) {
            const Springs r = springs(k);
            const Vec3<Pack> p = r.over(s.impulse, s.normal);
            for (std::size_t side = 0; side < 2; ++side) {
                const Vec3<Pack> moved = s.side[side] + over * (at_slots(s.slot[side]) - s.side[side] - p);
                s.side[side] = select(s.open > Pack(0.0), select(there(s.slot[side]) & r.answer(), moved, {}),
                                      s.side[side]);
            }
            obey_if_open(s, r, bridges(k));
            push(s, r);
        });
    }

    static Mask there(const Slots& slot) {
        return Pack::generate([&](int l) { return slot[std::size_t(l)] == kWall; }) == Pack(0.0);
    }
    Vec3<Pack> at_slots(const Slots& slot) const {
        Vec3<Pack> v;
        for (int l = 0; l < int(kWidth); ++l)
            if (slot[std::size_t(l)] != kWall) set_lane(v, l, m_.sides[slot[std::size_t(l)]]);
        return v;
    }
    void put(const Slots& slot, const Vec3<Pack>& v) {
        for (int l = 0; l < int(kWidth); ++l)
            if (slot[std::size_t(l)] != kWall) m_.sides[slot[std::size_t(l)]] = lane(v, l);
    }
    /// The slots get what pushes the strands next.
    void push(const Spots& s, const Springs& springs) {
        for (std::size_t k = 0; k < 2; ++k)
            put(s.slot[k], Pack(2.0) * s.impulse + springs.times(s.side[k], s.normal));
    }
    void push_all() {
        each_pack([&](std::size_t k, Spots& s) { push(s, springs(k)); });
    }

    /// What the impulses do, exactly: the slots get what they add to velocities.
    void answer_all() {
        each_pack([&](std::size_t, Spots& s) {
            for (const Slots& slot : s.slot) put(slot, s.impulse);
        });
        m_.sides.gather(m_.impulse, m_.angular_impulse);
        answers_.apply(m_.impulse, m_.angular_impulse, m_.velocity, m_.turning, m_.islands.open_owners());
        m_.sides.spread(m_.velocity, m_.turning);
    }

    /// How far one contact is from the law, with the velocities that are in the slots.
    ConeIslands::Miss miss_at(std::size_t i) const {
        const Spots& s = m_.spots[i / kWidth];
        const Cone& c = cones_[i];
        const int l = static_cast<int>(i % kWidth);
        Vec3d v = lane(s.free, l);
        for (const Slots& slot : s.slot)
            if (slot[std::size_t(l)] != kWall) v += m_.sides[slot[std::size_t(l)]];
        v = in_axes(c, v);
        const double own = double(m_.own_along[i]), w = (own + 2 * double(m_.own_across[i])) / 3;
        const Vec3d in = in_cone(i);
        const double bridge = dot(lane(s.impulse, l), c.axes[0]) - in.x;
        const double slope = c.stiffness + (v.x > 0 ? c.drag : 0);
        const double b = (bridge - bridge_impulse(c, v.x)) / (1 + slope * own);
        v.x += c.clearance;
        const double r = miss_of(c, in, v, 1 / w);
        return {r * r + b * b, squared_length(in) + bridge * bridge + 1e-20 * squared_length(v) / (w * w),
                w * std::max(r, std::abs(b))};
    }
    void measure() {
        each_pack([&](std::size_t k, Spots&) {
            each_of(k, [&](std::size_t i, Spots& s, int l) {
                if (answers(i) && s.open[l] > 0) m_.misses[i] = miss_at(i);
            });
        });
        m_.islands.forget_open();
        for (const std::uint32_t k : m_.busy)
            each_of(k, [&](std::size_t i, Spots& s, int l) {
                if (answers(i) && s.open[l] > 0) m_.islands.add(i, m_.misses[i]);
            });
        const ConeIslands::Miss all = m_.islands.all();
        report_.residual = all.relative();
        report_.miss = all.worst;
    }

    /// Velocity that the slots add to a contact, in its axes.
    Vec3d added(std::size_t i) const {
        const Spots& s = m_.spots[i / kWidth];
        Vec3d v;
        for (const Slots& slot : s.slot)
            if (slot[i % kWidth] != kWall) v += m_.sides[slot[i % kWidth]];
        return in_axes(cones_[i], v);
    }
    template <class F>
    double sum_over(F&& value) const {
        return ordered_reduce(
            cones_.size(), kGrain, 0.0,
            [&](std::size_t begin, std::size_t end) {
                double sum = 0;
                for (std::size_t i = begin; i < end; ++i)
                    if (answers(i)) sum += value(i);
                return sum;
            },
            [](double a, double b) { return a + b; });
    }
    /// Impulses that obey the law do no work, Σ r·v <= 0; those that miss it a little may, and what strands
    /// store grows. Where they do, all are made smaller by the one factor with which they do none: v = S r +
    /// free, so r·v is quadratic in it.
    /// NOTE: not where bridges hold on to what the impulses push against. They are so stiff that their own
    /// law would be missed by far more.
    void do_no_work() {
        if (std::any_of(m_.spots.begin(), m_.spots.end(), [](const Spots& s) { return s.bridged; })) return;
        const double work = sum_over([&](std::size_t i) {
            const Cone& c = cones_[i];
            Vec3d v = added(i) + in_axes(c, lane(m_.spots[i / kWidth].free, static_cast<int>(i % kWidth)));
            v.x += std::min(c.clearance, 0.0);  // what is asked to move apart may
            return dot(in_cone(i), v);
        });
        if (!(work > 0)) return;
        const double own = sum_over([&](std::size_t i) { return dot(in_cone(i), added(i)); });
        const double left = std::max(0.0, 1 - work / own);
        each_pack([&](std::size_t, Spots& s) {
            s.impulse = Pack(left) * s.impulse, s.pressing = Pack(left) * s.pressing;
        });
        answer_all();
        measure();
    }

    void finish() {
        each([&](std::size_t i, Spots&, int) { r_[i] = in_cone(i); });
        for (std::size_t n = 0; n < m_.velocity.size(); ++n)
            m_.velocity[n] += free_velocity_[n], m_.turning[n] += free_turning_[n];
        for (std::size_t i = 0; i < cones_.size(); ++i) {
            const double across = std::sqrt(r_[i].y * r_[i].y + r_[i].z * r_[i].z);
            report_.touching += r_[i].x > 0;
            report_.sliding += r_[i].x > 0 && across >= (1 - 1e-9) * cones_[i].friction * r_[i].x;
        }
    }

    std::span<const Cone> cones_;
    const Answers& answers_;
    std::span<const Vec3d> free_velocity_;
    std::span<const double> free_turning_;
    std::span<Vec3d> r_;
    ConeSolver::Memory& m_;
    ConeReport report_;
    bool rested_ = false;  // some island does
};

ConeSolver::ConeSolver() : memory_(std::make_unique<Memory>()) {}
ConeSolver::~ConeSolver() = default;
ConeSolver::ConeSolver(ConeSolver&&) noexcept = default;
ConeSolver& ConeSolver::operator=(ConeSolver&&) noexcept = default;

ConeReport ConeSolver::solve(std::span<const Cone> cones, const Answers& answers,
                             std::span<const Vec3d> free_velocity, std::span<const double> free_turning,
                             const ConeOptions& options, std::span<Vec3d> impulse) {
    assert(impulse.size() == cones.size() && free_velocity.size() == answers.nodes());
    return ConeWork(cones, answers, free_velocity, free_turning, impulse, *memory_).run(options);
}

Vec3d ConeSolver::applied(std::size_t contact) const {
    return lane(memory_->spots[contact / kWidth].impulse, static_cast<int>(contact % kWidth));
}
std::span<const Vec3d> ConeSolver::node_impulse() const {
    return memory_->impulse;
}
std::span<const double> ConeSolver::node_angular_impulse() const {
    return memory_->angular_impulse;
}
std::span<const Vec3d> ConeSolver::node_velocity() const {
    return memory_->velocity;
}
std::span<const double> ConeSolver::node_turning() const {
    return memory_->turning;
}

std::size_t ConeSolver::memory() const {
    const Memory& m = *memory_;
    const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
    std::size_t all = m.sides.memory() + m.islands.memory() + bytes(m.busy) + bytes(m.misses) +
                      bytes(m.spots) + bytes(m.impulse) + bytes(m.velocity) + bytes(m.angular_impulse) +
                      bytes(m.turning) + bytes(m.along) + bytes(m.across);
    for (const auto* v : {&m.own_along, &m.own_across, &m.crowd}) all += bytes(*v);
    return all;
}

}  // namespace rivulet::contact
