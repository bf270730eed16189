#include <rivulet/coupling/strand_drag.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include <rivulet/base/random.h>
#include <rivulet/grid/submerged_elements.h>
#include <rivulet/linear/dense_cholesky.h>

namespace rivulet::coupling {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr Vec3d kAxis{0, 0, 1};
const DragLiquid kWater{1000, 1e-3};
const DragLiquid kCream{200, 17.821, 18.417,
                        0.22};  // shaving cream, diss. table 15.2 as a rheometer shows it

double renaud_coefficient(double reynolds, double exponent, double surface_over_projected) {
    return RenaudCoefficient(exponent).at(reynolds, surface_over_projected);
}

/// Flow across a strand of 40 µm in a cell so wide that only the unbounded law counts.
DragPlace alone_across(double speed, double radius = 4e-5) {
    return {radius, kAxis, {speed, 0, 0}, 1e12 * radius, 0};
}
double across(const DragLiquid& liquid, const DragPlace& place, DragLaw law = DragLaw::automatic) {
    return line_drag(law, liquid, place, 1).across;
}

TEST(StrandDrag, CreepingFlowAcrossACylinderIsLambs) {
    for (const double reynolds : {1e-6, 1e-4, 1e-2, 0.05, 0.1}) {
        const double speed = reynolds * 1e-3 / (1000 * 8e-5);
        const double lamb = 4 * kPi * 1e-3 / (std::log(8 / reynolds) - 0.0772);
        EXPECT_NEAR(across(kWater, alone_across(speed)) / lamb, 1, 1e-12);
    }
    // To Re 0.5 Lamb's series itself is off: its next term (Kaplun 1957), −0.8705/log³, takes 12 % away.
    const double log = std::log(16) - 0.0772;
    const double kaplun = 4 * kPi / log * (1 - 0.8705 / (log * log));
    EXPECT_NEAR(cylinder_resistance_across(0.5) / kaplun, 1, 0.02);
}

TEST(StrandDrag, FasterFlowAcrossACylinderHasTheKnownCoefficients) {
    // Dennis & Chang 1970, steady; Wieselsberger 1921.
    const double known[][2] = {{5, 4.116},  {7, 3.421},  {10, 2.846}, {20, 2.045},
                               {40, 1.522}, {1000, 1.0}, {1e4, 1.1}};
    for (const auto& [reynolds, coefficient] : known)
        EXPECT_NEAR(2 * cylinder_resistance_across(reynolds) / reynolds / coefficient, 1, 0.14) << reynolds;
    // 1 m/s of water at a hair of 80 µm: C_d = 1.18 + 6.8/80^0.89 + 1.96/80^0.5 − 0.0319 = 1.5049.
    EXPECT_NEAR(across(kWater, alone_across(1)), 0.5 * 1000 * 8e-5 * 1.5049, 2e-5);
}

TEST(StrandDrag, ResistanceGrowsAndTheCoefficientFallsWithTheReynoldsNumber) {
    double last_across = 0, last_along = 0, last_coefficient = 1e300;
    for (double log = -8; log < 5.2; log += 0.002) {
        const double reynolds = std::pow(10, log);
        const double r = cylinder_resistance_across(reynolds), along = cylinder_resistance_along(reynolds);
        EXPECT_GT(r, last_across) << reynolds;
        EXPECT_GT(along, last_along) << reynolds;
        EXPECT_TRUE(r / reynolds < last_coefficient || reynolds > 1000) << reynolds;
        // No steps: 0.002 decades change neither by more than a power of 1 would.
        EXPECT_TRUE(last_across == 0 || (r / last_across < 1.0055 && along / last_along < 1.0055))
            << reynolds;
        last_across = r, last_along = along, last_coefficient = r / reynolds;
    }
}

TEST(StrandDrag, FrictionAlongIsTheHeatOfTheFlowAcross) {
    EXPECT_NEAR(cylinder_resistance_along(1e-3), 2 * kPi / (std::log(8000) - 0.5772), 1e-12);
    // Churchill & Bernstein at Prandtl number 1, worked out by hand.
    EXPECT_NEAR(cylinder_resistance_along(100), kPi * 5.894, 0.005);
    EXPECT_NEAR(cylinder_resistance_along(1000), kPi * 18.305, 0.01);
    EXPECT_EQ(cylinder_resistance_along(0), 0);
}

TEST(StrandDrag, SlowLogarithmEndsAtTheCell) {
    for (const double cells : {8.0, 25.0, 100.0, 400.0}) {
        const double a = 4e-5;
        const DragPlace slow{a, kAxis, {1e-7, 0, 1e-7}, cells * a, 0};
        const LineDrag drag = line_drag(DragLaw::cylinder, kWater, slow, 0);
        EXPECT_NEAR(drag.across, 4 * kPi * 1e-3 / lumped_logarithm(std::log(cells) - 0.412, 0.148, 0.36),
                    1e-15);
        EXPECT_NEAR(drag.along, 2 * kPi * 1e-3 / lumped_logarithm(std::log(cells) - 0.418, 0.1, 0.26), 1e-15);
    }
    // Lamb takes over at a cell Reynolds number of about 5.5 (here Re on the diameter is 0.028).
    const double a = 4e-5, cell = 400 * a;
    const auto resistance = [&](double cell_reynolds) {
        return across(kWater, {a, kAxis, {cell_reynolds * 1e-6 / cell, 0, 0}, cell, 0});
    };
    const double slow = resistance(0);
    EXPECT_EQ(resistance(5.4), slow);
    EXPECT_GT(resistance(5.7), slow * 1.001);
    EXPECT_LT(resistance(5.7), slow * 1.01);
}

TEST(StrandDrag, NarrowCellsCountAsWideAsTheStrand) {
    for (const double cells : {2.0, 1.5, 1.0, 1e-6, 0.0}) {
        const LineDrag r = grid_resistance(cells, 0);
        EXPECT_NEAR(r.across, 4 * kPi / lumped_logarithm(std::log(2) - 0.412, 0.148, 0.36), 1e-12);
        EXPECT_NEAR(r.along, 2 * kPi / lumped_logarithm(std::log(2) - 0.418, 0.1, 0.26), 1e-12);
    }
}

TEST(StrandDrag, BundlesHaveTheKnownResistance) {
    // One strand in a periodic box of side 100 a and 400 a, creeping (Hasimoto 1959): 3.8136 and 2.6845
    // across, half of it along.
    for (const auto& [side, force] : {std::pair{100.0, 3.8136}, {400.0, 2.6845}}) {
        const LineDrag r = bundle_resistance(kPi / (side * side));
        EXPECT_NEAR(r.across, force, 2e-3);
        EXPECT_NEAR(r.along, 0.5 * force, 1e-3);
    }
    // Fei 2018 eq. 13 and 15 in cgs: d 0.01, μ 8.9e-3, exponent 1.6 at 10 cm/s.
    const DragLiquid water{1, 8.9e-3};
    const double known[2][7] = {{0.2, 1.60449e-5, 7.73597e-6, 554.692, 1150.47, 2683.10, 4215.72},
                                {0.4, 2.50454e-6, 1.69877e-6, 3553.54, 5239.08, 11847.6, 15309.9}};
    for (const auto& v : known) {
        const double d = 0.01;
        const LineDrag k = bundle_permeability(v[0], d);
        EXPECT_NEAR(k.along / v[1], 1, 1e-5);
        EXPECT_NEAR(k.across / v[2], 1, 1e-5);
        EXPECT_NEAR(forchheimer(water, k.along, d, v[0], 0, 1.6) / v[3], 1, 1e-5);
        EXPECT_NEAR(forchheimer(water, k.across, d, v[0], 0, 1.6) / v[4], 1, 1e-5);
        EXPECT_NEAR(forchheimer(water, k.along, d, v[0], 10, 1.6) / v[5], 1, 1e-5);
        EXPECT_NEAR(forchheimer(water, k.across, d, v[0], 10, 1.6) / v[6], 1, 1e-5);
    }
}

TEST(StrandDrag, BundlesResistMoreTheDenserAndMoreAcrossThanAlong) {
    LineDrag last;
    for (double fraction = 1e-4; fraction <= kMostFraction; fraction *= 1.01) {
        const LineDrag r = bundle_resistance(fraction);
        EXPECT_GT(r.along, last.along) << fraction;
        EXPECT_GT(r.across, last.across) << fraction;
        EXPECT_GT(r.across, r.along) << fraction;
        last = r;
    }
    EXPECT_EQ(bundle_resistance(0.9).across, bundle_resistance(kMostFraction).across);
}

TEST(StrandDrag, SeveralStrandsPerCellEndTheLogarithmAtTheirSpacing) {
    const double cells = 100;
    const auto fraction = [&](double strands) { return strands * kPi / (cells * cells); };
    const LineDrag lone = grid_resistance(cells, 0);
    EXPECT_EQ(grid_resistance(cells, fraction(0.36)).across, lone.across);  // of its own alone
    for (const double strands : {1.0, 4.0, 100.0, 1000.0}) {
        const double f = fraction(strands), open = (1 - f) * (1 - f);
        const LineDrag r = grid_resistance(cells, f), bundle = bundle_resistance(f);
        EXPECT_NEAR(r.across / (open * bundle.across), 1, 1e-12);
        EXPECT_NEAR(r.along / (open * bundle.along), 1, 1e-12);
        // However the grid cuts them.
        EXPECT_NEAR(grid_resistance(3 * cells, f).across / r.across, 1, 1e-12);
    }
    LineDrag last;
    for (double strands = 0.01; strands < 1700; strands *= 1.01) {
        const LineDrag r = grid_resistance(cells, fraction(strands));
        EXPECT_TRUE(r.across >= last.across * (1 - 1e-12) || fraction(strands) > 0.34) << strands;
        EXPECT_GE(r.along, last.along * (1 - 1e-12)) << strands;
        EXPECT_TRUE(fraction(strands) < 0.34 || r.across > 0.9 * grid_resistance(cells, 0.34).across);
        EXPECT_TRUE(last.across == 0 || r.across < 1.02 * last.across) << strands;
        last = r;
    }
}

/// The fraction that the grid shows at a lone strand: below 0.4 of one strand per cell however it lies, so
/// that its logarithm ends at the cell.
TEST(StrandDrag, ALoneStrandIsNotTakenForACrowd) {
    const Random random(8, 0);
    const double cell = 1, radius = 0.01;
    for (std::size_t n = 0; n < 40; ++n) {
        const Vec3d axis = n < 3 ? Vec3d{double(n == 0), double(n == 1), double(n == 2)}
                                 : normalized(random.uniform3(2 * n) - Vec3d{0.5, 0.5, 0.5});
        const Vec3d middle = n < 3 ? Vec3d{0.5, 0.5, 0.5} : random.uniform3(2 * n + 1);
        grid::SubmergedElements points;
        points.resize(81);
        grid::TopologyBuilder builder;
        builder.start(cell, {});
        for (std::size_t i = 0; i < points.size(); ++i) {
            points.position[i] = middle + axis * (0.25 * (double(i) - 40));
            points.volume[i] = kPi * radius * radius * 0.25;
        }
        builder.add_points(points.position);
        grid::Topology topology;
        builder.build(topology);
        grid::WetElements wet;
        wet.sort(topology, points);
        grid::SubmergedFields fields;
        grid::rasterise(topology, wet, points, fields);
        std::vector<Vec3d> shown(points.size());
        grid::sample_at_elements(topology, wet, points, fields.volume, shown);
        for (std::size_t i = 20; i <= 60; ++i) {
            const double strands = (shown[i].x + shown[i].y + shown[i].z) / 3 / (kPi * radius * radius);
            EXPECT_GT(strands, 0.24);
            EXPECT_LT(strands, 0.36);
        }
        const double fraction = (shown[40].x + shown[40].y + shown[40].z) / 3;
        EXPECT_EQ(grid_resistance(cell / radius, fraction).across, grid_resistance(cell / radius, 0).across);
    }
}

/// Parallel strands, one in every m by m cells: creeping flow on the staggered grid, by its Fourier modes,
/// past strands that drag at the faces around them, each face by its own velocity and weight of the kernel.
class ArrayOnGrid {
 public:
    double strands = 0;  // per cell, as the fraction at the strand shows them

