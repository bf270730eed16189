#include <rivulet/strand/make.h>

#include <cmath>
#include <string>

#include <rivulet/base/error.h>
#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod.h>

namespace rivulet::strand {
namespace {

[[noreturn]] void refuse(std::size_t strand, const std::string& message, const std::string& hint) {
    Problem problem;
    problem.key = "strand " + std::to_string(strand);
    problem.message = message;
    problem.hint = hint;
    throw InputError(problem);
}

/// 1 + cos of the sharpest turn that may be groomed (170°).
constexpr double kLeastGroomedTurn = 0.0152;

void check(const Curves& c) {
    if (c.start.empty() || c.start.front() != 0 || c.start.back() != std::int64_t(c.position.size()) ||
        c.radius.size() != c.position.size())
        throw InputError(Problem{{}, 0, 0, "strands", "vertex counts do not add up", "mend the groom"});
    for (std::size_t s = 0; s < c.strand_count(); ++s) {
        if (c.start[s + 1] < c.start[s] + 2 || c.start[s + 1] > c.start.back())
            refuse(s, "has fewer than two vertices", "drop it or give it a length");
        Vec3d before;
        for (std::int64_t k = c.start[s]; k < c.start[s + 1]; ++k) {
            const auto i = static_cast<std::size_t>(k);
            if (!is_finite(c.position[i])) refuse(s, "has a position that is not finite", "mend the groom");
            if (!(c.radius[i] > 0) || !std::isfinite(c.radius[i]))
                refuse(s, "has a radius that is not positive", "give a radius");
            if (k == c.start[s]) continue;
            const Vec3d edge = c.position[i] - c.position[i - 1];
            const double l = length(edge);
            if (!(l > 0) || !std::isfinite(l))
                refuse(s, "has a segment of no length", "drop duplicate points");
            if (k > c.start[s] + 1 && 1 + dot(before, edge) / l < kLeastGroomedTurn)
                refuse(s, "folds back on itself", "smooth it or use shorter segments");
            before = edge / l;
        }
    }
}

void frame_strand(StrandState& s, std::size_t strand, const Vec3d& hint) {
    const std::size_t begin = s.begin(strand), last = s.end(strand) - 1;
    Vec3d before;
    for (std::size_t i = begin; i < last; ++i) {
        const Vec3d t = normalized(s.position[i + 1] - s.position[i]);
        if (i == begin) {
            const Vec3d across = hint - dot(hint, t) * t;
            s.reference_director[i] =
                length(across) > 1e-6 * length(hint) ? normalized(across) : any_perpendicular(t);
        } else {
            s.reference_director[i] =
                elastic::squared_up(elastic::parallel_transport(s.reference_director[i - 1], before, t), t);
        }
        before = t;
    }
}

void set_natural_shape(StrandState& s, std::size_t strand) {
    const std::size_t begin = s.begin(strand), last = s.end(strand) - 1;
    const auto edge_at = [&](std::size_t i, double angle) {
        const Vec3d e = s.position[i + 1] - s.position[i];
        return elastic::place_edge(e, angle,
                                   elastic::EdgeBase<double>{normalized(e), s.reference_director[i]});
    };
    for (std::size_t i = begin; i < last; ++i) s.rest_length[i] = length(s.position[i + 1] - s.position[i]);
    for (std::size_t i = begin + 1; i < last; ++i) {
        // In the frame half-way between the two edges: both are turned by half their difference in twist.
        const double twist =
            (s.twist[i] - s.twist[i - 1]) + elastic::reference_twist(edge_at(i - 1, 0.0), edge_at(i, 0.0));
        const auto before = edge_at(i - 1, s.twist[i - 1] + 0.5 * twist),
                   after = edge_at(i, s.twist[i] - 0.5 * twist);
        const auto k = elastic::curvatures(elastic::make_joint(before, after), before, after);
        s.natural_curvature[i] = {0.5 * (k.before1 + k.after1), 0.5 * (k.before2 + k.after2)};
        s.natural_twist[i] = twist;
    }
}

void set_targets(StrandState& s, const MakeOptions& options) {
    s.root_target.resize(s.strand_count());
    s.tip_target.resize(s.strand_count());
    for (std::size_t k = 0; k < s.strand_count(); ++k) {
        const std::size_t first = s.begin(k), last = s.end(k) - 1;
        s.root_target.kind[k] = std::uint8_t(options.root);
        s.root_target.position[k] = s.position[first];
        s.root_target.tangent[k] = normalized(s.position[first + 1] - s.position[first]);
        s.root_target.director[k] = s.reference_director[first];
        s.tip_target.kind[k] = std::uint8_t(options.tip);
        s.tip_target.position[k] = s.position[last];
        s.tip_target.tangent[k] = normalized(s.position[last] - s.position[last - 1]);
        s.tip_target.director[k] = s.reference_director[last - 1];
    }
}

template <class V>
void add_behind(V& to, const V& more) {
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

StrandState make_strands(const Curves& curves, const MakeOptions& options) {
    check(curves);
    if (!(options.aspect > 0) || !std::isfinite(options.aspect))
        throw InputError(Problem{{}, 0, 0, "strands.aspect", "must be positive", "1 is a circle"});
    StrandState s;
    const std::size_t n = curves.vertex_count(), strands = curves.strand_count();
    s.position = curves.position;
    s.rest_position = curves.position;
    s.radius = curves.radius;
    s.start = curves.start;
    s.velocity.resize(n);
    s.twist.resize(n);
    s.twist_velocity.resize(n);
    s.reference_director.resize(n);
    s.rest_length.resize(n);
    s.natural_curvature.resize(n);
    s.natural_twist.resize(n);
    s.material.assign(strands, options.material);
    s.aspect.assign(strands, options.aspect);
    s.id.resize(strands);
    s.root_uv.resize(strands);
    for (std::size_t k = 0; k < strands; ++k) {
        s.id[k] = options.first_id + k;
        if (k < curves.root_uv.size()) s.root_uv[k] = {curves.root_uv[k][0], curves.root_uv[k][1]};
    }
    parallel_for(strands, [&](std::size_t k) {
        frame_strand(s, k, options.director);
        set_natural_shape(s, k);
    });
    if (options.rest == RestShape::straight) s.natural_curvature.assign(n, {});
    set_targets(s, options);
    return s;
}

void rest_as_it_is(StrandState& state) {
    parallel_for(state.strand_count(), [&](std::size_t k) { set_natural_shape(state, k); });
    state.rest_position = state.position;
}

void append(StrandState& to, const StrandState& more) {
    if (to.start.empty()) to.start.push_back(0);
    const std::int64_t offset = to.start.back();
    for (std::size_t k = 1; k < more.start.size(); ++k) to.start.push_back(offset + more.start[k]);
    add_behind(to.position, more.position);
    add_behind(to.velocity, more.velocity);
    add_behind(to.twist, more.twist);
    add_behind(to.twist_velocity, more.twist_velocity);
    add_behind(to.reference_director, more.reference_director);
    for (const auto& [t, m] :
         {std::pair{&to.root_target, &more.root_target}, {&to.tip_target, &more.tip_target}}) {
        add_behind(t->kind, m->kind);
        add_behind(t->position, m->position);
        add_behind(t->tangent, m->tangent);
        add_behind(t->director, m->director);
    }
    add_behind(to.radius, more.radius);
    add_behind(to.id, more.id);
    add_behind(to.root_uv, more.root_uv);
    add_behind(to.material, more.material);
    add_behind(to.aspect, more.aspect);
    add_behind(to.rest_position, more.rest_position);
    add_behind(to.rest_length, more.rest_length);
    add_behind(to.natural_curvature, more.natural_curvature);
    add_behind(to.natural_twist, more.natural_twist);
}

}  // namespace rivulet::strand
