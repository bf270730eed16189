#include <rivulet/grid/face_flow.h>

#include <cassert>

#include <rivulet/grid/face_loops.h>

namespace rivulet::grid {
void FaceFlow::start(const FaceBoundary& boundary) {
    boundary_ = &boundary;
    towards_ = drag_ = push_ = nullptr;
    for (FaceField* f : {&carried_, &answer_, &others_}) resize(*f, 0);
    if (boundary.solid_velocity[0].empty()) return;
    resize(others_, boundary.size());
    for_faces(boundary.size(), [&](std::size_t a, std::size_t f) {
        others_[a][f] = (1 - boundary.open[a][f]) * boundary.solid_velocity[a][f];
    });
}

void FaceFlow::start(const FaceBoundary& boundary, double density) {
    start(boundary);
    everywhere_ = density;
    density_ = inertia_ = nullptr;
}

void FaceFlow::start(const FaceBoundary& boundary, const FaceField& density) {
    start(boundary);
    density_ = inertia_ = &density;
}

void FaceFlow::submerge(const Submerged& submerged) {
    const std::size_t n = boundary_->size();
    assert(submerged.fraction[0].size() == n && submerged.velocity[0].size() == n);
    const FaceField& open = boundary_->open;
    if (others_[0].empty()) fill(others_, n, 0.0);
    resize(carried_, n);
    for_faces(n, [&](std::size_t a, std::size_t f) {
        const double filled = open[a][f] * submerged.fraction[a][f];
        carried_[a][f] = open[a][f] - filled;
        others_[a][f] += filled * submerged.velocity[a][f];
    });
    if (submerged.mobility[0].empty()) return;
    resize(answer_, n);
    for_faces(n, [&](std::size_t a, std::size_t f) {
        answer_[a][f] = open[a][f] * submerged.fraction[a][f] * submerged.mobility[a][f];
    });
}

void FaceFlow::add_drag(const FaceField& drag, const FaceField& towards, const FaceField& push) {
    const std::size_t n = boundary_->size();
    assert(drag[0].size() == n && towards[0].size() == n);
    drag_ = &drag;
    towards_ = &towards;
    push_ = push[0].empty() ? nullptr : &push;
    resize(dragged_inertia_, n);
    for_faces(n, [&](std::size_t a, std::size_t f) {
        dragged_inertia_[a][f] = (density(a, f) + drag[a][f]) / (push_ ? push[a][f] : 1.0);
    });
    inertia_ = &dragged_inertia_;
}

void FaceFlow::pull(FaceField& velocity) const {
    if (!drag_) return;
    for_faces(boundary_->size(), [&](std::size_t a, std::size_t f) {
        const double own = density(a, f), drag = (*drag_)[a][f];
        velocity[a][f] = (own * velocity[a][f] + drag * (*towards_)[a][f]) / (own + drag);
    });
}

const FaceField& FaceFlow::loaded(const FaceField& mass) {
    if (!drag_) return mass;
    resize(loaded_mass_, mass[0].size());
    for_faces(mass[0].size(), [&](std::size_t a, std::size_t f) {
        const double own = density(a, f);
        loaded_mass_[a][f] = mass[a][f] * ((own + (*drag_)[a][f]) / own);
    });
    return loaded_mass_;
}

}  // namespace rivulet::grid