    ArrayOnGrid(int m, double x, double y, bool along) : m_(m) {
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j) {
                add(0, i + (along ? 0.5 : 0.0), j + 0.5, x, y);
                if (!along) add(1, i + 0.5, j, x, y);
            }
        for (const Face& f : faces_) strands += f.weight * f.weight / (along ? 1 : 2);
        for (const Face& f : faces_)
            for (const Face& g : faces_) velocity_.push_back(along ? at(f, g, 2) : at(f, g, f.axis + g.axis));
    }
    /// Force per length over viscosity and mean speed, for strands of this drag over viscosity.
    double force(double drag) const {
        const std::size_t n = faces_.size();
        linear::DenseCholesky matrix;
        matrix.reset(n);
        std::vector<double> u(n), root(n);
        for (std::size_t i = 0; i < n; ++i) root[i] = std::sqrt(drag * faces_[i].weight);
        for (std::size_t i = 0; i < n; ++i) {
            u[i] = faces_[i].axis == 0 ? root[i] : 0;
            for (std::size_t j = 0; j <= i; ++j)
                matrix.entry(i, j) = double(i == j) + root[i] * velocity_[i * n + j] * root[j];
        }
        EXPECT_TRUE(matrix.factor());
        matrix.solve(u);
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += faces_[i].axis == 0 ? root[i] * u[i] : 0;
        return sum;
    }

