#include <gtest/gtest.h>

#include <numeric>

#include <rivulet/io/archive.h>
#include <rivulet/io/text_file.h>
#include <support/faulty_file_system.h>
#include <support/temporary_folder.h>

namespace rivulet::io {
namespace {

using test::Fault;
using test::FaultyFileSystem;

std::size_t files_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(AtomicFile, WritesReplacesAndLeavesNothingElse) {
    const test::TemporaryFolder folder;
    write_atomically(real_file_system(), folder / "a.txt", "first");
    write_atomically(real_file_system(), folder / "a.txt", "second");
    EXPECT_EQ(read_text(folder / "a.txt"), "second");
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, StreamsSmallAndLargePieces) {
    const test::TemporaryFolder folder;
    std::vector<std::uint32_t> numbers(300'000);
    std::iota(numbers.begin(), numbers.end(), 0u);
    const auto bytes = std::as_bytes(std::span(numbers));
    write_atomically(real_file_system(), folder / "a", [&](ByteSink& sink) {
        std::size_t at = 0;
        for (std::size_t n = 1; at < bytes.size(); n = n * 3 + 1) {
            const std::size_t length = std::min(n, bytes.size() - at);
            sink.append(bytes.subspan(at, length));
            at += length;
        }
    });
    const auto back = read_bytes(folder / "a", 1 << 21);
    EXPECT_TRUE(std::equal(back.begin(), back.end(), bytes.begin(), bytes.end()));
}

TEST(AtomicFile, ErrorsNameThePath) {
    const test::TemporaryFolder folder;
    const auto path = folder / "missing" / "a.txt";
    try {
        write_atomically(real_file_system(), path, "x");
        FAIL();
    } catch (const IoError& error) {
        EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos);
    }
    EXPECT_THROW(write_atomically(real_file_system(), folder.path() / "", "x"), IoError);
    std::filesystem::create_directory(folder / "taken");
    EXPECT_THROW(write_atomically(real_file_system(), folder / "taken", "x"), IoError);
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(AtomicFile, AnErrorWhileProducingKeepsTheOldFile) {
    const test::TemporaryFolder folder;
    write_atomically(real_file_system(), folder / "a", "old");
    EXPECT_THROW(
        write_atomically(real_file_system(), folder / "a", [](ByteSink&) { throw Error("changed my mind"); }),
        Error);
    EXPECT_EQ(read_text(folder / "a"), "old");
    EXPECT_EQ(files_in(folder.path()), 1u);
}

std::vector<double> ramp(double start) {
    std::vector<double> values(100'000);
    std::iota(values.begin(), values.end(), start);
    return values;
}

void write_ramp(FileSystem& files, const std::filesystem::path& path, double start) {
    const auto values = ramp(start);
    ArchiveWriter writer;
    writer.add("values", values);
    writer.add_scalar("start", start);
    writer.write(files, path);
}

/// A fault at every operation in turn: what is found afterwards is the old or the new archive, whole.
void check_every_fault(Fault fault, FaultyFileSystem::Only only) {
    bool happened = true;
    for (long at = 1; happened; ++at) {
        const test::TemporaryFolder folder;
        const auto path = folder / "000001.npz";
        write_ramp(real_file_system(), path, 1);
        FaultyFileSystem files(fault, at, only);
        bool failed = false;
        try {
            write_ramp(files, path, 2);
        } catch (const IoError&) {
            failed = true;
        } catch (const test::SimulatedCrash&) {
            failed = true;
        }
        happened = files.triggered();
        ASSERT_EQ(failed, happened && fault != Fault::partial_write) << at;
        const double start = ArchiveReader(path).read_scalar<double>("start");
        EXPECT_EQ(ArchiveReader(path).read<double>("values"), ramp(start));
        if (!failed) {
            EXPECT_EQ(start, 2);
        }
        if (!files.crashed()) {
            EXPECT_EQ(files_in(folder.path()), 1u);
        }
        // Whatever was left behind, writing again works.
        write_ramp(real_file_system(), path, 3);
        EXPECT_EQ(ArchiveReader(path).read<double>("values"), ramp(3));
        EXPECT_EQ(files_in(folder.path()), 1u);
        ASSERT_LT(at, 100);
    }
}

TEST(AtomicFile, NoFaultLosesTheEarlierFile) {
    for (const Fault fault :
         {Fault::no_space, Fault::short_write, Fault::partial_write, Fault::crash, Fault::crash_after})
        for (const auto only : {FaultyFileSystem::Only::any, FaultyFileSystem::Only::rename})
            check_every_fault(fault, only);
}

TEST(AtomicFile, CrashAfterRenameLeavesTheNewFile) {
    const test::TemporaryFolder folder;
    write_ramp(real_file_system(), folder / "a.npz", 1);
    FaultyFileSystem files(Fault::crash_after, 1, FaultyFileSystem::Only::rename);
    EXPECT_THROW(write_ramp(files, folder / "a.npz", 2), test::SimulatedCrash);
    EXPECT_EQ(ArchiveReader(folder / "a.npz").read_scalar<double>("start"), 2);
    EXPECT_THROW(files.remove(folder / "a.npz"), test::SimulatedCrash);
}

}  // namespace
}  // namespace rivulet::io
