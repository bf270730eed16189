#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include <rivulet/base/error.h>
#include <rivulet/io/file_system.h>

namespace rivulet::test {

/// The process is gone from here on: code under test must not catch it and carry on.
struct SimulatedCrash : std::exception {
    const char* what() const noexcept override { return "simulated crash"; }
};

enum class Fault {
    none,           // only count
    no_space,       // the operation fails with "No space left on device"
    short_write,    // half of the bytes arrive, then "No space left on device"; other operations just fail
    partial_write,  // half of the bytes arrive and the call says so: no failure
    crash,          // stop before the operation; half of the bytes of a write arrive
    crash_after,    // stop right after the operation has happened
};

/// Real files, with a fault at the n-th changing operation (from 1) among those that `only` selects. After a
/// crash every further operation throws SimulatedCrash and changes nothing.
class FaultyFileSystem final : public io::FileSystem {
 public:
    enum class Only { any, rename };

    FaultyFileSystem(Fault fault, long at, Only only = Only::any) : fault_(fault), at_(at), only_(only) {}

    /// Operations counted so far: with `fault` none, the number of places where a fault can happen.
    long operations() const { return count_; }
    bool crashed() const { return crashed_; }
    bool triggered() const { return triggered_; }

    Handle open(const std::filesystem::path& path, Mode mode) override {
        Handle handle;
        step(path, false, [&] { handle = real_.open(path, mode); });
        return handle;
    }
    std::size_t write_some(const Handle& file, std::span<const std::byte> bytes) override {
        std::size_t written = 0;
        const bool hit = is_due(false);
        if (hit && fault_ != Fault::no_space && fault_ != Fault::crash_after) {
            const auto half = bytes.first(bytes.size() / 2);
            if (!half.empty()) written = real_.write_some(file, half);
            if (fault_ == Fault::short_write) fail(file.path);
            if (fault_ == Fault::crash) crash();
            if (written > 0) return written;
        }
        if (hit && fault_ == Fault::no_space) fail(file.path);
        written = real_.write_some(file, bytes);
        if (hit && fault_ == Fault::crash_after) crash();
        return written;
    }
    void sync(const Handle& file) override {
        step(file.path, false, [&] { real_.sync(file); });
    }
    void close(Handle& file) override {
        step(file.path, false, [&] { real_.close(file); });
    }
    void abandon(Handle& file) noexcept override { real_.abandon(file); }
    void rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
        step(to, true, [&] { real_.rename(from, to); });
    }
    void remove(const std::filesystem::path& path) override {
        step(path, false, [&] { real_.remove(path); });
    }
    void sync_folder(const std::filesystem::path& folder) override {
        step(folder, false, [&] { real_.sync_folder(folder); });
    }
    void truncate(const std::filesystem::path& path, std::uint64_t size) override {
        step(path, false, [&] { real_.truncate(path, size); });
    }
    void create_directories(const std::filesystem::path& folder) override {
        step(folder, false, [&] { real_.create_directories(folder); });
    }
    std::uint64_t free_space(const std::filesystem::path& path) override {
        if (crashed_) throw SimulatedCrash();
        return is_full && is_full() ? 0 : real_.free_space(path);
    }

    /// Whether to say that there is no space left; null: as it is.
    std::function<bool()> is_full;

 private:
    template <class F>
    void step(const std::string& path, bool is_rename, F&& operation) {
        const bool hit = is_due(is_rename);
        if (hit && fault_ == Fault::crash) crash();
        if (hit && (fault_ == Fault::no_space || fault_ == Fault::short_write)) fail(path);
        operation();
        if (hit && fault_ == Fault::crash_after) crash();
    }
    bool is_due(bool is_rename) {
        if (crashed_) throw SimulatedCrash();
        if (only_ == Only::rename && !is_rename) return false;
        const bool hit = ++count_ == at_ && fault_ != Fault::none;
        if (hit) triggered_ = true;
        return hit;
    }
    [[noreturn]] void crash() {
        crashed_ = true;
        throw SimulatedCrash();
    }
    [[noreturn]] static void fail(const std::string& path) {
        throw IoError(path, "cannot write: No space left on device");
    }

    io::FileSystem& real_ = io::real_file_system();
    Fault fault_;
    long at_;
    Only only_;
    std::atomic<long> count_ = 0;
    std::atomic<bool> crashed_ = false, triggered_ = false;
};

}  // namespace rivulet::test
