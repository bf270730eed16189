#include <rivulet/contact/cone_solver.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include <rivulet/base/parallel.h>
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
constexpr int kCheckEvery = 4;
constexpr std::size_t kGrain = 512;

Mat3d in_axes(const Cone& cone, const Mat3d& w) {
    const Mat3d axes = Mat3d::from_rows(cone.axes[0], cone.axes[1], cone.axes[2]);
    return axes * w * transpose(axes);
}

/// Coulomb's law, with the bridge, for one contact whose mobility is the same number in both directions
/// across: closed form.
struct Local {
    Vec3d impulse, applied;
};
Local solve_local(const Cone& c, const Vec3d& free, double along, double across) {
    const auto bracket = [&](double v) { return 1 + along * (c.stiffness + (v > 0 ? c.drag : 0)); };
    const double least = -c.clearance, pulled = free.x - along * c.pull;
    Local out;
    out.impulse.x = std::clamp((least * bracket(least) - pulled) / along, 0.0, c.most);
    const double moved = pulled + along * out.impulse.x;
    out.applied.x = out.impulse.x + bridge_impulse(c, moved / bracket(moved));
    double y = -free.y / across, z = -free.z / across;
    const double size = std::hypot(y, z), most = c.friction * out.impulse.x;
    if (size > most) y *= most / size, z *= most / size;
    out.impulse.y = out.applied.y = y, out.impulse.z = out.applied.z = z;
    return out;
}

/// How far a contact is from the law [kg m/s], with v_N over the clearance. What holds up to a strength: each
/// part of the natural map by itself, r_N between 0 and that strength and friction for the r_N there is.
double miss_of(const Cone& c, const Vec3d& r, const Vec3d& v, double rho) {
    if (c.most == std::numeric_limits<double>::infinity()) return coulomb_residual(r, v, c.friction, rho);
    double y = r.y - rho * v.y, z = r.z - rho * v.z;
    const double size = std::hypot(y, z), most = c.friction * r.x;
    if (size > most) y *= most / size, z *= most / size;
    return length(Vec3d{r.x - std::clamp(r.x - rho * v.x, 0.0, c.most), r.y - y, r.z - z});
}

}  // namespace

struct ConeSolver::Memory {
    ImpulseSum sum;
    std::vector<double> own_along, own_across;  // velocity per impulse of each contact; 0: nothing answers
    std::vector<double> along, across;          // springs [kg]
    std::vector<Vec3d> applied, contact_velocity;
    std::vector<Vec3d> side[2], free_side[2], push[2];  // per contact, in its axes
    std::vector<Vec3d> local_velocity;
    std::vector<Vec3d> impulse, velocity;
    std::vector<double> angular_impulse, turning;
    std::vector<double> crowd;

    void resize(std::size_t contacts, std::size_t nodes) {
        for (auto* v : {&own_along, &own_across, &along, &across, &crowd}) v->resize(contacts);
        for (auto* v : {&applied, &contact_velocity, &side[0], &side[1], &free_side[0], &free_side[1],
                        &push[0], &push[1], &local_velocity})
            v->resize(contacts);
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
        if (cones_.empty()) return answer_all(), report_;
        begin();
        const auto done = [&] {
            return report_.residual <= options.tolerance && report_.miss <= options.miss;
        };
        int renewal = kFirstRenewal;
        while (!done() && report_.iterations < options.most_iterations) {
            if (report_.iterations == renewal) choose_springs(), renewal *= kLater;
            move_strands();
            obey();
            ++report_.iterations;
            if (report_.iterations % kCheckEvery == 0) answer_all(), measure();
        }
        report_.converged = done();
        count();
        return report_;
    }

 private:
    template <class F>
    void each(F&& body) const {
        parallel_chunks(cones_.size(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        });
    }
    bool answers(std::size_t i) const { return m_.own_along[i] > 0; }
    double sides(std::size_t i) const {
        return (cones_[i].owner[0] != Cone::kNone) + (cones_[i].owner[1] != Cone::kNone);
    }
    Vec3d over(std::size_t i, const Vec3d& p) const {
        return {p.x / m_.along[i], p.y / m_.across[i], p.z / m_.across[i]};
    }
    Vec3d wall(std::size_t i) const {
        const Cone& c = cones_[i];
        return {dot(c.axes[0], c.wall), dot(c.axes[1], c.wall), dot(c.axes[2], c.wall)};
    }