 private:
    struct Face {
        int axis;
        double x, y, weight;
    };
    void add(int axis, double face_x, double face_y, double x, double y) {
        const double weight = kernel(face_x - x) * kernel(face_y - y);
        if (weight > 0) faces_.push_back({axis, face_x, face_y, weight});
    }
    /// Kernel and its images.
    double kernel(double distance) const {
        double sum = 0;
        for (int image = -3; image <= 3; ++image) {
            const double d = std::abs(distance + image * m_);
            sum += d < 0.5 ? 0.75 - d * d : d < 1.5 ? 0.5 * (1.5 - d) * (1.5 - d) : 0;
        }
        return sum;
    }
    /// Velocity at f for a unit force at g: 0, 1, 2 for x by x, x by y, y by y; 2 without pressure for along.
    double at(const Face& f, const Face& g, int which) const {
        const bool plain = which == 2 && f.axis == 0;
        double sum = 0;
        for (int i = 0; i < m_; ++i)
            for (int j = 0; j < m_; ++j) {
                if (i == 0 && j == 0) continue;
                const double kx = 2 * std::sin(kPi * i / m_), ky = 2 * std::sin(kPi * j / m_);
                const double k = kx * kx + ky * ky;
                const double mode = plain ? k : which == 0 ? ky * ky : which == 1 ? -kx * ky : kx * kx;
                sum += mode / (k * k) * std::cos(2 * kPi * (i * (f.x - g.x) + j * (f.y - g.y)) / m_);
            }
        return sum / (m_ * m_);
    }

