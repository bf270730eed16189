#include <rivulet/fabric/step_matrix.h>

#include <algorithm>

#include <rivulet/base/parallel.h>

namespace rivulet::fabric {

namespace {

constexpr std::size_t kGrain = 512;

/// Which of the six stored blocks holds (i, j), j ≥ i.
constexpr std::array<std::array<std::size_t, 3>, 3> kUpper{{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}};

int place_in(const std::vector<int>& list, int from, int to, int what) {
    return int(std::find(list.begin() + from, list.begin() + to, what) - list.begin());
}

}  // namespace

void StepMatrix::prepare(const Topology& t) {
    vertices_ = t.vertices;
    edges_ = t.edges();
    row_start_.assign(1, 0);
    near_start_.assign(1, 0);
    column_.clear();
    near_edge_.clear();
    for (std::size_t v = 0; v < vertices_; ++v) {
        std::vector<int> around, edges;
        for (int k = t.corner_start[v]; k < t.corner_start[v + 1]; ++k) {
            const auto triangle = std::size_t(t.corner[std::size_t(k)] / 3);
            for (int i = 0; i < 3; ++i) {
                if (t.triangle[triangle][i] != int(v)) around.push_back(t.triangle[triangle][i]);
                edges.push_back(t.triangle_edge[triangle][i]);
            }
        }
        for (auto* list : {&around, &edges}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        column_.push_back(int(v));
        column_.insert(column_.end(), around.begin(), around.end());
        near_edge_.insert(near_edge_.end(), edges.begin(), edges.end());
        row_start_.push_back(int(column_.size()));
        near_start_.push_back(int(near_edge_.size()));
    }
    end_.assign(edges_, {-1, -1, -1, -1});
    beside_.assign(edges_, {-1, -1, -1, -1});
    column_place_.resize(t.triangles());
    near_place_.resize(t.triangles());
    end_place_.resize(t.triangles());
    beside_place_.resize(t.triangles());
    for (std::size_t k = 0; k < t.triangles(); ++k)
        for (int i = 0; i < 3; ++i) {
            const auto v = std::size_t(t.triangle[k][i]), e = std::size_t(t.triangle_edge[k][i]);
            const std::size_t side = t.edge_triangle[e][0] == int(k) ? 0 : 1;
            end_[e][0] = t.edge[e][0];
            end_[e][1] = t.edge[e][1];
            end_[e][2 + side] = int(v);
            std::uint8_t next = 0;
            for (int j = 0; j < 3; ++j) {
                const auto at = std::size_t(3 * i + j);
                const int u = t.triangle[k][j], f = t.triangle_edge[k][j];
                column_place_[k][at] = place_in(column_, row_start_[v], row_start_[v + 1], u);
                near_place_[k][at] = place_in(near_edge_, near_start_[v], near_start_[v + 1], f);
                end_place_[k][at] = std::uint8_t(u == t.edge[e][0] ? 0 : u == t.edge[e][1] ? 1 : 2 + side);
                beside_place_[k][at] = 0;
                if (j == i) continue;
                beside_[e][2 * side + next] = f;
                beside_place_[k][at] = std::uint8_t(1 + 2 * side + next++);
            }
        }
    block_.resize(column_.size());
    near_.resize(near_edge_.size());
    edge_end_.resize(edges_);
    edge_edge_.resize(edges_);
}

void StepMatrix::gather_vertex(std::size_t v, const Topology& t, std::span<const Element> elements,
                               std::span<const std::uint8_t> held_vertex,
                               std::span<const std::uint8_t> held_edge, double length, Vec3d& force) {
    for (int k = t.corner_start[v]; k < t.corner_start[v + 1]; ++k) {
        const auto triangle = std::size_t(t.corner[std::size_t(k)] / 3);
        const auto i = std::size_t(t.corner[std::size_t(k)] % 3);
        const Element& element = elements[triangle];
        force += element.force[i];
        for (std::size_t j = 0; j < 3; ++j) {
            Mat3d& to = block_[std::size_t(column_place_[triangle][3 * i + j])];
            const Mat3d& from = element.block[kUpper[i][j]];
            to += j >= i ? from : transpose(from);
            near_[std::size_t(near_place_[triangle][3 * i + j])] +=
                (element.mixed[3 * i + j] / length) * element.normal;
        }
    }
    if (held_vertex[v]) {
        for (int s = row_start_[v]; s < row_start_[v + 1]; ++s) block_[std::size_t(s)] = {};
        for (int s = near_start_[v]; s < near_start_[v + 1]; ++s) near_[std::size_t(s)] = {};
        block_[std::size_t(row_start_[v])] = Mat3d::identity();
        force = {};
        return;
    }
    for (int s = row_start_[v]; s < row_start_[v + 1]; ++s)
        if (held_vertex[std::size_t(column_[std::size_t(s)])]) block_[std::size_t(s)] = {};
    for (int s = near_start_[v]; s < near_start_[v + 1]; ++s)
        if (held_edge[std::size_t(near_edge_[std::size_t(s)])]) near_[std::size_t(s)] = {};
}

void StepMatrix::gather_edge(std::size_t e, const Topology& t, std::span<const Element> elements,
                             std::span<const std::uint8_t> held_vertex,
                             std::span<const std::uint8_t> held_edge, double length, double& moment) {
    auto& row = edge_edge_[e];
    auto& ends = edge_end_[e];
    row = {};
    ends = {};
    moment = 0;
    if (held_edge[e]) {
        row[0] = 1;
        return;
    }
    for (const int k : t.edge_triangle[e]) {
        if (k < 0) continue;
        const auto triangle = std::size_t(k);
        const Vec3i& of = t.triangle_edge[triangle];
        const auto i = std::size_t(of.x == int(e) ? 0 : of.y == int(e) ? 1 : 2);
        const Element& element = elements[triangle];
        moment += element.moment[i] / length;
        for (std::size_t j = 0; j < 3; ++j) {
            ends[end_place_[triangle][3 * i + j]] += (element.mixed[3 * j + i] / length) * element.normal;
            row[beside_place_[triangle][3 * i + j]] += element.edge[kUpper[i][j]] / (length * length);
        }
    }
    for (std::size_t k = 0; k < 4; ++k) {
        if (end_[e][k] >= 0 && held_vertex[std::size_t(end_[e][k])]) ends[k] = {};
        if (beside_[e][k] >= 0 && held_edge[std::size_t(beside_[e][k])]) row[k + 1] = 0;
    }
}

void StepMatrix::gather(const Topology& t, std::span<const Element> elements, std::span<const Mat3d> diagonal,
                        std::span<const Vec3d> push, std::span<const std::uint8_t> held_vertex,
                        std::span<const std::uint8_t> held_edge, double length, std::span<double> gradient) {
    parallel_chunks(vertices_, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            for (int s = row_start_[v]; s < row_start_[v + 1]; ++s) block_[std::size_t(s)] = {};
            for (int s = near_start_[v]; s < near_start_[v + 1]; ++s) near_[std::size_t(s)] = {};
            block_[std::size_t(row_start_[v])] = diagonal[v];
            Vec3d force = push[v];
            gather_vertex(v, t, elements, held_vertex, held_edge, length, force);
            for (int c = 0; c < 3; ++c) gradient[3 * v + std::size_t(c)] = force[c];
        }
    });
    parallel_chunks(edges_, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e)
            gather_edge(e, t, elements, held_vertex, held_edge, length, gradient[3 * vertices_ + e]);
    });
}

