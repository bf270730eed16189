#include <rivulet/fabric/patches.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::fabric {

namespace {

/// Vertices that a patch can reach, nearest first, until it has as many as it should.
std::vector<int> grow_patches(const Topology& t, int wanted, int& count) {
    std::vector<int> patch(t.vertices, -1), queue;
    count = 0;
    for (std::size_t seed = 0; seed < t.vertices; ++seed) {
        if (patch[seed] >= 0) continue;
        queue.assign(1, int(seed));
        patch[seed] = count;
        int size = 1;
        for (std::size_t q = 0; q < queue.size() && size < wanted; ++q) {
            const auto v = std::size_t(queue[q]);
            for (int k = t.corner_start[v]; k < t.corner_start[v + 1]; ++k)
                for (int i = 0; i < 3; ++i) {
                    const int u = t.triangle[std::size_t(t.corner[std::size_t(k)] / 3)][i];
                    if (patch[std::size_t(u)] >= 0 || size >= wanted) continue;
                    patch[std::size_t(u)] = count;
                    queue.push_back(u);
                    ++size;
                }
        }
        ++count;
    }
    return patch;
}

void list_members(const std::vector<int>& patch, int count, std::vector<int>& first,
                  std::vector<int>& member) {
    first.assign(std::size_t(count) + 1, 0);
    for (const int p : patch) ++first[std::size_t(p) + 1];
    for (std::size_t p = 0; p < std::size_t(count); ++p) first[p + 1] += first[p];
    member.resize(patch.size());
    std::vector<int> next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < patch.size(); ++i)
        member[std::size_t(next[std::size_t(patch[i])]++)] = int(i);
}

}  // namespace

void Patches::prepare(const Topology& t, const StepMatrix& matrix, int vertices) {
    int count = 0;
    patch_ = grow_patches(t, vertices, count);
    edge_patch_.resize(t.edges());
    for (std::size_t e = 0; e < t.edges(); ++e) edge_patch_[e] = patch_[std::size_t(t.edge[e][0])];
    list_members(patch_, count, first_, member_);
    list_members(edge_patch_, count, first_edge_, edge_member_);
    std::vector<std::vector<int>> near{std::size_t(count)};
    const auto join = [&](int p, int q) {
        if (p == q) return;
        near[std::size_t(p)].push_back(q);
        near[std::size_t(q)].push_back(p);
    };
    matrix.visit(
        [&](int v, int u, const Mat3d&) { join(patch_[std::size_t(v)], patch_[std::size_t(u)]); },
        [&](int v, int e, const Vec3d&) { join(patch_[std::size_t(v)], edge_patch_[std::size_t(e)]); },
        [&](int e, int f, double) { join(edge_patch_[std::size_t(e)], edge_patch_[std::size_t(f)]); });
    for (auto& list : near) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    factor_.analyse(near);
    place_.clear();
    near_.clear();
    near_place_.clear();
    for (std::size_t p = 0; p < near.size(); ++p) {
        const int from = int(near_.size());
        near_.push_back(int(p));
        near_.insert(near_.end(), near[p].begin(), near[p].end());
        for (std::size_t k = std::size_t(from); k < near_.size(); ++k)
            near_place_.push_back(factor_.place(int(p), near_[k]));
        place_.push_back({from, int(near_.size())});
    }
    arm_.resize(t.vertices);
    free_.resize(t.vertices);
    axis_.resize(t.edges());
    right_.resize(6 * std::size_t(count));
}

std::array<Patches::Six, 3> Patches::of_vertex(std::size_t v) const {
    if (!free_[v]) return {};
    const Vec3d& y = arm_[v];  // ω × y
    return {Six{1, 0, 0, 0, y.z, -y.y}, Six{0, 1, 0, -y.z, 0, y.x}, Six{0, 0, 1, y.y, -y.x, 0}};
}

Patches::Six Patches::of_edge(std::size_t e) const {
    const Vec3d& a = axis_[e];
    return {0, 0, 0, a.x, a.y, a.z};
}

