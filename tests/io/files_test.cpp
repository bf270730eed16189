#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rivulet/base/error.h>
#include <rivulet/io/append_file.h>
#include <rivulet/io/atomic_file.h>
#include <rivulet/io/hash.h>
#include <rivulet/io/lock_file.h>
#include <rivulet/io/text_file.h>
#include <support/faulty_file_system.h>
#include <support/temporary_folder.h>

namespace rivulet::io {
namespace {

TEST(AppendFile, FlushesRowsAndResumesAtASize) {
    const test::TemporaryFolder folder;
    const auto path = folder / "metrics.csv";
    std::uint64_t mark = 0;
    {
        AppendFile file = AppendFile::create(real_file_system(), path);
        file.append("step\n");
        file.append("1\n");
        EXPECT_EQ(read_text(path), "");
        mark = file.size();
        file.flush();
        EXPECT_EQ(read_text(path), "step\n1\n");
        file.append("2\n");
        file.sync();
        file.append("dropped, never flushed");
    }
    EXPECT_EQ(read_text(path), "step\n1\n2\n");
    AppendFile again = AppendFile::resume(real_file_system(), path, mark);
    again.append("2b\n");
    again.flush();
    EXPECT_EQ(again.size(), mark + 3);
    EXPECT_EQ(read_text(path), "step\n1\n2b\n");
    EXPECT_THROW(AppendFile::resume(real_file_system(), path, 1000), IoError);
    EXPECT_THROW(AppendFile::resume(real_file_system(), folder / "missing", 0), IoError);
}

TEST(AppendFile, AFailedFlushLeavesWholeRowsAndCanBeRepeated) {
    const test::TemporaryFolder folder;
    const auto path = folder / "metrics.csv";
    // open, close, open, write, then the short write
    test::FaultyFileSystem files(test::Fault::short_write, 5);
    AppendFile file = AppendFile::create(files, path);
    file.append("first row\n");
    file.flush();
    file.append("second row\n");
    EXPECT_THROW(file.flush(), IoError);
    EXPECT_TRUE(files.triggered());
    EXPECT_EQ(read_text(path), "first row\n");
    file.flush();
    EXPECT_EQ(read_text(path), "first row\nsecond row\n");
}

TEST(Links, AreNotWrittenThrough) {
    const test::TemporaryFolder folder;
    write_atomically(real_file_system(), folder / "precious", "kept");
    const auto link = folder / "link";
    const auto refused = [&](auto&& work) {
        try {
            work();
            return false;
        } catch (const IoError& e) {
            return std::string(e.what()).find("link to another file") != std::string::npos;
        }
    };
    std::filesystem::create_symlink("precious", link);
    EXPECT_TRUE(refused([&] { AppendFile::create(real_file_system(), link); }));
    EXPECT_TRUE(refused([&] { AppendFile::resume(real_file_system(), link, 2); }));
    EXPECT_TRUE(refused([&] { real_file_system().truncate(link, 1); }));
    EXPECT_TRUE(refused([&] { LockFile lock(link); }));
    std::filesystem::create_symlink("precious", temporary_name(folder / "other"));
    EXPECT_TRUE(refused([&] { write_atomically(real_file_system(), folder / "other", "x"); }));
    // Written as a whole, a link is replaced by a file of its own. A folder may be a link.
    write_atomically(real_file_system(), link, "new");
    EXPECT_FALSE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_text(folder / "precious"), "kept");
    std::filesystem::create_directory(folder / "disk");
    std::filesystem::create_directory_symlink("disk", folder / "frames");
    write_atomically(real_file_system(), folder / "frames/a", "x");
    EXPECT_EQ(read_text(folder / "disk/a"), "x");
}

TEST(LockFile, KeepsAnotherHolderOut) {
    const test::TemporaryFolder folder;
    const auto path = folder / "lock";
    EXPECT_FALSE(lock_holder(path));
    {
        const LockFile lock(path);
        EXPECT_EQ(lock_holder(path), getpid());
        try {
            const LockFile second(path);
            FAIL();
        } catch (const IoError& error) {
            EXPECT_NE(std::string(error.what()).find("process " + std::to_string(getpid())),
                      std::string::npos);
        }
    }
    EXPECT_FALSE(lock_holder(path));
    const LockFile again(path);
}

TEST(LockFile, EndsWithTheProcess) {
    const test::TemporaryFolder folder;
    const auto path = folder / "lock";
    const pid_t child = fork();
    if (child == 0) {
        const LockFile lock(path);
        _exit(lock_holder(path) == getpid() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(lock_holder(path));
    const LockFile free_again(path);
}

TEST(TextFile, RefusesWhatIsNoOrdinaryFileOrTooLarge) {
    const test::TemporaryFolder folder;
    write_atomically(real_file_system(), folder / "a.txt", "12345");
    EXPECT_EQ(read_text(folder / "a.txt", 5), "12345");
    EXPECT_THROW(read_text(folder / "a.txt", 4), InputError);
    EXPECT_THROW(read_text(folder.path()), IoError);
    EXPECT_THROW(read_text("/dev/zero"), IoError);
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THROW(read_text(folder / "pipe"), IoError);
    EXPECT_THROW(read_text(folder / "missing"), IoError);
}

TEST(Hash, KnownValuesAndFiles) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(hash_text(xxh64({})), "ef46db3751d8e999");  // reference value of the empty input, seed 0
    EXPECT_EQ(hash_text(xxh64(std::as_bytes(std::span(std::string_view("abc"))))), "44bc2cf5ad770999");
    const std::string large(3'000'000, 'x');
    write_atomically(real_file_system(), folder / "x", large);
    EXPECT_EQ(xxh64_of_file(folder / "x"), xxh64(std::as_bytes(std::span(large))));
    EXPECT_THROW(xxh64_of_file(folder.path()), IoError);
}

TEST(FileSystem, FoldersTruncationAndFreeSpace) {
    const test::TemporaryFolder folder;
    FileSystem& files = real_file_system();
    files.create_directories(folder / "a" / "b");
    files.create_directories(folder / "a" / "b");
    write_atomically(files, folder / "a" / "b" / "c", "123456");
    files.truncate(folder / "a" / "b" / "c", 2);
    EXPECT_EQ(read_text(folder / "a" / "b" / "c"), "12");
    files.remove(folder / "a" / "b" / "c");
    files.remove(folder / "a" / "b" / "c");
    EXPECT_FALSE(std::filesystem::exists(folder / "a" / "b" / "c"));
    EXPECT_GT(files.free_space(folder.path()), 0u);
    EXPECT_THROW(files.free_space(folder / "missing"), IoError);
    EXPECT_THROW(files.create_directories("/dev/null/x"), IoError);
}

}  // namespace
}  // namespace rivulet::io
