#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include <rivulet/base/error.h>
#include <rivulet/io/ply_writer.h>
#include <rivulet/io/text_file.h>
#include <support/temporary_folder.h>

namespace rivulet::io {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}
TriangleMesh ply(std::string_view text) {
    return read_ply(bytes_of(text), "mesh.ply");
}
TriangleMesh obj(std::string_view text) {
    return read_obj(bytes_of(text), "mesh.obj");
}
template <class F>
Problem problem_of(F&& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.problems().at(0);
    }
    ADD_FAILURE() << "read without an error";
    return {};
}
using Triangle = std::array<std::int32_t, 3>;

TEST(Ply, AsciiWithListsAndUnknownThings) {
    const TriangleMesh mesh =
        ply("ply\r\nformat ascii 1.0\r\ncomment a square\nelement material 2\nproperty uchar red\n"
            "property list uchar float weights\nelement vertex 4\nproperty float nx\nproperty double y\n"
            "property float x\nproperty float z\nproperty list int int tags\nelement face 1\n"
            "property list uchar uint vertex_index\nproperty uchar flags\nelement empty 3\nend_header\n"
            "255 2 0.5 0.25\n1 0\n9 0 0 0.5 1 7\n9 0 1 0.5 0\n9 1 1 0.5 2 1 2\n9 1 0 +5e-1 0\n4 0 1 2 3 1\n");
    ASSERT_EQ(mesh.position.size(), 4u);
    EXPECT_EQ(mesh.position[1], (Vec3d{1, 0, 0.5}));
    EXPECT_EQ(mesh.position[3], (Vec3d{0, 1, 0.5}));
    EXPECT_EQ(mesh.triangle, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(Ply, RoundTripInAllEncodings) {
    const test::TemporaryFolder folder;
    const TriangleMesh mesh{{{0.1, -2e-7, 3}, {1.0 / 3, 5, 6}, {7, 8, 1e300}, {0, 0, 0}},
                            {{0, 1, 2}, {2, 1, 3}}};
    for (const auto encoding : {PlyEncoding::ascii, PlyEncoding::little_endian, PlyEncoding::big_endian}) {
        write_ply(real_file_system(), folder / "m.PLY", mesh, encoding);
        const TriangleMesh back = read_mesh(folder / "m.PLY");
        EXPECT_EQ(back.position, mesh.position);
        EXPECT_EQ(back.triangle, mesh.triangle);
    }
}

TEST(Ply, WritesParticlesAndCurvesWithOtherTypes) {
    const test::TemporaryFolder folder;
    const std::vector<Vec3d> position{{1, 2, 3}, {4, 5, 6}};
    const std::vector<std::uint64_t> id{7, std::uint64_t{1} << 40};
    const std::vector<std::uint8_t> material{1, 2};
    const std::vector<std::int64_t> from{0}, to{1};
    PlyWriter writer;
    writer.comment("two\nlines");
    writer.element("vertex", 2);
    writer.columns({"x", "y", "z"}, std::span(position), Dtype::float32);
    EXPECT_THROW(writer.column("id", std::span(id)), Error);
    writer.column("id", std::span(id), Dtype::float64);
    writer.column("material", std::span(material));
    writer.element("edge", 1);
    writer.column("vertex1", std::span(from), Dtype::int32);
    writer.column("vertex2", std::span(to), Dtype::int32);
    EXPECT_THROW(writer.column("wrong", std::span(id)), Error);
    writer.write(real_file_system(), folder / "p.ply", PlyEncoding::ascii);
    EXPECT_EQ(
        read_text(folder / "p.ply"),
        "ply\nformat ascii 1.0\ncomment two lines\nelement vertex 2\nproperty float x\nproperty float y\n"
        "property float z\nproperty double id\nproperty uchar material\nelement edge 1\n"
        "property int vertex1\nproperty int vertex2\nend_header\n1 2 3 7 1\n4 5 6 1099511627776 2\n0 1\n");
    EXPECT_EQ(read_mesh(folder / "p.ply").position, position);
}

TEST(Ply, ErrorsNameLineOrEntry) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    EXPECT_EQ(ply(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n").triangle.size(), 1u);
    const Problem range = problem_of([&] { ply(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"); });
    EXPECT_EQ(range.file, "mesh.ply");
    EXPECT_EQ(range.line, 13);
    EXPECT_EQ(range.message, "face 0 asks for vertex 3, but there are 3");
    EXPECT_EQ(problem_of([&] { ply(head + "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"); }).message,
              "vertex 1 is not finite");
    EXPECT_EQ(problem_of([&] { ply(head + "0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n"); }).line, 11);
    EXPECT_EQ(problem_of([&] { ply(head + "0 0 0\n1 0 0\n0 1 0\n2 0 1\n"); }).message,
              "face 0 has 2 corners");
    EXPECT_EQ(problem_of([&] { ply(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n"); }).line, 13);
    EXPECT_EQ(problem_of([&] { ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty flat x\n"); }).line, 4);
}

TEST(Ply, ClaimsBeyondTheFileAreRefusedBeforeMemoryIsTaken) {
    const std::string head = "ply\nformat binary_little_endian 1.0\n";
    const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
    const std::string faces = "element face 1\nproperty list uint uint vertex_indices\nend_header\n";
    EXPECT_THROW(ply(head + "element vertex 2000000000\n" + xyz + "end_header\n"), InputError);
    EXPECT_THROW(ply(head + "element vertex 18446744073709551615\n" + xyz + "end_header\n"), InputError);
    EXPECT_THROW(ply(head + "element dust 18446744073709551615\nelement vertex 1\n" + xyz + "end_header\n"),
                 InputError);
    EXPECT_THROW(ply(head + "element vertex 1\n" + xyz + faces + std::string(12, '\0') + "\xff\xff\xff\xff"),
                 InputError);
    EXPECT_THROW(ply(head + faces + std::string(4, '\0')), InputError);
    EXPECT_THROW(ply("ply\nformat ascii 1.0\nelement vertex 9999999999\n" + xyz + "end_header\n1 2 3\n"),
                 InputError);
}

TEST(Ply, EveryTruncationIsAnError) {
    const test::TemporaryFolder folder;
    const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 10, 0}}, {{0, 1, 2}}};
    for (const auto encoding : {PlyEncoding::little_endian, PlyEncoding::big_endian}) {
        write_ply(real_file_system(), folder / "m.ply", mesh, encoding);
        const std::string text = read_text(folder / "m.ply");
        for (std::size_t n = 0; n < text.size(); ++n) EXPECT_THROW(ply(text.substr(0, n)), InputError) << n;
    }
}

TEST(Obj, PolygonsSlashesNegativeIndicesAndContinuedLines) {
    const TriangleMesh mesh = obj(
        "# cube corner\nmtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\n\tv 1 1 0 0.5 0.5 0.5\r\nv 0 1 \\\n 2\n"
        "vt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3//1 4\nf -1 -2 -3 # back\ns off\n");
    ASSERT_EQ(mesh.position.size(), 4u);
    EXPECT_EQ(mesh.position[2], (Vec3d{1, 1, 0}));
    EXPECT_EQ(mesh.position[3], (Vec3d{0, 1, 2}));
    EXPECT_EQ(mesh.triangle, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {3, 2, 1}}));
}

TEST(Obj, PolygonsOfAnySize) {
    std::string text, face = "f";
    for (int i = 1; i <= 1000; ++i) {
        text += "v " + std::to_string(i) + " 0 0\n";
        face += " " + std::to_string(i);
    }
    EXPECT_EQ(obj(text + face + "\n").triangle.size(), 998u);
    EXPECT_EQ(obj(face + "\n" + text).triangle.size(), 998u);
}

TEST(Obj, ErrorsNameTheLine) {
    const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_EQ(problem_of([&] { obj(three + "f 1 2 4\nf 1 2 3\n"); }).line, 4);
    EXPECT_EQ(problem_of([&] { obj(three + "\nf 1 2 0\n"); }).line, 5);
    EXPECT_EQ(problem_of([&] { obj(three + "f 1 2 -4\n"); }).line, 4);
    EXPECT_EQ(problem_of([&] { obj(three + "f 1 2\n"); }).line, 4);
    EXPECT_EQ(problem_of([&] { obj(three + "f 1 2 99999999999\n"); }).line, 4);
    EXPECT_EQ(problem_of([&] { obj("v 0 0 0\nv 1 nan 0\n"); }).line, 2);
    EXPECT_EQ(problem_of([&] { obj("v 0 0 1e999\n"); }).line, 1);
    EXPECT_EQ(problem_of([&] { obj("v 0 0\n"); }).line, 1);
    EXPECT_EQ(problem_of([&] { obj("v 0 0 zero\n"); }).line, 1);
    EXPECT_EQ(obj("v 0 1e-999 1\n").position[0], (Vec3d{0, 0, 1}));
    EXPECT_THROW(obj(""), InputError);
    EXPECT_THROW(obj(std::string_view("v 0 0 0\n\0", 9)), InputError);
}

TEST(Mesh, UnknownAndUnreadableFiles) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(read_mesh(folder / "a.stl"), InputError);
    EXPECT_THROW(read_mesh(folder / "missing.ply"), IoError);
    std::filesystem::create_directory(folder / "d.obj");
    EXPECT_THROW(read_mesh(folder / "d.obj"), IoError);
}

}  // namespace
}  // namespace rivulet::io
