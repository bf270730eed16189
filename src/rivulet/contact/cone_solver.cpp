#include <rivulet/contact/cone_solver.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include <rivulet/base/parallel.h>
#include <rivulet/contact/cone_sides.h>
#include <rivulet/contact/coulomb.h>
#include <rivulet/contact/impulses.h>

namespace rivulet::contact {
namespace {

/// Springs between contacts and strands, in parts of what the contact itself weighs.
constexpr double kStiffness = 10;
/// Of contacts that are open, in parts of that.
constexpr double kOpen = 0.1;
/// Over-relaxation of the splitting; 1 to 2.
constexpr double kOver = 1.6;
/// Springs are chosen anew after so many iterations, then after three times as many, ...
constexpr int kFirstRenewal = 10, kLater = 3;
/// The law is looked at exactly after so many iterations, then after the sixth part of those done.
constexpr int kFirstCheck = 4, kCheckLater = 6;
constexpr std::size_t kGrain = 512;

/// A contact in the course of the iteration, world axes: what one turn reads and writes lies together.
struct Spot {
    Vec3d side[2];                 // copies of its sides' velocities less R⁻¹p, against the free ones
    Vec3d impulse;                 // that acts, bridge included: p
    Vec3d normal, free;            // its velocity without any impulse
    double along = 0, across = 0;  // springs of each side [kg]; 0: nothing answers
    double over_along = 0, over_across = 0;
    double friction = 0, clearance = 0, most = 0, pull = 0, stiffness = 0, drag = 0;  // as the cone's
    double pressing = 0;  // the part of p along the normal that is in the cone
    std::uint32_t slot[2]{};
    float crowd = 1;  // root of how many contacts share its nodes

    double sides() const { return (slot[0] != ConeSides::kNone) + (slot[1] != ConeSides::kNone); }
    /// R v and R⁻¹ p.
    Vec3d sprung(const Vec3d& v) const { return across * v + (along - across) * dot(normal, v) * normal; }
    Vec3d over(const Vec3d& p) const {
        return over_across * p + (over_along - over_across) * dot(normal, p) * normal;
    }
    /// As the law sees it: the springs' own velocity.
    Vec3d loose() const {
        Vec3d v = free;
        for (int k = 0; k < 2; ++k)
            if (slot[k] != ConeSides::kNone) v += side[k];
        return v;
    }
    /// Coulomb's law, with the bridge, as if both sides were free bodies of the springs' weight: closed form,
    /// because the mobility is the same number in both directions across.
    void obey() {
        const Vec3d v = loose();
        const double both = 1 / sides(), a = along * both, c = across * both, normal_speed = dot(normal, v);
        const double pushed = a * normal_speed - pull;
        const auto stiff = [&](double speed) { return a + stiffness + (speed > 0 ? drag : 0); };
        pressing = std::clamp(-clearance * stiff(-clearance) - pushed, 0.0, most);
        const double speed = (pressing + pushed) / stiff(pressing + pushed);
        const double bridge = -(pull + (stiff(speed) - a) * speed);
        Vec3d held = (-c) * (v - normal_speed * normal);
        const double size = squared_length(held), limit = friction * pressing;
        if (size > limit * limit) held *= limit / std::sqrt(size);
        impulse = (pressing + bridge) * normal + held;
    }
};

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
    std::vector<Spot> spots;
    std::vector<double> own_along, own_across;  // velocity per impulse of each contact; 0: nothing answers
    std::vector<double> along, across;          // springs, for whoever lays the bed [kg]
    std::vector<Vec3d> applied, contact_velocity;
    std::vector<Vec3d> impulse, velocity;
    std::vector<double> angular_impulse, turning;

