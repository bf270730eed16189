#include <rivulet/strand/energy.h>

#include <algorithm>

#include <rivulet/base/parallel.h>
#include <rivulet/strand/mass.h>
#include <rivulet/strand/rod_loader.h>

namespace rivulet::strand {
namespace {

struct Sums {
    CompensatedSum mass, momentum[3], angular[3], kinetic, elastic, gravity;
    double max_speed = 0;
};

Sums merged(const Sums& a, const Sums& b) {
    Sums s;
    s.mass = a.mass + b.mass;
    for (int c = 0; c < 3; ++c) {
        s.momentum[c] = a.momentum[c] + b.momentum[c];
        s.angular[c] = a.angular[c] + b.angular[c];
    }
    s.kinetic = a.kinetic + b.kinetic;
    s.elastic = a.elastic + b.elastic;
    s.gravity = a.gravity + b.gravity;
    s.max_speed = std::max(a.max_speed, b.max_speed);
    return s;
}

void add_vertex(Sums& sums, double mass, const Vec3d& x, const Vec3d& v, const Vec3d& gravity) {
    const Vec3d spin = cross(x, v);
    sums.mass.add(mass);
    for (int c = 0; c < 3; ++c) {
        sums.momentum[c].add(mass * v[c]);
        sums.angular[c].add(mass * spin[c]);
    }
    sums.kinetic.add(0.5 * mass * dot(v, v));
    sums.gravity.add(-mass * dot(gravity, x));
    sums.max_speed = std::max(sums.max_speed, length(v));
}

void add_spin(Sums& sums, double inertia, double rate, const Vec3d& tangent) {
    for (int c = 0; c < 3; ++c) sums.angular[c].add(inertia * rate * tangent[c]);
    sums.kinetic.add(0.5 * inertia * rate * rate);
}

/// Elastic energy of one strand [J].
double elastic_energy(const StrandState& s, std::span<const StrandMaterial> materials, std::size_t strand,
                      RodProblem<double>& p) {
    const Loads none;
    const StepInput input{s, materials, none, 1.0};
    RodLoader<double>(input, {{strand}}).load_elastic(p);
    double stretch = 0, bend = 0, twisting = 0;
    elastic::RodEdge<double> before{};
    for (std::size_t i = 0; i + 1 < p.vertices; ++i) {
        const auto& el = p.element[i];
        const auto edge = elastic::place_edge(el.edge, el.angle, el.base);
        const double excess = edge.length - el.rest_length;
        stretch += 0.5 * el.stretch_stiffness * excess * excess;
        if (i > 0) {
            const auto joint = elastic::make_joint(before, edge);
            const double twist = (el.angle - p.element[i - 1].angle) + elastic::reference_twist(before, edge);
            bend += elastic::bend_value(elastic::curvatures(joint, before, edge), el.bend);
            twisting += elastic::twist_value(twist, el.twist);
        }
        before = edge;
    }
    return stretch + bend + twisting;
}

}  // namespace

Totals totals(const StrandState& s, std::span<const StrandMaterial> materials, const Vec3d& gravity) {
    const auto map = [&](std::size_t begin, std::size_t end) {
        Sums sums;
        RodProblem<double> memory;
        for (std::size_t k = begin; k < end; ++k) {
            const double density = materials[s.material[k]].density;
            for (std::size_t i = s.begin(k); i < s.end(k); ++i) {
                add_vertex(sums, vertex_mass(s, materials, k, i), s.position[i], s.velocity[i], gravity);
                if (i + 1 == s.end(k)) break;
                const double inertia = edge_inertia(density, edge_section(s, k, i), s.rest_length[i]);
                add_spin(sums, inertia, s.twist_velocity[i], normalized(s.position[i + 1] - s.position[i]));
            }
            sums.elastic.add(elastic_energy(s, materials, k, memory));
        }
        return sums;
    };
    const Sums all = ordered_reduce(s.strand_count(), 64, Sums{}, map, merged);
    Totals t;
    t.mass = all.mass.value();
    for (int c = 0; c < 3; ++c) {
        t.momentum[c] = all.momentum[c].value();
        t.angular_momentum[c] = all.angular[c].value();
    }
    t.kinetic = all.kinetic.value();
    t.elastic = all.elastic.value();
    t.gravity = all.gravity.value();
    t.max_speed = all.max_speed;
    return t;
}

}  // namespace rivulet::strand
