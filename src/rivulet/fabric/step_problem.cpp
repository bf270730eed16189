#include <rivulet/fabric/step_problem.h>

#include <rivulet/base/parallel.h>
#include <rivulet/elastic/rod_frame.h>

namespace rivulet::fabric {

namespace {

using elastic::Voigt;
constexpr std::size_t kGrain = 256;

std::array<Vec3d, 3> directors_of(std::span<const Vec3d> director, const Vec3i& edge) {
    return corners(director, edge);
}

/// Damping β adds β/dt times the same law towards the strain at the start of the step: together the law
/// (1 + β/dt) towards a strain in between, but for a constant.
Voigt between(const Voigt& rest, const Voigt& start, double damping_steps) {
    Voigt out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = (rest[k] + damping_steps * start[k]) / (1 + damping_steps);
    return out;
}

/// Blocks by corners: of stretching, and of bending along the normal.
void fill_element(const elastic::MembraneEnergy& stretch, const elastic::PlateEnergy& bend,
                  const Vec3d& normal, Element& out) {
    const Mat3d square = outer(normal, normal);
    std::size_t n = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        out.force[i] = stretch.gradient[i] + bend.gradient[i] * normal;
        out.moment[i] = bend.gradient[3 + i];
        for (std::size_t j = i; j < 3; ++j, ++n) {
            out.block[n] = stretch.hessian[i][j] + bend.hessian[i][j] * square;
            out.edge[n] = bend.hessian[3 + i][3 + j];
        }
        for (std::size_t j = 0; j < 3; ++j) out.mixed[3 * i + j] = bend.hessian[i][3 + j];
    }
    out.value = stretch.value + bend.value;
    out.normal = normal;
}

}  // namespace

Vec3d carried(const Vec3d& director, const Vec3d& from, const Vec3d& to) {
    const Vec3d t = normalized(to);
    return elastic::squared_up(elastic::parallel_transport(director, normalized(from), t), t);
}

void StepProblem::begin(const FabricState& state, const Mesh& mesh, std::span<const FabricMaterial> materials,
                        const elastic::PointLoads& loads, double dt) {
    state_ = &state;
    mesh_ = &mesh;
    materials_ = materials;
    loads_ = loads;
    dt_ = dt;
    const Topology& t = mesh.topology;
    strain_target_.resize(t.triangles());
    curvature_target_.resize(t.triangles());
    diagonal_.resize(t.vertices);
    push_.resize(t.vertices);
    parallel_chunks(t.triangles(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            const FabricMaterial& m = materials[mesh.material[k]];
            const auto x = corners(state.position, t.triangle[k]);
            strain_target_[k] = {};
            curvature_target_[k] = mesh.rest_curvature[k];
            if (m.stretch_damping > 0)
                strain_target_[k] = between({}, elastic::green_strain(elastic::deformation(mesh.rest[k], x)),
                                            m.stretch_damping / dt);
            if (m.bend_damping > 0)
                curvature_target_[k] =
                    between(mesh.rest_curvature[k],
                            elastic::curvature(
                                mesh.rest[k],
                                elastic::plate_turns(x, directors_of(state.director, t.triangle_edge[k]))),
                            m.bend_damping / dt);
        }
    });
    parallel_chunks(t.vertices, 4 * kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            diagonal_[v] = (mesh.mass[v] / (dt * dt)) * Mat3d::identity();
            if (!loads.force_slope.empty()) diagonal_[v] -= (1 / dt) * loads.force_slope[v];
        }
    });
}

Vec3d StepProblem::flown(std::size_t v) const {
    const double m = mesh_->mass[v];
    Vec3d velocity = state_->velocity[v] + dt_ * loads_.gravity;
    if (!loads_.impulse.empty()) velocity += loads_.impulse[v] / m;
    if (!loads_.force.empty()) velocity += (dt_ / m) * loads_.force[v];
    return state_->position[v] + dt_ * velocity;
}

