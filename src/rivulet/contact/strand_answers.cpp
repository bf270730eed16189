#include <rivulet/contact/strand_answers.h>

#include <algorithm>
#include <cassert>

namespace rivulet::contact {
namespace {

/// Σ w_i w_j C⁻¹_ij + Σ w_i (c_i armᵀ + arm c_iᵀ) + c armᵀ arm of one side, with c the blocks of its turn.
Mat3d side(const strand::Mobility& mobility, const Cone& cone, std::size_t k) {
    const std::size_t strand = cone.owner[k];
    const std::uint32_t a = cone.node[2 * k], b = cone.node[2 * k + 1], turn = cone.turn[k];
    const double wa = cone.weight[2 * k], wb = cone.weight[2 * k + 1];
    Mat3d w;
    if (a != Cone::kNone && b == Cone::kNone && turn == Cone::kNone)
        return (wa * wa) * mobility.vertices(strand, a, a);
    if (a == Cone::kNone && b == Cone::kNone && turn == Cone::kNone) return w;
    const std::uint32_t first = turn != Cone::kNone ? turn : std::min(a, b);
    const strand::EdgeMobility edge = mobility.edge(strand, first);
    double weight[2]{};
    for (const auto& [node, by] : {std::pair{a, wa}, {b, wb}})
        if (node != Cone::kNone) {
            assert((node == first || node == first + 1) && "both ends of one edge, and its turn");
            weight[node - first] += by;
        }
    w = (weight[0] * weight[0]) * edge.first + (weight[1] * weight[1]) * edge.second +
        (weight[0] * weight[1]) * (edge.first_second + transpose(edge.first_second));
    if (turn == Cone::kNone) return w;
    const Vec3d turned = weight[0] * edge.first_turn + weight[1] * edge.second_turn;
    const Mat3d across = outer(turned, cone.arm[k]);
    return w + across + transpose(across) + edge.turn * outer(cone.arm[k], cone.arm[k]);
}

}  // namespace

Mat3d StrandAnswers::own(const Cone& cone) const {
    Mat3d w;
    for (std::size_t k = 0; k < 2; ++k)
        if (cone.owner[k] != Cone::kNone) w += side(*mobility_, cone, k);
    return w;
}

void StrandAnswers::bed(std::span<const Cone> cones, std::span<const double> along,
                        std::span<const double> across) const {
    Memory& m = *memory_;
    if (!m.prepared) {
        m.touched.assign(owners(), 0);
        for (const Cone& c : cones)
            for (const std::uint32_t owner : c.owner)
                if (owner != Cone::kNone) m.touched[owner] = 1;
        m.bedding.prepare(*mobility_, m.touched);
        m.prepared = true;
    }
    m.springs.clear();
    for (std::size_t i = 0; i < cones.size(); ++i)
        for (std::size_t k = 0; k < 2; ++k) {
            const Cone& c = cones[i];
            if (c.owner[k] == Cone::kNone || !(along[i] > 0)) continue;
            strand::SurfaceSpring spring{c.owner[k], c.node[2 * k], c.weight[2 * k], c.weight[2 * k + 1],
                                         {},         c.axes[0],     along[i],        across[i]};
            if (c.turn[k] != Cone::kNone) {
                spring.arm = c.arm[k];
                // A vertex alone belongs to an edge of its own number, or the one before.
                if (c.node[2 * k + 1] == Cone::kNone && c.node[2 * k] != c.turn[k])
                    spring.second = spring.first, spring.first = 0;
                spring.edge = c.turn[k];
            } else if (c.node[2 * k + 1] == Cone::kNone && spring.edge + 1 == state_->end(c.owner[k])) {
                --spring.edge, spring.second = spring.first, spring.first = 0;
            }
            m.springs.push_back(spring);
        }
    m.bedding.lay(m.springs);
}

}  // namespace rivulet::contact
