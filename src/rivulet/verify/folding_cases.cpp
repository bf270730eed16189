#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rivulet/verify/case.h>
#include <rivulet/verify/shear_rig.h>

/// Thick liquid that is poured on a plate folds as a ribbon does when pressed endways.
namespace rivulet::verify {
namespace {

struct Pour {
    double height, reynolds;  // height of the fall over the thickness D of the sheet; U D/ν
};

/// A sheet 1 cm thick that comes down at 1 m/s, one block of the grid wide, periodic. Its place between cells
/// is uneven on purpose: that is all that disturbs it.
class FallingSheet {
 public:
    FallingSheet(const Pour& pour, int cells_across)
        : rig_(kThickness / cells_across), height_(pour.height * kThickness) {
        const double cell = rig_.model.cell;
        auto& liquid = rig_.model.liquid.materials[0];
        liquid.density = 1400;
        liquid.viscosity = liquid.density * kSpeed * kThickness / pour.reynolds;
        rig_.model.period = {0, 0, grid::kBlockEdge};
        add_floor(rig_, sticking_wall());
        geometry::ShapeDescription slot;
        slot.min = {-kThickness / 2 + kOffset * cell, height_, 0};
        slot.max = {kThickness / 2 + kOffset * cell, height_ + 2 * cell, grid::kBlockEdge * cell};
        rig_.model.liquid.shapes.push_back(std::make_shared<geometry::Shape>(slot));
        liquid::Inflow inflow;
        inflow.shape = rig_.model.liquid.shapes.back().get();
        inflow.velocity = {0, -kSpeed, 0};
        rig_.model.liquid.inflows.push_back(inflow);
        rig_.start();
    }

    /// Where the sheet is at that part of the height of fall, in thicknesses from below the slot; its place
    /// against the time since it met the plate, in units of D/U.
    Curve place(double part, double end) {
        Curve curve{fmt::format("H/D = {:g}, Re = {:g}", height_ / kThickness, reynolds()), {}, {}, false};
        const double touch = height_ / kSpeed, unit = kThickness / kSpeed;
        rig_.run_until(touch + end * unit, [&] {
            if (rig_.time() < touch) return;
            curve.x.push_back((rig_.time() - touch) / unit);
            curve.y.push_back(middle(part * height_, (part + kBand) * height_) / kThickness);
        });
        return curve;
    }

    const LiquidRig& rig() const { return rig_; }

 private:
    static constexpr double kThickness = 0.01, kSpeed = 1, kOffset = 0.3, kBand = 0.15;

    double reynolds() const {
        const auto& liquid = rig_.model.liquid.materials[0];
        return liquid.density * kSpeed * kThickness / liquid.viscosity;
    }
    /// Particles weigh less towards the ends of the band: one that enters or leaves moves nothing.
    double middle(double low, double high) const {
        const auto& l = rig_.world.liquid;
        const double centre = 0.5 * (low + high), reach = 0.5 * (high - low);
        double sum = 0, weights = 0;
        for (std::size_t i = 0; i < l.size(); ++i) {
            const double weight = l.volume[i] * std::max(0.0, 1 - std::abs(l.position[i].y - centre) / reach);
            sum += weight * (l.position[i].x - kOffset * rig_.model.cell);
            weights += weight;
        }
        return weights > 0 ? sum / weights : 0;
    }

    LiquidRig rig_;
    double height_;
};

double swing(const Curve& curve) {
    const auto [low, high] = std::minmax_element(curve.y.begin(), curve.y.end());
    return curve.y.empty() ? 0 : *high - *low;
}

/// How often the sheet turns back, turns of less than a tenth of its thickness left out.
int turns(const Curve& curve) {
    int count = 0, way = 0;
    double extreme = curve.y.empty() ? 0 : curve.y[0];
    for (const double y : curve.y) {
        if ((way > 0 && y > extreme) || (way < 0 && y < extreme)) {
            extreme = y;
        } else if (std::abs(y - extreme) > 0.1) {
            count += way != 0;
            way = y > extreme ? 1 : -1;
            extreme = y;
        }
    }
    return count;
}

Outcome folding(const Options& options) {
    const int across = options.quick ? 4 : 6;
    Outcome outcome;
    Plot plot{"place of a thick sheet above the plate", "(t − H/U) U/D", "x / D", {}};
    const auto run = [&](const Pour& pour, double part, double end) {
        FallingSheet sheet(pour, across);
        const Curve curve = sheet.place(part, end);
        outcome.quantities.push_back(ledger_residual(sheet.rig()));
        plot.curves.push_back(curve);
        return curve;
    };
    const Curve folds = run({15, 0.25}, 0.4, 36);
    outcome.quantities.push_back(at_least(folds.label + ": swing / D", swing(folds), 0.5));
    outcome.quantities.push_back(at_least(folds.label + ": turns", turns(folds), 3));
    const Curve low = run({3, 0.25}, 0.75, 10);
    outcome.quantities.push_back(at_most(low.label + ": swing / D", swing(low), 0.1));
    const Curve fast = run({15, 2}, 0.4, 24);
    outcome.quantities.push_back(at_most(fast.label + ": swing / D", swing(fast), 0.1));
    outcome.plots.push_back(plot);
    outcome.remark = "folds above H/D of about 9 and below Re of 0.56 (Cruickshank 1988)";
    return outcome;
}

}  // namespace

std::vector<Case> folding_cases() {
    return {{"liquid", "folding", "Cruickshank 1988: onset of folding of a thick sheet", folding}};
}

}  // namespace rivulet::verify
