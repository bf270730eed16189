#include <rivulet/coupling/face_mixture.h>

#include <algorithm>

#include <rivulet/grid/face_loops.h>

namespace rivulet::coupling {
namespace {

using grid::FaceField, grid::for_faces, grid::resize;

/// Mean of velocities that was summed with weights; 0 without weight.
double mean(const FaceField& product, const FaceField& weight, std::size_t a, std::size_t f) {
    return weight[a][f] > 0 ? product[a][f] / weight[a][f] : 0.0;
}

}  // namespace

void FaceMixture::start(const grid::SubmergedFields& fields, const FaceField& mass,
                        const grid::FaceBoundary& boundary, const FaceField& velocity, double cell,
                        double dt) {
    size_ = mass[0].size();
    for (FaceField* f : {&drag_ratio_, &yield_, &fraction_, &hold_, &held_velocity_}) resize(*f, size_);
    start_ = free_ = velocity;
    const double volume = cell * cell * cell;
    for_faces(size_, [&](std::size_t a, std::size_t f) {
        const double m = mass[a][f], drag = dt * fields.drag[a][f];
        // Liquid at a closed face has the velocity of its wall, which takes what drag it feels.
        const bool closed = boundary.open[a][f] == 0;
        drag_ratio_[a][f] = m > 0 && !closed ? drag / m : 0.0;
        hold_[a][f] = m > 0 ? 1 / (1 + drag_ratio_[a][f]) : 0.0;
        yield_[a][f] = 0;
        fraction_[a][f] = std::min(fields.volume[a][f] / volume, kFullest);
    });
    find_hold();
}

void FaceMixture::find_hold() {
    for_faces(size_, [&](std::size_t a, std::size_t f) { held_velocity_[a][f] = hold_[a][f] * free_[a][f]; });
}

void FaceMixture::find_answers(const FaceField& weight, const FaceField& response, const FaceField& mass) {
    for_faces(size_, [&](std::size_t a, std::size_t f) {
        const double w = weight[a][f], m = mass[a][f];
        if (!(w > 0) || !(response[a][f] > 0) || !(m > 0)) return;
        const double with_drag = w * w / response[a][f];
        const double inert = std::max(w, with_drag - m * drag_ratio_[a][f] * hold_[a][f]);
        yield_[a][f] = m / inert;
    });
}

void FaceMixture::add_to(grid::FaceFlow& flow, const grid::SubmergedFields& fields, const FaceField& pressed,
                         FaceField& velocity) {
    for (FaceField* f : {&towards_, &drag_, &push_, &part_, &part_velocity_, &mobility_}) resize(*f, size_);
    const bool pressing = !pressed[0].empty();
    for_faces(size_, [&](std::size_t a, std::size_t f) {
        const double d = drag_ratio_[a][f], r = yield_[a][f], phi = fraction_[a][f], q = phi / (1 - phi);
        const double density = flow.inertia(a, f), g = pressing ? pressed[a][f] / density : 0.0;
        const double dragged = mean(fields.pull, fields.drag, a, f),
                     filled = mean(fields.flux, fields.volume, a, f);
        const double free = free_[a][f], stiff = 1 + d * r, follows = d * r / stiff;
        const double after = (free + d * dragged) / (1 + d);
        towards_[a][f] = dragged + r * (d / (1 + d) * (dragged - free) + q * g);
        drag_[a][f] = density * d / stiff;
        push_[a][f] = 1 + q * follows;
        part_[a][f] = phi / stiff;
        part_velocity_[a][f] = stiff * filled - d * r * after + r * q * g;
        mobility_[a][f] = q * r / density;
        velocity[a][f] = start_[a][f];
    });
    flow.submerge({part_, part_velocity_, mobility_});
    flow.add_drag(drag_, towards_, push_);
    flow.pull(velocity);
}

void FaceMixture::take_impulses(const grid::FaceFlow& flow, const FaceField& pressed,
                                const FaceField& velocity) {
    for_faces(size_, [&](std::size_t a, std::size_t f) {
        const double d = drag_ratio_[a][f];
        if (d == 0) {
            free_[a][f] = velocity[a][f];
            return;
        }
        const double load = d / (1 + d * yield_[a][f]);
        const double density = flow.inertia(a, f) * push_[a][f] / (1 + load), g = pressed[a][f] / density;
        free_[a][f] = velocity[a][f] + load * (velocity[a][f] - towards_[a][f]) + (push_[a][f] - 1) * g;
    });
    find_hold();
}

void FaceMixture::give_back(const grid::SubmergedFields& fields, FaceField& velocity) const {
    for_faces(size_, [&](std::size_t a, std::size_t f) {
        const double d = drag_ratio_[a][f];
        velocity[a][f] =
            d == 0 ? free_[a][f] : (free_[a][f] + d * mean(fields.pull, fields.drag, a, f)) / (1 + d);
    });
}

void FaceMixture::true_others(const grid::FaceFlow& flow, const grid::SubmergedFields& fields,
                              const grid::FaceBoundary& boundary, const FaceField& velocity,
                              FaceField& others) const {
    resize(others, size_);
    for_faces(size_, [&](std::size_t a, std::size_t f) {
        const double open = boundary.open[a][f], phi = fraction_[a][f], u = velocity[a][f];
        const double mixed = (1 - phi) * u + phi * mean(fields.flux, fields.volume, a, f);
        others[a][f] = open * mixed + (1 - open) * boundary.solid_speed(a, f) - flow.carried()[a][f] * u;
    });
}

}  // namespace rivulet::coupling