    void resize(std::size_t contacts, std::size_t nodes) {
        for (auto* v : {&own_along, &own_across, &along, &across}) v->resize(contacts);
        applied.resize(contacts), contact_velocity.resize(contacts), spots.resize(contacts);
        impulse.resize(nodes), velocity.resize(nodes), angular_impulse.resize(nodes), turning.resize(nodes);
    }
};

/// The work of one solve: consensus splitting (Boyd et al. 2011, section 7) between strands and contacts.
/// Each side of a contact has a copy of its velocity, tied to the strand's by a spring. In turns, all
/// contacts obey the exact law as if their two sides were free bodies of the springs' weight, and all strands
/// move with those springs: the strands' matrix keeps its band, so that one turn costs about a product with
/// C⁻¹. A fixed point obeys the law exactly, whatever the springs.
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
        begin();
        const auto done = [&] {
            return report_.residual <= options.tolerance && report_.miss <= options.miss;
        };
        int renewal = kFirstRenewal, check = kFirstCheck;
        while (!done() && report_.iterations < options.most_iterations) {
            if (report_.iterations == renewal) choose_springs(), renewal *= kLater;
            turn();
            ++report_.iterations;
            if (report_.iterations < check && report_.iterations < options.most_iterations) continue;
            check += std::max(kFirstCheck, check / kCheckLater);
            answer_all(), measure();
        }
        report_.converged = done();
        finish();
        return report_;
    }

 private:
    template <class F>
    void each(F&& body) const {
        parallel_chunks(cones_.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) body(i, m_.spots[i]);
        });
    }
    static Vec3d in_axes(const Cone& c, const Vec3d& v) {
        return {dot(c.axes[0], v), dot(c.axes[1], v), dot(c.axes[2], v)};
    }
    static Vec3d in_world(const Cone& c, const Vec3d& r) {
        return r.x * c.axes[0] + r.y * c.axes[1] + r.z * c.axes[2];
    }
    bool answers(std::size_t i) const { return m_.own_along[i] > 0; }
    /// The impulse that is in the cone, in the contact's axes.
    Vec3d in_cone(std::size_t i) const {
        const Spot& s = m_.spots[i];
        if (!(s.pressing > 0)) return {};
        Vec3d r = in_axes(cones_[i], s.impulse);
        r.x = s.pressing;
        return r;
    }

    void weigh() {
        m_.resize(cones_.size(), answers_.nodes());
        m_.sides.prepare(cones_, answers_);
        each([&](std::size_t i, Spot&) {
            const Mat3d axes = Mat3d::from_rows(cones_[i].axes[0], cones_[i].axes[1], cones_[i].axes[2]);
            const Mat3d w = axes * answers_.own(cones_[i]) * transpose(axes);
            m_.own_along[i] = w(0, 0);
            m_.own_across[i] = std::max(0.5 * (w(1, 1) + w(2, 2)), 1e-3 * w(0, 0));
        });
        const double most = parallel_max(cones_.size(), 0.0, [&](std::size_t i) { return m_.own_along[i]; });
        for (double& own : m_.own_along)
            if (!(own > 1e-14 * most)) own = 0, ++report_.unmoved;
    }

    /// How many contacts share the nodes of each: its root.
    void find_crowds() {
        std::vector<double>& at = m_.angular_impulse;
        std::fill(at.begin(), at.end(), 0);
        for (const Cone& c : cones_)
            for (std::size_t k = 0; k < 4; ++k)
                if (c.node[k] != Cone::kNone) at[c.node[k]] += std::abs(c.weight[k]);
        each([&](std::size_t i, Spot& s) {
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k)
                if (cones_[i].node[k] != Cone::kNone)
                    sum += std::abs(cones_[i].weight[k]) * at[cones_[i].node[k]];
            s.crowd = static_cast<float>(std::sqrt(std::max(1.0, sum / s.sides())));
        });
    }

    void begin() {
        each([&](std::size_t i, Spot& s) {
            const Cone& c = cones_[i];
            s = {};
            s.normal = c.axes[0], s.friction = c.friction, s.clearance = c.clearance;
            s.most = c.most, s.pull = c.pull, s.stiffness = c.stiffness, s.drag = c.drag;
            for (std::size_t k = 0; k < 2; ++k) s.slot[k] = m_.sides.slot(i, k);
            s.free = in_world(c, contact_velocity(c, free_velocity_, free_turning_));
            if (!answers(i)) return;
            Vec3d r = project_on_cone(r_[i], c.friction);
            if (r.x > c.most) r = r * (c.most / r.x);
            s.pressing = r.x;
            r.x += bridge_impulse(c, r.x > 0 ? -c.clearance : 0);
            s.impulse = in_world(c, r);
        });
        find_crowds();
        answer_all();
        measure();
        // The sides begin where the strands are with these impulses.
        m_.sides.spread(m_.velocity, m_.turning);
        each([&](std::size_t, Spot& s) {
            for (int k = 0; k < 2; ++k)
                if (s.slot[k] != ConeSides::kNone) s.side[k] = m_.sides[s.slot[k]];
        });
        choose_springs();
        each([&](std::size_t, Spot& s) { obey(s); });
    }

    /// Springs by what each contact does now: open, sticking, or sliding, where friction is a given force
    /// over a speed. The sides' velocities stay.
    void choose_springs() {
        const bool first = report_.iterations == 0;
        each([&](std::size_t i, Spot& s) {
            m_.along[i] = m_.across[i] = 0;
            if (!answers(i)) return;
            const Vec3d before = first ? Vec3d{} : s.over(s.impulse);
            Vec3d v = s.loose() + s.sides() * before;
            const double along = kStiffness / (m_.own_along[i] * double(s.crowd));
            const double across = kStiffness / (m_.own_across[i] * double(s.crowd));
            s.along = along, s.across = across;
            const double normal_speed = dot(s.normal, v), slips = length(v - normal_speed * s.normal);
            const double held = length(s.impulse - dot(s.impulse, s.normal) * s.normal);
            const bool closed = (s.pressing > 0 && s.pressing < s.most) ||
                                (first && s.most > 0 && normal_speed + s.clearance < 0);
            if (!closed) {
                const double bridge = s.stiffness + (normal_speed > 0 ? s.drag : 0);
                s.along *= std::max(kOpen, std::min(1.0, bridge * m_.own_along[i]));
                s.across *= kOpen;
            } else if (s.pressing > 0 && held >= (1 - 1e-9) * s.friction * s.pressing) {
                s.across = std::clamp(held / std::max(slips, 1e-300), kOpen * across, across);
            }
            s.over_along = 1 / s.along, s.over_across = 1 / s.across;
            for (Vec3d& side : s.side) side += before - s.over(s.impulse);
            m_.along[i] = s.along, m_.across[i] = s.across;
            push(s);
        });
        answers_.bed(cones_, m_.along, m_.across);
    }

    /// One turn. All strands with the springs: (C + Σ Eᵀ R E) w = Σ Eᵀ (2 p + R (y − free)); the sides
    /// follow, and all contacts obey the law.
    void turn() {
        m_.sides.gather(m_.velocity, m_.turning);
        answers_.solve_bedded(m_.velocity, m_.turning);
        m_.sides.spread(m_.velocity, m_.turning);
        each([&](std::size_t, Spot& s) {
            const Vec3d p = s.over(s.impulse);
            for (int k = 0; k < 2; ++k)
                if (s.slot[k] != ConeSides::kNone) s.side[k] += kOver * (m_.sides[s.slot[k]] - s.side[k] - p);
            obey(s);
        });
    }

    /// The law; the slots get what pushes the strands next.
    void obey(Spot& s) {
        if (s.along > 0) s.obey();
        push(s);
    }
    void push(const Spot& s) {
        for (int k = 0; k < 2; ++k)
            if (s.slot[k] != ConeSides::kNone) m_.sides[s.slot[k]] = 2.0 * s.impulse + s.sprung(s.side[k]);
    }

    /// What the impulses do, exactly. The slots are as they were.
    void answer_all() {
        each([&](std::size_t, Spot& s) {
            for (int k = 0; k < 2; ++k)
                if (s.slot[k] != ConeSides::kNone) m_.sides[s.slot[k]] = s.impulse;
        });
        m_.sides.gather(m_.impulse, m_.angular_impulse);
        answers_.apply(m_.impulse, m_.angular_impulse, m_.velocity, m_.turning);
        m_.sides.spread(m_.velocity, m_.turning);
        each([&](std::size_t i, Spot& s) {
            Vec3d v = s.free;
            for (int k = 0; k < 2; ++k)
                if (s.slot[k] != ConeSides::kNone) v += m_.sides[s.slot[k]];
            push(s);
            m_.contact_velocity[i] = in_axes(cones_[i], v);
        });
    }

    void measure() {
        struct Sums {
            double miss = 0, scale = 0, worst = 0;
        };
        const Sums all = ordered_reduce(
            cones_.size(), kGrain, Sums{},
            [&](std::size_t begin, std::size_t end) {
                Sums s;
                for (std::size_t i = begin; i < end; ++i) {
                    if (!answers(i)) continue;
                    const double w = (m_.own_along[i] + 2 * m_.own_across[i]) / 3;
                    Vec3d v = m_.contact_velocity[i];
                    const Vec3d in = in_cone(i);
                    const double bridge = dot(m_.spots[i].impulse, m_.spots[i].normal) - in.x;
                    const double slope = cones_[i].stiffness + (v.x > 0 ? cones_[i].drag : 0);
                    const double b =
                        (bridge - bridge_impulse(cones_[i], v.x)) / (1 + slope * m_.own_along[i]);
                    v.x += cones_[i].clearance;
                    const double r = miss_of(cones_[i], in, v, 1 / w);
                    s.miss += r * r + b * b;
                    s.scale += squared_length(in) + bridge * bridge + 1e-20 * squared_length(v) / (w * w);
                    s.worst = std::max(s.worst, w * std::max(r, std::abs(b)));
                }
                return s;
            },
            [](const Sums& a, const Sums& b) {
                return Sums{a.miss + b.miss, a.scale + b.scale, std::max(a.worst, b.worst)};
            });
        report_.residual = all.scale > 0 ? std::sqrt(all.miss / all.scale) : 0;
        report_.miss = all.worst;
    }

    void finish() {
        each([&](std::size_t i, Spot& s) {
            r_[i] = in_cone(i);
            m_.applied[i] = in_axes(cones_[i], s.impulse);
        });
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

std::span<const Vec3d> ConeSolver::applied() const {
    return memory_->applied;
}
std::span<const Vec3d> ConeSolver::contact_velocity() const {
    return memory_->contact_velocity;
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
    std::size_t all = m.sides.memory() + bytes(m.spots) + bytes(m.impulse) + bytes(m.velocity) +
                      bytes(m.angular_impulse) + bytes(m.turning) + bytes(m.applied) +
                      bytes(m.contact_velocity);
    for (const auto* v : {&m.own_along, &m.own_across, &m.along, &m.across}) all += bytes(*v);
    return all;
}

}  // namespace rivulet::contact
