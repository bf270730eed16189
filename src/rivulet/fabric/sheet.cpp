#include <rivulet/fabric/sheet.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rivulet/base/random.h>

namespace rivulet::fabric {

namespace {

int pieces(double length, double spacing) {
    return std::max(1, int(std::lround(length / spacing)));
}

/// Two triangles of the square a b c d, counter-clockwise.
void cut_square(std::vector<Vec3i>& out, int a, int b, int c, int d, bool from_a) {
    if (from_a) {
        out.push_back({a, b, c});
        out.push_back({a, c, d});
    } else {
        out.push_back({a, b, d});
        out.push_back({b, c, d});
    }
}

bool diagonal(Cut cut, int i, int j) {
    if (cut == Cut::along) return true;
    if (cut == Cut::crossed) return (i + j) % 2 == 0;
    return Random(11, 3).uniform(std::uint64_t(i) * 65536u + std::uint64_t(j), 0, 1) < 0.5;
}

void flat_texture(Sheet& sheet, double turn) {
    const double c = std::cos(turn), s = std::sin(turn);
    for (const Vec3d& p : sheet.position) sheet.uv.push_back({c * p.x + s * p.y, c * p.y - s * p.x});
}

}  // namespace

Sheet rectangle(double width, double height, double spacing, Cut cut, double turn) {
    Sheet sheet;
    const int nx = pieces(width, spacing), ny = pieces(height, spacing);
    const double dx = width / nx, dy = height / ny;
    const auto vertex = [&](int i, int j) { return j * (nx + 1) + i; };
    const Random random(12, 3);
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            Vec3d p{(i - 0.5 * nx) * dx, (j - 0.5 * ny) * dy, 0};
            if (cut == Cut::random && i > 0 && i < nx && j > 0 && j < ny) {
                const auto k = 2 * std::uint64_t(vertex(i, j));
                p.x += random.uniform(k, -0.25, 0.25) * dx;
                p.y += random.uniform(k + 1, -0.25, 0.25) * dy;
            }
            sheet.position.push_back(p);
        }
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            cut_square(sheet.triangle, vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1),
                       diagonal(cut, i, j));
    flat_texture(sheet, turn);
    return sheet;
}

Sheet disc(double radius, double spacing, Cut cut) {
    Sheet sheet;
    const int rings = pieces(radius, spacing);
    const Random random(13, 3);
    // Ring r has 6 r vertices; cut along: their first ones on one line, crossed: each ring half a place on.
    const auto count = [](int r) { return r == 0 ? 1 : 6 * r; };
    const auto first = [](int r) { return r == 0 ? 0 : 1 + 3 * r * (r - 1); };
    const auto shift = [&](int r) { return cut == Cut::crossed ? 0.5 * r : 0.0; };
    for (int r = 0; r <= rings; ++r)
        for (int k = 0; k < count(r); ++k) {
            double at = radius * r / rings, angle = 2 * std::numbers::pi * (k + shift(r)) / count(r);
            if (cut == Cut::random && r > 0 && r < rings) {
                const auto n = 2 * std::uint64_t(first(r) + k);
                at += random.uniform(n, -0.25, 0.25) * radius / rings;
                angle += random.uniform(n + 1, -0.25, 0.25) * 2 * std::numbers::pi / count(r);
            }
            sheet.position.push_back({at * std::cos(angle), at * std::sin(angle), 0});
        }
    for (int r = 1; r <= rings; ++r) {
        const int inner = count(r - 1), outer = count(r);
        const auto in = [&](int k) { return first(r - 1) + k % inner; };
        const auto out = [&](int k) { return first(r) + k % outer; };
        // Round both rings, always on the one that lags behind.
        int i = 0, o = 0;
        while (i < (r == 1 ? 0 : inner) || o < outer) {
            const double next_in = (i + 1 + shift(r - 1)) / inner, next_out = (o + 1 + shift(r)) / outer;
            const bool take_out = o < outer && (r == 1 || i == inner || next_out <= next_in);
            if (take_out)
                sheet.triangle.push_back({in(i), out(o), out(o + 1)}), ++o;
            else
                sheet.triangle.push_back({in(i), out(o), in(i + 1)}), ++i;
        }
    }
    flat_texture(sheet, 0);
    return sheet;
}

Sheet tube(double radius, double height, double spacing) {
    Sheet sheet;
    const int around = std::max(3, pieces(2 * std::numbers::pi * radius, spacing));
    const int up = pieces(height, spacing);
    const auto vertex = [&](int i, int j) { return j * around + i % around; };
    sheet.woven_flat = false;
    for (int j = 0; j <= up; ++j)
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * std::numbers::pi * i / around;
            sheet.position.push_back(
                {radius * std::sin(angle), height * (double(j) / up - 0.5), radius * std::cos(angle)});
            sheet.uv.push_back({sheet.position.back().y, -radius * angle});
        }
    for (int j = 0; j < up; ++j)
        for (int i = 0; i < around; ++i)
            cut_square(sheet.triangle, vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1),
                       diagonal(Cut::crossed, i, j));
    return sheet;
}

}  // namespace rivulet::fabric