double StepProblem::evaluate(std::span<const Vec3d> position, std::span<const Vec3d> director,
                             std::span<const Voigt> across, std::vector<Element>& elements) const {
    const Topology& t = mesh_->topology;
    elements.resize(t.triangles());
    parallel_chunks(t.triangles(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            const FabricMaterial& m = materials_[mesh_->material[k]];
            const elastic::RestTriangle& rest = mesh_->rest[k];
            const auto x = corners(position, t.triangle[k]);
            const elastic::Deformation f = elastic::deformation(rest, x);
            const auto stretch = elastic::membrane(rest, m.stretch.scaled(1 + m.stretch_damping / dt_),
                                                   m.stiffening, f, strain_target_[k], across[k]);
            const elastic::PlateShape shape =
                elastic::plate_shape(x, directors_of(director, t.triangle_edge[k]), t.forward[k]);
            const auto bend =
                elastic::plate(rest, m.bend.scaled(1 + m.bend_damping / dt_), shape, curvature_target_[k]);
            fill_element(stretch, bend, shape.normal, elements[k]);
        }
    });
    return accurate_sum(elements.size(), [&](std::size_t k) { return elements[k].value; }) +
           loose_value(position);
}

double StepProblem::loose_value(std::span<const Vec3d> position) const {
    return accurate_sum(position.size(), [&](std::size_t v) {
        const Vec3d off = position[v] - flown(v);
        double value = 0.5 * mesh_->mass[v] / (dt_ * dt_) * squared_length(off);
        if (!loads_.force_slope.empty()) {
            const Vec3d way = position[v] - state_->position[v];
            value -= 0.5 / dt_ * dot(way, loads_.force_slope[v] * way);
        }
        return value;
    });
}

std::span<const Vec3d> StepProblem::push(std::span<const Vec3d> position) {
    parallel_chunks(position.size(), 4 * kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            push_[v] = (mesh_->mass[v] / (dt_ * dt_)) * (position[v] - flown(v));
            if (!loads_.force_slope.empty())
                push_[v] -= (1 / dt_) * (loads_.force_slope[v] * (position[v] - state_->position[v]));
        }
    });
    return push_;
}

void StepProblem::predict_stress(std::span<const Vec3d> position, std::span<const Vec3d> by,
                                 std::vector<Voigt>& across) const {
    const Topology& t = mesh_->topology;
    across.resize(t.triangles());
    parallel_chunks(t.triangles(), kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            const FabricMaterial& m = materials_[mesh_->material[k]];
            const elastic::RestTriangle& rest = mesh_->rest[k];
            const elastic::Deformation f = elastic::deformation(rest, corners(position, t.triangle[k]));
            Voigt strain = elastic::green_strain(f);
            if (!by.empty()) {
                const Voigt more = elastic::strain_change(rest, f, corners(by, t.triangle[k]));
                for (std::size_t c = 0; c < 3; ++c) strain[c] += more[c];
            }
            across[k] = elastic::membrane_stress(m.stretch.scaled(1 + m.stretch_damping / dt_), m.stiffening,
                                                 strain, strain_target_[k]);
        }
    });
}

void StepProblem::limit_compression(std::vector<Voigt>& across) const {
    parallel_chunks(across.size(), 4 * kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t k = begin; k < end; ++k) {
            const double density = materials_[mesh_->material[k]].areal_density;
            across[k] = elastic::stress_above(elastic::least_stress(mesh_->rest[k], density, dt_), across[k]);
        }
    });
}

void StepProblem::mend_momentum(std::span<Vec3d> velocity) const {
    const std::size_t n = velocity.size();
    for (int piece = 0; piece < mesh_->pieces; ++piece) {
        bool held = false;
        CompensatedSum missing[3];
        Mat3d answer;
        for (std::size_t v = 0; v < n; ++v) {
            if (mesh_->piece[v] != piece) continue;
            held = held || state_->held.vertex[v];
            const double m = mesh_->mass[v];
            Vec3d gap = (m / dt_) * (flown(v) - state_->position[v]) - m * velocity[v];
            answer += m * Mat3d::identity();
            if (!loads_.force_slope.empty()) {
                gap += dt_ * (loads_.force_slope[v] * velocity[v]);
                answer -= dt_ * loads_.force_slope[v];
            }
            for (int c = 0; c < 3; ++c) missing[c].add(gap[c]);
        }
        if (held) continue;
        const Vec3d shift =
            inverse(answer) * Vec3d{missing[0].value(), missing[1].value(), missing[2].value()};
        for (std::size_t v = 0; v < n; ++v)
            if (mesh_->piece[v] == piece) velocity[v] += shift;
    }
}

}  // namespace rivulet::fabric