    int m_;
    std::vector<Face> faces_;
    std::vector<double> velocity_;
};

TEST(StrandDrag, StrandsOnTheGridFeelTheForceOfTheArray) {
    const Random random(12, 0);
    // Two cells apart the fraction cannot tell strands from lone ones. (One per cell: what is left is
    // (1 − φ)² for the speed between strands.) Narrower cells: the lumped logarithm.
    const struct {
        int apart;     // cells
        double cells;  // radii
        double tolerance;
    } arrays[] = {{1, 100, 1e-3},  {2, 100, 0.085}, {3, 100, 0.045}, {4, 100, 0.03},    {8, 100, 0.01},
                  {16, 100, 0.01}, {8, 12.5, 0.01}, {8, 6.25, 0.01}, {8, 3.125, 0.015}, {8, 2.25, 0.02}};
    for (const auto& [m, cells, tolerance] : arrays)
        for (const bool along : {false, true}) {
            double ratio = 0;
            const int places = 30;
            for (std::size_t k = 0; k < places; ++k) {
                const Vec3d at = random.uniform3(k);
                const ArrayOnGrid grid(m, at.x, at.y, along);
                const LineDrag exact = bundle_resistance(kPi / (cells * cells * m * m));
                const LineDrag law = grid_resistance(cells, grid.strands * kPi / (cells * cells));
                ratio +=
                    (along ? grid.force(law.along) / exact.along : grid.force(law.across) / exact.across) /
                    places;
            }
            EXPECT_NEAR(ratio, 1, tolerance) << m << ' ' << cells << (along ? " along" : " across");
        }
}