void StepMatrix::multiply(std::span<const double> x, std::span<double> ax) const {
    const auto of = [&](int v) {
        return Vec3d{x[3 * std::size_t(v)], x[3 * std::size_t(v) + 1], x[3 * std::size_t(v) + 2]};
    };
    const double* turn = x.data() + 3 * vertices_;
    parallel_chunks(vertices_, kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t v = begin; v < end; ++v) {
            Vec3d sum;
            for (int s = row_start_[v]; s < row_start_[v + 1]; ++s)
                sum += block_[std::size_t(s)] * of(column_[std::size_t(s)]);
            for (int s = near_start_[v]; s < near_start_[v + 1]; ++s)
                sum += turn[near_edge_[std::size_t(s)]] * near_[std::size_t(s)];
            for (int c = 0; c < 3; ++c) ax[3 * v + std::size_t(c)] = sum[c];
        }
    });
    parallel_chunks(edges_, 2 * kGrain, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t e = begin; e < end; ++e) {
            double sum = edge_edge_[e][0] * turn[e];
            for (std::size_t k = 0; k < 4; ++k) {
                if (beside_[e][k] >= 0) sum += edge_edge_[e][k + 1] * turn[beside_[e][k]];
                if (end_[e][k] >= 0) sum += dot(edge_end_[e][k], of(end_[e][k]));
            }
            ax[3 * vertices_ + e] = sum;
        }
    });
}

std::size_t StepMatrix::memory() const {
    return (row_start_.size() + column_.size() + near_start_.size() + near_edge_.size()) * sizeof(int) +
           column_place_.size() * (18 * sizeof(int) + 18) + end_.size() * 8 * sizeof(int) +
           block_.size() * sizeof(Mat3d) + near_.size() * sizeof(Vec3d) +
           edge_end_.size() * (sizeof(edge_end_[0]) + sizeof(edge_edge_[0]));
}

}  // namespace rivulet::fabric