    void weigh() {
        m_.resize(cones_.size(), answers_.nodes());
        m_.sum.prepare(cones_, answers_.nodes());
        each([&](std::size_t i) {
            const Mat3d w = in_axes(cones_[i], answers_.own(cones_[i]));
            m_.own_along[i] = w(0, 0), m_.own_across[i] = 0.5 * (w(1, 1) + w(2, 2));
        });
        const double most = parallel_max(cones_.size(), 0.0, [&](std::size_t i) { return m_.own_along[i]; });
        // How many contacts share the nodes of one.
        std::vector<double>& at = m_.angular_impulse;
        std::fill(at.begin(), at.end(), 0);
        for (const Cone& c : cones_)
            for (std::size_t k = 0; k < 4; ++k)
                if (c.node[k] != Cone::kNone) at[c.node[k]] += std::abs(c.weight[k]);
        for (std::size_t i = 0; i < cones_.size(); ++i) {
            const Cone& c = cones_[i];
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k)
                if (c.node[k] != Cone::kNone) sum += std::abs(c.weight[k]) * at[c.node[k]];
            m_.crowd[i] = std::sqrt(std::max(1.0, sum / sides(i)));
            m_.own_across[i] = std::max(m_.own_across[i], 1e-3 * m_.own_along[i]);
            if (!(m_.own_along[i] > 1e-14 * most)) m_.own_along[i] = 0, ++report_.unmoved;
        }
    }

    void begin() {
        each([&](std::size_t i) {
            r_[i] = answers(i) ? project_on_cone(r_[i], cones_[i].friction) : Vec3d{};
            if (r_[i].x > cones_[i].most) r_[i] = r_[i] * (cones_[i].most / r_[i].x);
            m_.applied[i] = r_[i];
            if (answers(i))
                m_.applied[i].x += bridge_impulse(cones_[i], r_[i].x > 0 ? -cones_[i].clearance : 0);
            for (std::size_t k = 0; k < 2; ++k)
                m_.free_side[k][i] = side_velocity(cones_[i], k, free_velocity_, free_turning_);
        });
        answer_all();
        measure();
        m_.local_velocity = m_.contact_velocity;
        choose_springs(true);
        each([&](std::size_t i) {
            for (std::size_t k = 0; k < 2; ++k)
                m_.side[k][i] = side_velocity(cones_[i], k, m_.velocity, m_.turning) - over(i, m_.applied[i]);
        });
        obey();
    }

    /// Springs by what each contact does now: open, sticking, or sliding, where friction is a given force
    /// over a speed. The sides' velocities stay.
    void choose_springs(bool first = false) {
        each([&](std::size_t i) {
            if (!answers(i)) {
                m_.along[i] = m_.across[i] = 1;
                return;
            }
            if (!first)
                for (auto& side : m_.side) side[i] += over(i, m_.applied[i]);
            const double along = kStiffness / (m_.own_along[i] * m_.crowd[i]);
            const double across = kStiffness / (m_.own_across[i] * m_.crowd[i]);
            m_.along[i] = along, m_.across[i] = across;
            const Vec3d& v = m_.local_velocity[i];
            const double held = std::hypot(r_[i].y, r_[i].z), slips = std::hypot(v.y, v.z);
            const bool closed = (r_[i].x > 0 && r_[i].x < cones_[i].most) ||
                                (first && cones_[i].most > 0 && v.x + cones_[i].clearance < 0);
            if (!closed) {
                const double bridge = cones_[i].stiffness + (v.x > 0 ? cones_[i].drag : 0);
                m_.along[i] *= std::max(kOpen, std::min(1.0, bridge * m_.own_along[i]));
                m_.across[i] *= kOpen;
            } else if (r_[i].x > 0 && held >= (1 - 1e-9) * cones_[i].friction * r_[i].x) {
                m_.across[i] = std::clamp(held / std::max(slips, 1e-300), kOpen * across, across);
            }
            if (!first)
                for (auto& side : m_.side) side[i] -= over(i, m_.applied[i]);
        });
        for (std::size_t i = 0; i < cones_.size(); ++i)
            if (!answers(i)) m_.along[i] = m_.across[i] = 0;
        answers_.bed(cones_, m_.along, m_.across);
        for (std::size_t i = 0; i < cones_.size(); ++i)
            if (!answers(i)) m_.along[i] = m_.across[i] = 1;
    }

    /// All strands with the springs: (C + Σ Eᵀ R E) w = Σ Eᵀ (2 p + R (y − free)), and the sides follow.
    void move_strands() {
        each([&](std::size_t i) {
            for (std::size_t k = 0; k < 2; ++k) {
                const Vec3d d = m_.side[k][i] - m_.free_side[k][i];
                m_.push[k][i] = answers(i)
                                    ? 2.0 * m_.applied[i] +
                                          Vec3d{m_.along[i] * d.x, m_.across[i] * d.y, m_.across[i] * d.z}
                                    : Vec3d{};
            }
        });
        m_.sum.sum_sides(cones_, m_.push[0], m_.push[1], m_.velocity, m_.turning);
        answers_.solve_bedded(m_.velocity, m_.turning);
        each([&](std::size_t i) {
            if (!answers(i)) return;
            const Vec3d p = over(i, m_.applied[i]);
            for (std::size_t k = 0; k < 2; ++k) {
                if (cones_[i].owner[k] == Cone::kNone) continue;
                const Vec3d moved = m_.free_side[k][i] + side_velocity(cones_[i], k, m_.velocity, m_.turning);
                m_.side[k][i] += kOver * (moved - m_.side[k][i] - p);
            }
        });
    }

    /// All contacts by the law.
    void obey() {
        each([&](std::size_t i) {
            if (!answers(i)) return;
            Vec3d free = -wall(i);
            for (std::size_t k = 0; k < 2; ++k)
                if (cones_[i].owner[k] != Cone::kNone) free += m_.side[k][i];
            const double n = sides(i);
            const Local now = solve_local(cones_[i], free, n / m_.along[i], n / m_.across[i]);
            r_[i] = now.impulse, m_.applied[i] = now.applied;
            m_.local_velocity[i] = free + n * over(i, now.applied);
        });
    }

    /// What the impulses do, exactly.
    void answer_all() {
        m_.sum.sum(cones_, m_.applied, m_.impulse, m_.angular_impulse);
        answers_.apply(m_.impulse, m_.angular_impulse, m_.velocity, m_.turning);
        parallel_chunks(m_.velocity.size(), 4096, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t n = begin; n < end; ++n)
                m_.velocity[n] += free_velocity_[n], m_.turning[n] += free_turning_[n];
        });
        each([&](std::size_t i) {
            m_.contact_velocity[i] = contact::contact_velocity(cones_[i], m_.velocity, m_.turning);
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
                    const double bridge = m_.applied[i].x - r_[i].x;
                    const double slope = cones_[i].stiffness + (v.x > 0 ? cones_[i].drag : 0);
                    const double b =
                        (bridge - bridge_impulse(cones_[i], v.x)) / (1 + slope * m_.own_along[i]);
                    v.x += cones_[i].clearance;
                    const double r = miss_of(cones_[i], r_[i], v, 1 / w);
                    s.miss += r * r + b * b;
                    s.scale += squared_length(r_[i]) + bridge * bridge + 1e-20 * squared_length(v) / (w * w);
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

    void count() {
        for (std::size_t i = 0; i < cones_.size(); ++i) {
            const double across = std::hypot(r_[i].y, r_[i].z);
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
    std::size_t all =
        m.sum.memory() + bytes(m.impulse) + bytes(m.velocity) + bytes(m.angular_impulse) + bytes(m.turning);
    for (const auto* v : {&m.own_along, &m.own_across, &m.along, &m.across, &m.crowd}) all += bytes(*v);
    for (const auto* v : {&m.applied, &m.contact_velocity, &m.side[0], &m.side[1], &m.free_side[0],
                          &m.free_side[1], &m.push[0], &m.push[1], &m.local_velocity})
        all += bytes(*v);
    return all;
}

}  // namespace rivulet::contact