TEST(StrandDrag, DragOfFacesDiffersFromThatOfTheirMeanByTheVariance) {
    // For weak drag y = z − variance/(z + decay); without variance nothing changes.
    EXPECT_NEAR(lumped_logarithm(50, 0.148, 0.36) - 50, 0.148 / 50.36, 1e-5);
    EXPECT_EQ(lumped_logarithm(0.7, 0, 0.36), 0.7);
    for (const double y : {0.0, 0.3, 1.0, 3.0, 1e6}) {
        const double z = lumped_logarithm(y, 0.148, 0.36);
        EXPECT_NEAR(z - 0.148 / (z + 0.36), y, 1e-12 * (1 + y));
    }
    EXPECT_NEAR(lumped_logarithm(1, 0.148, 0.36), 0.5 * (0.64 + std::sqrt(1.8496 + 0.592)), 1e-15);
}

/// Flow under a body force G through parallel strands at rest with the drag of line_drag, the speed that the
/// balance of the liquid gives: Darcy's law says φ_f u = k/μ · G.
TEST(StrandDrag, SlowFlowThroughABundleIsDarcys) {
    for (const DragLaw law : {DragLaw::darcy, DragLaw::cylinder})
        for (const double fraction : {0.05, 0.2, 0.4}) {
            const double a = 4e-5, force = 1e-3;  // N/m^3
            // Strands at rest carry (1 − φ)(−∇p) of the liquid's balance: n drag u = (1 − φ) G.
            const double strands_per_area = fraction / (kPi * a * a);
            const LineDrag drag = line_drag(law, kWater, {a, kAxis, {1e-9, 0, 0}, 50 * a, fraction}, 0);
            const double u = (1 - fraction) * force / (strands_per_area * drag.across);
            const double k = bundle_permeability(fraction, 2 * a).across;
            EXPECT_NEAR((1 - fraction) * u / (k / 1e-3 * force), 1, 1e-4) << fraction;
        }
}

TEST(StrandDrag, DarcysLawOfALoneStrandIsThatOfOnePerCell) {
    const double a = 4e-5, cell = 100 * a, f = kPi / 1e4;
    const LineDrag lone = line_drag(DragLaw::darcy, kWater, {a, kAxis, {}, cell, 0}, 0);
    EXPECT_NEAR(lone.across, (1 - f) * (1 - f) * 1e-3 * bundle_resistance(f).across, 1e-12);
    EXPECT_NEAR(lone.across, 1e-3 * 3.8136, 1e-5);
    // Fast: 1.75/√150 ρ/√(open k)³ of the superficial speed, per length πa²/φ.
    const double u = 3, k = bundle_permeability(f, 2 * a).across;
    const LineDrag fast = line_drag(DragLaw::darcy, kWater, {a, kAxis, {u, 0, 0}, cell, 0}, 0);
    const double open = 1 - f;
    EXPECT_NEAR(fast.across - lone.across,
                kPi * a * a / f * open * open * 1.75 / std::sqrt(150.0) * 1000 * open * u /
                    (std::pow(open, 1.5) * std::sqrt(k)),
                1e-12);
}

