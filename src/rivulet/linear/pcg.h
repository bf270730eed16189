#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>

#include <rivulet/linear/aligned.h>
#include <rivulet/linear/vectors.h>

namespace rivulet::linear {

struct PcgOptions {
    double tolerance = 1e-6;  // of ‖b − A x‖₂ / ‖b‖₂
    int most_iterations = 200;
    double pause_tolerance = 0;  // relative residual from which `pause` is asked, once; 0: never
    bool from_zero = false;      // whatever x holds; saves a product
};

struct PcgResult {
    int iterations = 0;
    double relative_residual = 0;
    bool converged = false, paused = false;
};

/// Vectors of one solver; kept between solves so that a step allocates nothing after the first. Of single
/// precision where the solution only corrects one that has more.
template <class T>
struct PcgVectors {
    AlignedVector<T> r, p, ap;
    void resize(std::size_t n) {
        for (auto* v : {&r, &p, &ap}) v->resize(n);
    }
};

using PcgWorkspace = PcgVectors<double>;

/// Preconditioned conjugate gradients for A x = b, A symmetric positive (semi-)definite and b in its range.
/// `x` holds the first guess. apply(p, ap): ap ← A p. precondition(r, z): z ← B r. pause(): true when the x
/// reached so far ends the solve; it may add a null vector of A to x.
template <class T, class Apply, class Precondition, class Pause>
PcgResult pcg(Apply&& apply, Precondition&& precondition, std::span<const std::type_identity_t<T>> b,
              std::span<std::type_identity_t<T>> x, PcgVectors<T>& work, const PcgOptions& options,
              Pause&& pause) {
    const std::size_t n = b.size();
    assert(x.size() == n);
    work.resize(n);
    const std::span<T> r(work.r), p(work.p), ap(work.ap);
    const std::span<T> z = ap;  // one is done with before the other is made
    PcgResult result;

    const double b_norm = std::sqrt(dot(b, b));
    if (b_norm == 0) {
        parallel_chunks(n, kVectorGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) x[i] = 0;
        });
        result.converged = true;
        return result;
    }
    if (!options.from_zero) apply(std::span<const T>(x), ap);
    parallel_chunks(n, kVectorGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) {
            if (options.from_zero) x[i] = ap[i] = 0;
            r[i] = b[i] - ap[i];
            p[i] = 0;
        }
    });
    double rr = dot(r, r), rz_before = 1;
    bool asked = false;
    for (;;) {
        result.relative_residual = std::sqrt(rr) / b_norm;
        result.converged = result.relative_residual <= options.tolerance;
        if (result.converged || result.iterations == options.most_iterations || !std::isfinite(rr)) break;
        if (!asked && result.relative_residual <= options.pause_tolerance) {
            asked = true;
            result.paused = pause();
            if (result.paused) break;
        }
        precondition(std::span<const T>(r), z);
        const double rz = dot(r, z);
        if (!(rz > 0)) break;
        const T beta = result.iterations == 0 ? T(0) : T(rz / rz_before);
        rz_before = rz;
        parallel_chunks(n, kVectorGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) p[i] = z[i] + beta * p[i];
        });
        apply(std::span<const T>(p), ap);
        const double curvature = dot(p, ap);
        if (!(curvature > 0)) break;
        const T alpha = T(rz / curvature);
        rr = ordered_reduce(
            n, kVectorGrain, 0.0,
            [&](std::size_t begin, std::size_t end) {
                double lane[8] = {};
                for (std::size_t i = begin; i < end; ++i) {
                    x[i] += alpha * p[i];
                    r[i] -= alpha * ap[i];
                }
                for (std::size_t i = begin; i < end; ++i) lane[i & 7] += double(r[i]) * double(r[i]);
                return ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
                       ((lane[2] + lane[6]) + (lane[3] + lane[7]));
            },
            [](double s, double t) { return s + t; });
        ++result.iterations;
    }
    return result;
}

template <class T, class Apply, class Precondition>
PcgResult pcg(Apply&& apply, Precondition&& precondition, std::span<const std::type_identity_t<T>> b,
              std::span<std::type_identity_t<T>> x, PcgVectors<T>& work, const PcgOptions& options) {
    return pcg(apply, precondition, b, x, work, options, [] { return false; });
}

}  // namespace rivulet::linear
