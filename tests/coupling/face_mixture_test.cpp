#include <gtest/gtest.h>

#include <cmath>

#include <rivulet/base/random.h>
#include <rivulet/coupling/face_mixture.h>

namespace rivulet::coupling {
namespace {

constexpr std::size_t kFaces = 200;
constexpr double kCell = 0.01, kStep = 1e-3, kDensity = 1000, kVolume = kCell * kCell * kCell;

/// Faces on which pieces are what the mixture takes them for: a mass each, alone. Masses, drags and speeds
/// with contrasts of a million.
struct Faces {
    grid::FaceBoundary boundary;
    grid::FaceFlow flow;
    grid::SubmergedFields fields;
    grid::FaceField weight, response, mass, start, pressed, velocity;
    grid::FaceField free_piece;  // velocity of pieces without liquid
    FaceMixture mixture;

    Faces() {
        const Random random(7, 0);
        boundary.clear(kFaces);
        for (grid::FaceField* f : {&fields.volume, &fields.flux, &fields.drag, &fields.pull, &weight,
                                   &response, &mass, &start, &pressed, &velocity, &free_piece})
            grid::fill(*f, kFaces, 0.0);
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t f = 0; f < kFaces; ++f) {
                const std::size_t i = 8 * (3 * f + a);
                const double phi = 0.85 * random.uniform(i);
                fields.volume[a][f] = phi * kVolume;
                mass[a][f] = (1 - phi) * kVolume * kDensity;
                weight[a][f] = mass[a][f] * std::pow(10.0, 6 * random.uniform(i + 1) - 3);
                fields.drag[a][f] = mass[a][f] / kStep * std::pow(10.0, 12 * random.uniform(i + 2) - 6);
                start[a][f] = 2 * random.uniform(i + 3) - 1;
                free_piece[a][f] = 2 * random.uniform(i + 4) - 1;
                pressed[a][f] = kDensity * (2 * random.uniform(i + 5) - 1);
            }
        velocity = start;
        mixture.start(fields, mass, boundary, velocity, kCell, kStep);
    }

    double drag_over_mass(std::size_t a, std::size_t f) const {
        return kStep * fields.drag[a][f] / mass[a][f];
    }
    double fraction(std::size_t a, std::size_t f) const { return fields.volume[a][f] / kVolume; }
    /// M q g of a pressure impulse.
    double push_on_piece(std::size_t a, std::size_t f, double impulse) const {
        const double phi = fraction(a, f);
        return mass[a][f] * phi / (1 - phi) * impulse / kDensity;
    }

    /// The pieces' own solve, with the drag and pressure that the mixture shows them.
    void solve_pieces(bool with_pressure) {
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t f = 0; f < kFaces; ++f) {
                const double drag = kStep * fields.drag[a][f] * mixture.hold()[a][f];
                const double pull = kStep * fields.drag[a][f] * mixture.held_velocity()[a][f];
                const double push = with_pressure ? push_on_piece(a, f, pressed[a][f]) : 0.0;
                const double v = (weight[a][f] * free_piece[a][f] + pull - push) / (weight[a][f] + drag);
                response[a][f] = weight[a][f] * weight[a][f] / (weight[a][f] + drag);
                fields.flux[a][f] = fields.volume[a][f] * v;
                fields.pull[a][f] = fields.drag[a][f] * v;
            }
    }
    double piece(std::size_t a, std::size_t f) const { return fields.flux[a][f] / fields.volume[a][f]; }

    /// One pass; the pressure is given. Returns the flux the flow promised.
    grid::FaceField pass(const grid::FaceField& felt) {
        flow.start(boundary, kDensity);
        mixture.add_to(flow, fields, felt, velocity);
        grid::FaceField promised = velocity;
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t f = 0; f < kFaces; ++f) {
                velocity[a][f] -= pressed[a][f] / flow.inertia(a, f);
                promised[a][f] = flow.carried()[a][f] * velocity[a][f] + flow.others()[a][f] -
                                 flow.answer()[a][f] * pressed[a][f];
            }
        mixture.take_impulses(flow, pressed, velocity);
        solve_pieces(true);
        mixture.give_back(fields, velocity);
        return promised;
    }
};