TEST(StrandDrag, RenaudsCoefficientOfASphere) {
    EXPECT_NEAR(renaud_coefficient(100, 1, 4), 1.09, 0.005);
    EXPECT_NEAR(renaud_coefficient(1e-6, 1, 4) * 1e-6 / 24, 1, 2e-4);  // Stokes
    EXPECT_NEAR(renaud_coefficient(1e7, 1, 4), 0.44, 0.01);            // Newton
    EXPECT_NEAR(voidage_exponent(std::pow(10, 1.5)), 3.05, 1e-12);     // its least, at Re 31.6
    EXPECT_NEAR(voidage_exponent(1e-8), 3.7, 1e-12);
}

/// C_d of the piece in shaving cream with one number changed, as diss. fig. 13.8 plots it.
TEST(StrandDrag, TheCoefficientFollowsTheMaterialAsTheDissertationPlots) {
    const auto coefficient = [](const DragLiquid& liquid, double speed) {
        const double d = 3e-4;
        return renaud_coefficient(particle_reynolds(liquid, d, speed, 1), liquid.exponent, kPi);
    };
    double last[4] = {0, 0, 0, 1e300};
    for (double x = 0.02; x < 5; x *= 1.1) {
        DragLiquid thicker = kCream, stiffer = kCream, other = kCream;
        thicker.viscosity *= x, stiffer.yield_stress *= x;
        other.exponent = std::min(0.1 + 0.2 * x, 1.1);
        const double now[4] = {coefficient(thicker, 0.5), coefficient(stiffer, 0.5), coefficient(other, 0.5),
                               coefficient(kCream, x)};
        for (int i = 0; i < 2; ++i) EXPECT_GT(now[i], last[i]) << i << " at " << x;
        EXPECT_TRUE(now[2] > last[2] || other.exponent == 1.1) << x;
        EXPECT_LT(now[3], last[3]) << x;
        std::copy(now, now + 4, last);
    }
}

/// The printed law (diss. 13.78 to 13.82, without strands around) for a piece of any length, across.
double printed_drag(const DragLiquid& liquid, double radius, double piece, double speed) {
    const double area = 2 * radius * piece, d = 2 * std::sqrt(area / kPi);
    const double n = liquid.exponent,
                 reynolds = liquid.density * std::pow(d, n) * speed * speed /
                            (liquid.viscosity * std::pow(speed, n) + liquid.yield_stress * std::pow(d, n));
    return 0.5 * liquid.density * renaud_coefficient(reynolds, n, kPi) * area * speed;
}

TEST(StrandDrag, ThickLiquidsPullAtAStrandHoweverItIsCut) {
    const double a = 1e-4, strand = 520 * a, speed = 0.01;
    const DragLiquid honey{1400, 10, 0, 1};
    const auto total = [&](int pieces) {
        double sum = 0;
        for (int i = 0; i < pieces; ++i)
            sum += strand / pieces * line_drag(DragLaw::di_felice, honey, alone_across(speed, a), 0).across;
        return sum;
    };
    EXPECT_NEAR(total(20), 20 * printed_drag(honey, a, strand / 20, speed), 1e-12 * total(20));
    for (const int pieces : {1, 5, 80, 1000}) EXPECT_NEAR(total(pieces) / total(20), 1, 1e-12);
    // As printed it would double when each piece is cut in four.
    EXPECT_NEAR(80 * printed_drag(honey, a, strand / 80, speed) / total(20), 2, 0.03);
    // At that aspect it is near Lamb's cylinder for logarithms of hair in cells: 3 μ.
    EXPECT_NEAR(total(1) / strand, 3 * 10, 1);
}