void Patches::sum_patch(std::size_t p, const StepMatrix& matrix) {
    // Rows of this patch against every patch near it; blocks that another patch keeps are left to it.
    const int from = place_[p][0], to = place_[p][1];
    const auto slot = [&](int q) -> linear::BlockCholesky<6>::Block* {
        const auto first = near_.begin() + from;
        const int k =
            q == int(p) ? from : int(std::lower_bound(first + 1, near_.begin() + to, q) - near_.begin());
        return q != int(p) && factor_.stored_transposed(int(p), q) ? nullptr
                                                                   : &factor_.at(near_place_[std::size_t(k)]);
    };
    const auto add = [&](int q, const Six& row, const Six& column, double a) {
        auto* block = slot(q);
        if (block == nullptr || a == 0) return;
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j) (*block)[6 * i + j] += a * row[i] * column[j];
    };
    const auto on_vertices = [&](int v, int u, const Mat3d& a) {
        auto* block = slot(patch_[std::size_t(u)]);
        if (block == nullptr) return;
        const auto rows = of_vertex(std::size_t(v)), columns = of_vertex(std::size_t(u));
        std::array<Six, 3> ap{};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (std::size_t k = 0; k < 6; ++k)
                    ap[std::size_t(i)][k] += a(i, j) * columns[std::size_t(j)][k];
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t j = 0; j < 6; ++j) (*block)[6 * i + j] += rows[c][i] * ap[c][j];
    };
    // The coupling of vertices and edges is kept with the vertices' rows: each way once.
    for (int m = first_[p]; m < first_[p + 1]; ++m)
        matrix.visit_vertex(std::size_t(member_[std::size_t(m)]), on_vertices,
                            [&](int v, int e, const Vec3d& a) {
                                const auto rows = of_vertex(std::size_t(v));
                                Six row{};
                                for (std::size_t c = 0; c < 3; ++c)
                                    for (std::size_t k = 0; k < 6; ++k) row[k] += a[int(c)] * rows[c][k];
                                const int q = edge_patch_[std::size_t(e)];
                                add(q, row, of_edge(std::size_t(e)), 1);
                                if (q == int(p)) add(q, of_edge(std::size_t(e)), row, 1);
                            });
    for (int m = first_edge_[p]; m < first_edge_[p + 1]; ++m) {
        const auto e = std::size_t(edge_member_[std::size_t(m)]);
        matrix.visit_edge(e, [&](int, int f, double a) {
            add(edge_patch_[std::size_t(f)], of_edge(e), of_edge(std::size_t(f)), a);
        });
        matrix.visit_edge_ends(e, [&](int v, const Vec3d& a) {
            const int q = patch_[std::size_t(v)];
            if (q == int(p)) return;
            const auto rows = of_vertex(std::size_t(v));
            Six column{};
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t k = 0; k < 6; ++k) column[k] += a[int(c)] * rows[c][k];
            add(q, of_edge(e), column, 1);
        });
    }
    auto& own = factor_.at(near_place_[std::size_t(from)]);
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) trace += own[7 * i];
    // NOTE: a patch of one vertex, or all held, has fewer than six motions.
    for (std::size_t i = 0; i < 6; ++i) own[7 * i] += 1e-9 * trace + 1e-300;
}

bool Patches::set(const StepMatrix& matrix, const Topology& t, std::span<const Vec3d> position,
                  std::span<const std::uint8_t> held_vertex, std::span<const std::uint8_t> held_edge,
                  double length) {
    factor_.clear();
    parallel_for(count(), [&](std::size_t p) {
        Vec3d middle;
        for (int m = first_[p]; m < first_[p + 1]; ++m)
            middle += position[std::size_t(member_[std::size_t(m)])];
        middle = middle / std::max(1.0, double(first_[p + 1] - first_[p]));
        for (int m = first_[p]; m < first_[p + 1]; ++m) {
            const auto v = std::size_t(member_[std::size_t(m)]);
            free_[v] = !held_vertex[v];
            arm_[v] = (position[v] - middle) / length;
        }
        for (int m = first_edge_[p]; m < first_edge_[p + 1]; ++m) {
            const auto e = std::size_t(edge_member_[std::size_t(m)]);
            const Vec3d along = position[std::size_t(t.edge[e][1])] - position[std::size_t(t.edge[e][0])];
            axis_[e] = held_edge[e] ? Vec3d{} : normalized(along);  // turn × length = ω·t
        }
    });
    parallel_for(count(), [&](std::size_t p) { sum_patch(p, matrix); });
    return factor_.factor();
}

void Patches::add(std::span<const double> r, std::span<double> z) {
    const std::size_t edges_at = 3 * patch_.size();
    parallel_chunks(count(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t p = begin; p < end; ++p) {
            Vec3d force, torque;
            for (int m = first_[p]; m < first_[p + 1]; ++m) {
                const auto v = std::size_t(member_[std::size_t(m)]);
                if (!free_[v]) continue;
                const Vec3d f{r[3 * v], r[3 * v + 1], r[3 * v + 2]};
                force += f;
                torque += cross(arm_[v], f);
            }
            for (int m = first_edge_[p]; m < first_edge_[p + 1]; ++m) {
                const auto e = std::size_t(edge_member_[std::size_t(m)]);
                torque += r[edges_at + e] * axis_[e];
            }
            for (int c = 0; c < 3; ++c) {
                right_[6 * p + std::size_t(c)] = force[c];
                right_[6 * p + 3 + std::size_t(c)] = torque[c];
            }
        }
    });
    factor_.solve(right_);
    parallel_chunks(count(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t p = begin; p < end; ++p) {
            const double* s = &right_[6 * p];
            const Vec3d shift{s[0], s[1], s[2]}, spin{s[3], s[4], s[5]};
            for (int m = first_[p]; m < first_[p + 1]; ++m) {
                const auto v = std::size_t(member_[std::size_t(m)]);
                if (!free_[v]) continue;
                const Vec3d u = shift + cross(spin, arm_[v]);
                for (int c = 0; c < 3; ++c) z[3 * v + std::size_t(c)] += u[c];
            }
            for (int m = first_edge_[p]; m < first_edge_[p + 1]; ++m) {
                const auto e = std::size_t(edge_member_[std::size_t(m)]);
                z[edges_at + e] += dot(spin, axis_[e]);
            }
        }
    });
}

std::size_t Patches::memory() const {
    return factor_.memory() + (patch_.size() * 2 + edge_patch_.size() * 2 + near_.size() * 2) * sizeof(int) +
           (arm_.size() + axis_.size()) * sizeof(Vec3d);
}

}  // namespace rivulet::fabric