/// Liquid and piece by the 2×2 system.
struct Pair {
    double liquid, piece;
};
Pair joint(const Faces& s, std::size_t a, std::size_t f) {
    const double m = s.mass[a][f], w = s.weight[a][f], d = kStep * s.fields.drag[a][f];
    const double first = m * s.start[a][f] - m * s.pressed[a][f] / kDensity;
    const double second = w * s.free_piece[a][f] - s.push_on_piece(a, f, s.pressed[a][f]);
    const double det = m * w + d * (m + w);
    return {((w + d) * first + d * second) / det, (d * first + (m + d) * second) / det};
}

TEST(FaceMixture, OnePassFindsTheJointSolutionOfLonePieces) {
    Faces s;
    s.solve_pieces(false);
    s.mixture.find_answers(s.weight, s.response, s.mass);
    const grid::FaceField promised = s.pass({});
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < kFaces; ++f) {
            const Pair both = joint(s, a, f);
            const double scale = 1 + s.mass[a][f] / s.weight[a][f] / (1 - s.fraction(a, f));
            EXPECT_NEAR(s.velocity[a][f], both.liquid, 1e-9 * scale);
            EXPECT_NEAR(s.piece(a, f), both.piece, 1e-9 * scale);
            const double phi = s.fraction(a, f);
            EXPECT_NEAR(promised[a][f], (1 - phi) * both.liquid + phi * both.piece, 1e-9 * scale)
                << s.drag_over_mass(a, f);
        }
}

TEST(FaceMixture, AnotherPassChangesNothingOfIt) {
    Faces s;
    s.solve_pieces(false);
    s.mixture.find_answers(s.weight, s.response, s.mass);
    s.pass({});
    const grid::FaceField before = s.velocity;
    s.pass(s.pressed);
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < kFaces; ++f) {
            const double scale = 1 + s.mass[a][f] / s.weight[a][f] / (1 - s.fraction(a, f));
            EXPECT_NEAR(s.velocity[a][f], before[a][f], 1e-8 * scale);
        }
}

TEST(FaceMixture, DragIsOneImpulseWithTwoSignsHoweverPiecesAnswer) {
    Faces s;
    s.solve_pieces(false);
    // A false idea of how they answer: as if held.
    for (auto& r : s.response) std::fill(r.begin(), r.end(), 0.0);
    s.mixture.find_answers(s.weight, s.response, s.mass);
    s.pass({});
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < kFaces; ++f) {
            const double of_liquid = s.mass[a][f] * (s.velocity[a][f] - s.mixture.free_velocity()[a][f]);
            const double of_piece = s.weight[a][f] * (s.piece(a, f) - s.free_piece[a][f]) +
                                    s.push_on_piece(a, f, s.pressed[a][f]);
            const double scale = s.mass[a][f] * (std::abs(s.mixture.free_velocity()[a][f]) + 1) +
                                 s.weight[a][f] + std::abs(s.push_on_piece(a, f, s.pressed[a][f]));
            EXPECT_NEAR(of_liquid, -of_piece, 1e-12 * scale);
        }
}

TEST(FaceMixture, InfiniteDragSharesOneVelocityInOneStep) {
    Faces s;
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < kFaces; ++f) s.fields.drag[a][f] = 1e12 * s.mass[a][f] / kStep;
    s.pressed = s.start;
    for (auto& p : s.pressed) std::fill(p.begin(), p.end(), 0.0);
    s.mixture.start(s.fields, s.mass, s.boundary, s.start, kCell, kStep);
    s.solve_pieces(false);
    s.mixture.find_answers(s.weight, s.response, s.mass);
    s.pass({});
    for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t f = 0; f < kFaces; ++f) {
            const double m = s.mass[a][f], w = s.weight[a][f];
            const double common = (m * s.start[a][f] + w * s.free_piece[a][f]) / (m + w);
            EXPECT_NEAR(s.velocity[a][f], common, 1e-6);
            EXPECT_NEAR(s.piece(a, f), common, 1e-6);
        }
}

TEST(FaceMixture, ClosedFacesKeepTheirWallsVelocity) {
    Faces s;
    for (auto& open : s.boundary.open) std::fill(open.begin(), open.end(), 0.0);
    s.mixture.start(s.fields, s.mass, s.boundary, s.start, kCell, kStep);
    s.solve_pieces(false);
    s.mixture.give_back(s.fields, s.velocity);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(s.velocity[a], s.start[a]);
}

}  // namespace
}  // namespace rivulet::coupling
