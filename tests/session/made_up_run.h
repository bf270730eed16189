#pragma once

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <rivulet/base/vec3.h>
#include <rivulet/io/archive_writer.h>
#include <rivulet/output/run_directory.h>

#include "support/temporary_folder.h"

namespace rivulet::session {

/// A run directory written by hand: a ball of liquid that falls, strands with and without film, a cloth, a
/// body, a box that turns. Frames 0, 1, 2 at 10 frames per second.
class MadeUpRun {
 public:
    static constexpr double kCell = 0.02, kSpacing = kCell / 2, kRadius = 0.08;
    static constexpr double kStrandRadius = 0.004, kFilmArea = 2e-4;

    MadeUpRun() : paths{folder_ / "run"} {
        std::filesystem::create_directories(paths.frames());
        write_static();
        for (int k = 0; k < 3; ++k) write_frame(k);
        output::RunRecord record;
        record.fps = 10;
        record.status = output::RunStatus::finished;
        output::write_run_record(io::real_file_system(), paths.record().string(), record);
    }

    /// Frame k once more, with points in it of which neither radius nor volume is known.
    void add_points_without_size(int k) { write_frame(k, true); }

    /// Volume of bulk and film in every frame, m^3: film on the wet strand's 0.2 m.
    double liquid_volume() const { return double(particles) * std::pow(kSpacing, 3) + 0.2 * kFilmArea; }

 private:
    test::TemporaryFolder folder_;

 public:
    output::RunPaths paths;
    std::size_t particles = 0;

 private:
    static std::vector<Vec3d> square(double side, double height) {
        return {{0.3, height, 0}, {0.3 + side, height, 0}, {0.3 + side, height, side}, {0.3, height, side}};
    }

    void write_static() {
        const std::vector<std::int64_t> start{0, 5, 10}, id{7, 8}, material{0, 0};
        const std::vector<double> radius(10, kStrandRadius);
        const std::vector<Vec3i> quad{{0, 2, 1}, {0, 3, 2}};
        const std::vector<Vec3i> tetrahedron{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
        const std::vector<std::array<std::int32_t, 2>> segment{{0, 1}, {1, 2}};
        const std::vector<Vec3d> corner{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
        const std::vector<Vec3d> colour{{0.9, 0.1, 0.2}, {0.1, 0.4, 0.8}};
        const std::vector<double> absorption{3, 5}, opacity{0, 1};
        io::ArchiveWriter archive;
        archive.add_scalar("grid/cell", kCell);
        archive.add("strands/start", start);
        archive.add("strands/id", id);
        archive.add("strands/material", material);
        archive.add("strands/radius", radius);
        archive.add("fabric/triangle", quad);
        archive.add("fabric/segment", segment);
        archive.add("bodies/triangle", tetrahedron);
        archive.add("obstacles/box 1/position", corner);
        archive.add("obstacles/box 1/triangle", tetrahedron);
        archive.add_scalar("obstacles/box 1/color", Vec3d{0.25, 0.5, 0.75});
        archive.add_scalar("obstacles/box 1/inside", std::uint8_t{0});
        archive.add_scalar("obstacles/box 1/visible", std::uint8_t{1});
        archive.add("materials/liquid/color", colour);
        archive.add("materials/liquid/absorption", absorption);
        archive.add("materials/liquid/opacity", opacity);
        archive.write(io::real_file_system(), paths.fixed());
    }

    void write_frame(int k, bool with_marks = false) {
        std::vector<Vec3d> position, velocity;
        std::vector<std::int64_t> id;
        const int n = int(2 * kRadius / kSpacing);
        for (int i = 0; i < n * n * n; ++i) {
            const Vec3d x = Vec3d{i % n + 0.5, i / n % n + 0.5, i / n / n + 0.5} * kSpacing -
                            Vec3d{kRadius, kRadius, kRadius};
            if (length(x) > kRadius) continue;
            position.push_back(x + Vec3d{0, 0.3 - 0.05 * k, 0});
            velocity.push_back({0, -0.5, 0});
            id.push_back(100 + std::int64_t(id.size()));
        }
        particles = position.size();
        const std::vector<double> volume(particles, std::pow(kSpacing, 3));
        const std::vector<double> radius(particles, kSpacing * std::cbrt(0.75 / std::numbers::pi));
        const std::vector<std::uint8_t> material(particles, 1);
        std::vector<Vec3d> strand;
        std::vector<double> film(10, 0.0);
        const std::vector<double> film_speed{1, 3, -1, 2, 0, 0, 0, 0, 0, 0};
        for (int s = 0; s < 2; ++s)
            for (int v = 0; v < 5; ++v) {
                strand.push_back({-0.3 + 0.1 * s, 0.4 - 0.05 * v, 0.01 * k});
                if (s == 0) film[std::size_t(v)] = kFilmArea;
            }
        const std::vector<Vec3d> strand_velocity(10, Vec3d{0, 0, 0.1});
        const std::vector<Vec3d> cloth = square(0.2, 0.1), still(4);
        const std::vector<double> saturation{0, 0.25, 0.5, 1};
        std::vector<Vec3d> body{{0.3, 0, 0}, {0.4, 0, 0}, {0.3, 0.1, 0}, {0.3, 0, 0.1}};
        std::array<double, 16> matrix{0, -1, 0, -0.3, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        const std::vector<Vec3d> marks = square(0.1, 0.5);
        io::ArchiveWriter archive;
        archive.add_scalar("time", 0.1 * k);
        if (with_marks) {
            archive.add("marks/position", marks);
            archive.describe(GroupInfo{"marks", GroupShape::points, ""});
        }
        archive.add("liquid/id", id);
        archive.add("liquid/position", position);
        archive.add("liquid/velocity", velocity);
        archive.add("liquid/radius", radius);
        archive.add("liquid/volume", volume);
        archive.add("liquid/material", material);
        archive.add("strands/position", strand);
        archive.add("strands/velocity", strand_velocity);
        archive.add("strands/film_area", film);
        archive.add("strands/film_velocity", film_speed);
        archive.describe("strands/film_velocity", "m/s", Centring::edge);
        archive.add("fabric/position", cloth);
        archive.add("fabric/velocity", still);
        archive.add("fabric/saturation", saturation);
        archive.add("bodies/position", body);
        archive.add("bodies/velocity", still);
        archive.add("obstacles/box 1/transform", io::Dtype::float64, {4, 4},
                    std::as_bytes(std::span(matrix)));
        archive.write(io::real_file_system(), paths.frame(k));
    }
};

}  // namespace rivulet::session