TEST(StrandDrag, CrowdedThickLiquidFollowsDiFelice) {
    const double a = 1e-4, u = 0.5, fraction = 0.3;
    // So wide a cell that the bundle's logarithm does not count (creeping part below Di Felice's).
    const DragPlace alone{a, kAxis, {u, 0, 0}, 1e12, 0}, crowd{a, kAxis, {u, 0, 0}, 1e-30, fraction};
    const DragLiquid fast{1000, 1e-4, 0, 0.9999};
    const double d = 2 * a * std::sqrt(4 * kPieceDiameters / kPi);
    const double re = particle_reynolds(fast, d, u, 1), re_crowd = particle_reynolds(fast, d, u, 0.7);
    EXPECT_NEAR(re_crowd / re, 0.7, 1e-12);
    const double expected = renaud_coefficient(re_crowd, 0.9999, kPi) / renaud_coefficient(re, 0.9999, kPi) *
                            std::pow(0.7, 2 - voidage_exponent(re_crowd));
    EXPECT_GT(expected, 1.5);
    EXPECT_NEAR(across(fast, crowd) / across(fast, alone), expected, 1e-9);
}

TEST(StrandDrag, ThickLiquidKnowsTheCell) {
    EXPECT_NEAR(apparent_viscosity(kCream, 10), 18.417 / 10 + 17.821 * std::pow(10, -0.78), 1e-9);
    const double a = 1e-4, u = 1e-3, cell = 20 * a;
    const DragLiquid syrup{1400, 10, 0.1, 0.95};
    const double viscosity = apparent_viscosity(syrup, u / a);
    const DragPlace place{a, kAxis, {u, 0, 0}, cell, 0};
    EXPECT_NEAR(across(syrup, place), viscosity * grid_resistance(20, 0).across, 1e-9);
    EXPECT_NEAR(across(syrup, place, DragLaw::cylinder), across(syrup, place), 1e-9);
}

TEST(StrandDrag, PlasticLimitOfACylinder) {
    // Randolph & Houlsby 1984: a rough cylinder moves through a perfectly plastic body at 11.94 τ_y d.
    const double a = 1e-4, u = 1e-6;
    const DragLiquid clay{1000, 1e-6, 20, 1};
    EXPECT_NEAR(u * across(clay, alone_across(u, a)) / (20 * 2 * a), 11.94, 0.1);
}

TEST(StrandDrag, YieldStressHoldsAStrandAtRest) {
    // Force per length tends to a constant as the speed vanishes, until the rate is 1e-3/s.
    const double a = 1e-4;
    const auto force = [&](double u) { return u * across(kCream, alone_across(u, a)); };
    EXPECT_NEAR(force(1e-5) / force(3e-6), 1, 0.25);
    EXPECT_GT(force(1e-6), 12 * 18.417 * 2 * a);
    const double held = kLeastRate * a;
    EXPECT_EQ(across(kCream, alone_across(0, a)), across(kCream, alone_across(0.5 * held, a)));
    EXPECT_NEAR(across(kCream, alone_across(0, a)) * held, force(held), 1e-12 * force(held));
    EXPECT_LT(force(0.01 * held), 0.011 * force(held));
}

TEST(StrandDrag, ConstantCoefficient) {
    const LineDrag drag = line_drag(DragLaw::constant, kWater, {1e-3, kAxis, {3, 0, 4}, 0.01, 0.1}, 0.44);
    EXPECT_NEAR(drag.across, 0.5 * 1000 * 0.44 * 2e-3 * 5, 1e-12);
    EXPECT_NEAR(drag.along / drag.across, kPi / 4 / kPieceDiameters, 1e-12);
}

TEST(StrandDrag, AutomaticChoosesByTheLiquid) {
    const DragPlace place{1e-4, kAxis, {0.3, 0, 0.1}, 2e-3, 0.05};
    const auto value = [&](const DragLiquid& l, DragLaw law) { return line_drag(law, l, place, 0).across; };
    EXPECT_EQ(value(kWater, DragLaw::automatic), value(kWater, DragLaw::cylinder));
    EXPECT_EQ(value(kCream, DragLaw::automatic), value(kCream, DragLaw::di_felice));
    EXPECT_NE(value(kCream, DragLaw::cylinder), value(kCream, DragLaw::di_felice));
}

