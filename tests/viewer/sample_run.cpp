// Writes a run directory as the simulation would, with every group a frame can have, for tests of the page.
//   sample_run OUT FAMILY FRAMES [PARTICLES] [STRANDS]
// FAMILY: liquid, strands, strands_in_liquid, fabric, bodies, everything, failed, newer
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include <rivulet/base/random.h>
#include <rivulet/io/archive_writer.h>
#include <rivulet/io/hash.h>

using namespace rivulet;

namespace {

constexpr double kFps = 25;

struct Order {
    std::filesystem::path out;
    std::string family;
    int frames = 10;
    std::size_t particles = 20'000, strands = 400;
    bool has(const char* group) const {
        const std::string name = group;
        return family == name || family == "everything" ||
               (family == "strands_in_liquid" && (name == "strands" || name == "liquid")) ||
               (family == "failed" && name == "strands") || (family == "newer" && name == "liquid");
    }
};

Vec3f to_float(const Vec3d& v) {
    return {float(v.x), float(v.y), float(v.z)};
}

struct Grid {
    std::vector<Vec3f> position;
    std::vector<std::array<std::int32_t, 3>> triangle;
};

/// An n x n sheet; `place` maps (u, v) in [0, 1] to space.
template <class Place>
Grid sheet(std::int32_t n, Place&& place) {
    Grid g;
    for (std::int32_t j = 0; j < n; ++j)
        for (std::int32_t i = 0; i < n; ++i) {
            g.position.push_back(to_float(place(double(i) / (n - 1), double(j) / (n - 1))));
            const std::int32_t v = n * j + i;
            if (i + 1 < n && j + 1 < n) {
                g.triangle.push_back({v, v + n, v + 1});
                g.triangle.push_back({v + 1, v + n, v + n + 1});
            }
        }
    return g;
}

Vec3d sphere_point(double u, double v, const Vec3d& centre, double radius) {
    const double a = 2 * std::numbers::pi * u, b = std::numbers::pi * v;
    return centre + radius * Vec3d{std::sin(b) * std::cos(a), std::cos(b), -std::sin(b) * std::sin(a)};
}

/// A pool that sloshes, in a box of 0.4 x 0.3 x 0.4 m.
void add_liquid(io::ArchiveWriter& frame, const Order& order, double t, std::vector<std::vector<float>>& keep,
                std::vector<std::vector<Vec3f>>& vectors, std::vector<std::uint64_t>& id,
                std::vector<std::uint8_t>& material) {
    const Random random(11, 0);
    std::vector<Vec3f> position, velocity;
    std::vector<float> radius, age;
    for (std::size_t i = 0; i < order.particles; ++i) {
        const Vec3d p = random.uniform3(i);
        const double x = 0.4 * (p.x - 0.5), z = 0.4 * (p.z - 0.5);
        const double phase = 6 * t + 9 * x,
                     top = 0.1 + 0.03 * std::sin(phase) + 0.01 * std::cos(20 * z + 4 * t);
        position.push_back(to_float({x, top * p.y, z}));
        velocity.push_back(to_float({0, 0.18 * std::cos(phase) * p.y, 0.04 * std::sin(4 * t)}));
        radius.push_back(float(0.6 * std::cbrt(0.016 / double(order.particles))));
        age.push_back(float(t + 0.2 * p.x));
        id.push_back(i);
        material.push_back(p.x < 0.5 ? 0 : 1);
    }
    vectors = {position, velocity};
    keep = {radius, age};
    frame.add_field({"liquid/id", "", Centring::particle}, id);
    frame.add_field({"liquid/position", "m", Centring::particle}, vectors[0]);
    frame.add_field({"liquid/velocity", "m/s", Centring::particle}, vectors[1]);
    frame.add_field({"liquid/radius", "m", Centring::particle}, keep[0]);
    frame.add_field({"liquid/age", "s", Centring::particle}, keep[1]);
    frame.add_field({"liquid/material", "", Centring::particle}, material);
}

constexpr std::size_t kPerStrand = 24;

Vec3d strand_point(std::size_t s, std::size_t k, double t) {
    const Random random(5, 1);
    const Vec3d r = random.uniform3(s);
    const double angle = 2 * std::numbers::pi * r.x, out = 0.09 * std::sqrt(r.y),
                 part = double(k) / (kPerStrand - 1);
    const double swing = 0.08 * part * part * std::sin(5 * t + 2 * r.z), curl = 0.004 * part;
    return {out * std::cos(angle) * (1 + 0.6 * part) + swing + curl * std::cos(40 * part + 9 * r.z),
            0.42 - 0.3 * part * (0.8 + 0.2 * r.z),
            out * std::sin(angle) * (1 + 0.6 * part) + curl * std::sin(40 * part)};
}

struct Strands {
    std::vector<Vec3f> position, velocity;
    std::vector<float> film, twist;
};

Strands strands_at(const Order& order, double t) {
    Strands g;
    for (std::size_t s = 0; s < order.strands; ++s)
        for (std::size_t k = 0; k < kPerStrand; ++k) {
            const double part = double(k) / (kPerStrand - 1),
                         drop = part - 0.3 - 0.5 * std::fmod(t + 0.01 * double(s % 7), 1.0);
            const Vec3d now = strand_point(s, k, t), soon = strand_point(s, k, t + 1e-3);
            g.position.push_back(to_float(now));
            g.velocity.push_back(to_float((soon - now) * 1e3));
            g.film.push_back(float(2e-8 * (0.15 * part + std::exp(-60 * drop * drop))));
            g.twist.push_back(float(0.6 * std::sin(6 * part + 3 * t)));
        }
    return g;
}

Grid cloth(double t) {
    return sheet(50, [&](double u, double v) {
        return Vec3d{0.36 * (u - 0.5),
                     0.24 - 0.5 * (u - 0.5) * (u - 0.5) + 0.012 * std::sin(14 * u + 5 * t) * std::cos(9 * v),
                     0.36 * (v - 0.5)};
    });
}

Grid jelly(double t) {
    const double squash = 1 + 0.12 * std::sin(9 * t);
    return sheet(33, [&](double u, double v) {
        const Vec3d p = sphere_point(u, v, {0.02, 0.13, 0.1}, 0.05);
        return Vec3d{0.02 + (p.x - 0.02) / std::sqrt(squash), 0.13 + (p.y - 0.13) * squash, p.z};
    });
}

Grid box(const Vec3d& low, const Vec3d& high) {
    Grid g;
    for (int k = 0; k < 8; ++k)
        g.position.push_back(
            to_float({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z}));
    g.triangle = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return g;
}

void write_static(const Order& order) {
    io::ArchiveWriter fixed;
    const Grid tank = box({-0.2, 0, -0.2}, {0.2, 0.3, 0.2});
    const Grid ball = sheet(25, [](double u, double v) { return sphere_point(u, v, {}, 0.035); });
    const Strands rest = strands_at(order, 0);
    std::vector<std::int32_t> start;
    for (std::size_t s = 0; s <= order.strands; ++s) start.push_back(std::int32_t(s * kPerStrand));
    const std::vector<float> radius(rest.position.size(), 4e-5f);
    const Grid fabric = cloth(0), body = jelly(0);
    const std::vector<Vec3d> colors{{0.25, 0.5, 0.85}, {0.9, 0.75, 0.4}};
    if (order.has("strands")) {
        fixed.add("strands/start", start);
        fixed.add("strands/radius", radius);
        fixed.add("strands/rest_position", rest.position);
    }
    if (order.has("fabric")) {
        fixed.add("fabric/triangle", fabric.triangle);
        fixed.add("fabric/rest_position", fabric.position);
    }
    if (order.has("bodies")) fixed.add("bodies/triangle", body.triangle);
    fixed.add("obstacles/tank/position", tank.position);
    fixed.add("obstacles/tank/triangle", tank.triangle);
    fixed.add_scalar("obstacles/tank/inside", std::uint8_t{1});
    fixed.add_scalar("obstacles/tank/visible", std::uint8_t{1});
    fixed.add_scalar("obstacles/tank/color", Vec3d{0.6, 0.65, 0.7});
    fixed.add("obstacles/ball/position", ball.position);
    fixed.add("obstacles/ball/triangle", ball.triangle);
    fixed.add_scalar("obstacles/ball/color", Vec3d{0.75, 0.35, 0.2});
    fixed.add("materials/liquid/color", colors);
    fixed.write(io::real_file_system(), order.out / "static.npz");
}

std::string write_frame(const Order& order, int number) {
    const double t = number / kFps;
    io::ArchiveWriter frame;
    frame.add_scalar("time", t);
    std::vector<std::vector<float>> numbers;
    std::vector<std::vector<Vec3f>> vectors;
    std::vector<std::uint64_t> id;
    std::vector<std::uint8_t> material;
    if (order.has("liquid")) add_liquid(frame, order, t, numbers, vectors, id, material);
    const Strands strands = strands_at(order, t);
    if (order.has("strands")) {
        frame.add_field({"strands/position", "m", Centring::vertex}, strands.position);
        frame.add_field({"strands/velocity", "m/s", Centring::vertex}, strands.velocity);
        frame.add_field({"strands/film_area", "m^2", Centring::vertex}, strands.film);
        frame.add_field({"strands/twist", "rad", Centring::vertex}, strands.twist);
    }
    const Grid fabric = cloth(t), body = jelly(t);
    std::vector<float> saturation;
    for (const Vec3f& p : fabric.position)
        saturation.push_back(
            float(1 / (1 + std::exp(40 * (std::hypot(double(p.x), double(p.z)) - 0.05 - 0.12 * t)))));
    if (order.has("fabric")) {
        frame.add_field({"fabric/position", "m", Centring::vertex}, fabric.position);
        frame.add_field({"fabric/saturation", "", Centring::vertex}, saturation);
    }
    if (order.has("bodies")) frame.add_field({"bodies/position", "m", Centring::vertex}, body.position);
    if (order.family == "newer") frame.add_field({"weather/pressure", "Pa", Centring::other}, saturation);
    const std::array<double, 16> tank{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::array<double, 16> ball{1, 0, 0, -0.12 + 0.1 * t, 0, 1, 0, 0.2, 0, 0, 1, -0.08, 0, 0, 0, 1};
    frame.add("obstacles/tank/transform", io::Dtype::float64, {4, 4}, std::as_bytes(std::span(tank)));
    frame.add("obstacles/ball/transform", io::Dtype::float64, {4, 4}, std::as_bytes(std::span(ball)));
    const auto path = order.out / "frames" / fmt::format("{:06}.npz", number);
    frame.write(io::real_file_system(), path);
    return fmt::format("{},{},{},{},{}\n", number, t, 4 * number, std::filesystem::file_size(path),
                       io::hash_text(io::xxh64_of_file(path)));
}

void write_surface(const Order& order, int number) {
    const double t = number / kFps;
    const Grid top = sheet(80, [&](double u, double v) {
        const double x = 0.4 * (u - 0.5), z = 0.4 * (v - 0.5);
        return Vec3d{x, 0.1 + 0.03 * std::sin(6 * t + 9 * x) + 0.01 * std::cos(20 * z + 4 * t), z};
    });
    const std::vector<Vec3f> velocity(top.position.size(), Vec3f{0, 0.1f, 0});
    io::ArchiveWriter surface;
    surface.add("position", top.position);
    surface.add("triangle", top.triangle);
    surface.add("velocity", velocity);
    surface.write(io::real_file_system(), order.out / "surface" / fmt::format("{:06}.npz", number));
}

void write_texts(const Order& order, const std::string& frames) {
    auto& files = io::real_file_system();
    std::string metrics =
        "step,frame,time,dt,retries,particles,grid_cells,contacts,volume_bulk,volume_film,volume_fabric,"
        "volume_in,"
        "volume_out,volume_error,energy_kinetic,energy_elastic,energy_gravity,max_speed,max_divergence,"
        "newton_iterations,pressure_iterations,shear_iterations,contact_iterations\n";
    std::string timings = "step,rasterise_liquid,project,predict_solids,resolve_contacts,move\n";
    for (int s = 1; s <= 4 * (order.frames - 1); ++s) {
        const double t = s / (4 * kFps), wave = 1 + 0.4 * std::sin(7 * t);
        metrics += fmt::format("{},{},{},{},0,{},4096,{},{},{},{},{},0,{},{},{},{},{},1e-6,{},{},0,{}\n", s,
                               s / 4, t, 0.01 * wave, order.particles, int(300 * wave), 0.016 - 1e-4 * t,
                               1e-4 * t, 2e-5 * t, 3e-5 * t, 1e-13 * std::sin(20 * t), 2 * wave, 0.4 * wave,
                               9 - wave, 0.5 * wave, 3 + s % 3, 12 + s % 5, 20 + s % 7);
        timings += fmt::format("{},{},{},{},{},{}\n", s, 0.01 * wave, 0.03, 0.02 * wave, 0.008, 0.004);
    }
    const std::string error = order.family == "failed"
                                  ? "{\"stage\": \"predict_solids\", \"entity\": \"strand 17\", \"frame\": "
                                    "10, \"message\": \"Newton does not converge\"}"
                                  : "null";
    io::write_atomically(files, order.out / "metrics.csv", metrics);
    io::write_atomically(files, order.out / "timings.csv", timings);
    io::write_atomically(files, order.out / "frames.csv", "frame,time,step,bytes,xxh64\n" + frames);
    io::write_atomically(files, order.out / "log.txt", "started\nfinished\n");
    io::write_atomically(files, order.out / "scene.toml", "name = \"sample\"\nend = \"1 s\"\n");
    io::write_atomically(
        files, order.out / "run.json",
        fmt::format(
            "{{\"format\": {}, \"version\": \"0.1.0\", \"scene\": \"sample.toml\", \"status\": \"{}\", "
            "\"error\": {}, "
            "\"fps\": {}, \"frames\": {}, \"last_frame\": {}, \"steps\": {}, \"simulated_seconds\": {}, "
            "\"wall_seconds\": 12.5, \"peak_memory_bytes\": 250000000, \"threads\": 2, \"particles_max\": "
            "{}, "
            "\"vertices\": {}, \"grid_cells_max\": 4096, \"stages\": {{\"project\": {{\"seconds\": 7, "
            "\"calls\": 40}}, "
            "\"move\": {{\"seconds\": 2, \"calls\": 40}}}}, \"warnings\": [\"a sample, not a "
            "simulation\"]}}\n",
            order.family == "newer" ? 99 : 1, order.family == "failed" ? "failed" : "finished", error, kFps,
            order.frames - 1, order.frames - 1, 4 * order.frames, (order.frames - 1) / kFps,
            order.has("liquid") ? order.particles : 0,
            order.has("strands") ? order.strands * kPerStrand : 0));
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) return std::fputs("sample_run OUT FAMILY FRAMES [PARTICLES] [STRANDS]\n", stderr), 2;
    Order order{words[1], words[2], std::atoi(words[3])};
    if (count > 4) order.particles = std::strtoul(words[4], nullptr, 10);
    if (count > 5) order.strands = std::strtoul(words[5], nullptr, 10);
    for (const char* folder : {"frames", "surface"}) std::filesystem::create_directories(order.out / folder);
    write_static(order);
    std::string rows;
    for (int k = 0; k < order.frames; ++k) {
        rows += write_frame(order, k);
        if (order.family == "everything") write_surface(order, k);
    }
    write_texts(order, rows);
}