constexpr DragLaw kLaws[] = {DragLaw::cylinder, DragLaw::di_felice, DragLaw::darcy, DragLaw::constant};

TEST(StrandDrag, AnyInputGivesFiniteDragThatIsNotNegative) {
    const Random random(5, 0);
    const double contrast[] = {0, 1e-6, 1e-3, 1, 1e3, 1e6};
    std::size_t n = 0;
    for (const DragLaw law : kLaws)
        for (const double viscosity : contrast)
            for (const double yield : contrast)
                for (const double exponent : {0.1, 0.5, 1.0, 1.5})
                    for (const double speed : contrast)
                        for (const double fraction : {0.0, 1e-5, 0.3, 0.9}) {
                            const Vec3d axis = normalized(random.uniform3(++n) - Vec3d{0.5, 0.5, 0.5});
                            for (const double density : {1e-3, 1e3})
                                for (const double cell : {1e-6, 1e-3, 1.0}) {
                                    const LineDrag d =
                                        line_drag(law, {density, viscosity, yield, exponent},
                                                  {1e-4, axis, {0, speed, 0}, cell, fraction}, 1);
                                    ASSERT_TRUE(std::isfinite(d.along) && d.along >= 0)
                                        << int(law) << ' ' << viscosity << ' ' << yield << ' ' << exponent
                                        << ' ' << speed << ' ' << fraction;
                                    ASSERT_TRUE(std::isfinite(d.across) && d.across >= 0)
                                        << int(law) << ' ' << viscosity << ' ' << yield << ' ' << exponent
                                        << ' ' << speed << ' ' << fraction;
                                }
                        }
    // Without viscosity the wake still pulls across, and nothing along.
    const LineDrag inviscid = line_drag(DragLaw::cylinder, {1000, 0}, {1e-4, kAxis, {2, 0, 1}, 1e-3, 0}, 0);
    EXPECT_NEAR(inviscid.across, 0.5 * 1000 * 2e-4 * 2 * 1.18, 1e-5);
    EXPECT_EQ(inviscid.along, 0);
}

TEST(StrandDrag, ContinuousInTheRelativeVelocity) {
    // Along a path through rest and through every speed: halving the step halves the largest change of the
    // force.
    for (const DragLaw law : kLaws)
        for (const DragLiquid& liquid : {kWater, kCream}) {
            const auto largest_change = [&](int steps) {
                double largest = 0, scale = 0;
                Vec3d last;
                for (int i = 0; i <= steps; ++i) {
                    const double x = double(i) / steps * 2 - 1;
                    const Vec3d u{2 * x * x * x, 1e-3 * x, 0.7 * x * std::abs(x)};
                    const LineDrag d = line_drag(law, liquid, {1e-4, kAxis, u, 2e-3, 0.02}, 1);
                    const Vec3d f{d.across * u.x, d.across * u.y, d.along * u.z};
                    scale = std::max(scale, length(f));
                    if (i > 0) largest = std::max(largest, length(f - last));
                    last = f;
                }
                return largest / scale;
            };
            // The yield stress turns round within 1e-7 m/s: seen in full by either.
            if (liquid.newtonian()) {
                EXPECT_LT(largest_change(40000), 0.6 * largest_change(20000)) << int(law);
            }
            // Near rest, whatever the direction, the drag is that at rest.
            const LineDrag rest = line_drag(law, liquid, {1e-4, kAxis, {}, 2e-3, 0.02}, 1);
            for (const Vec3d& way : {Vec3d{1, 0, 0}, Vec3d{0, 0, 1}, Vec3d{-0.6, 0, 0.8}}) {
                const LineDrag d = line_drag(law, liquid, {1e-4, kAxis, way * 1e-12, 2e-3, 0.02}, 1);
                EXPECT_NEAR(d.across, rest.across, 1e-6 * rest.across + 1e-12);
                EXPECT_NEAR(d.along, rest.along, 1e-6 * rest.along + 1e-12);
            }
        }
}

}  // namespace
}  // namespace rivulet::coupling
