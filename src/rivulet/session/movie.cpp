#include <rivulet/session/movie.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include <rivulet/base/error.h>
#include <rivulet/io/text_file.h>

extern char** environ;

namespace rivulet::session {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostPictureBytes = std::uint64_t{1} << 30;

std::string find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
    }
    return "";
}

/// A program with its standard input in our hands and its messages in a file. A socket, not a pipe: writing
/// to a program that has ended is then an error and no signal.
class Feed {
 public:
    Feed(const std::string& program, std::vector<std::string> arguments, const fs::path& messages) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(program, errno);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0644);
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (std::string& a : arguments) argv.push_back(a.data());
        argv.push_back(nullptr);
        const int error = posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        socket_ = ends[0];
        if (error != 0) {
            process_ = -1;
            fail(program, error);
        }
    }
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;
    ~Feed() { finish(); }

    /// False when the program takes no more.
    bool send_all(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent <= 0) return false;
            bytes = bytes.subspan(std::size_t(sent));
        }
        return true;
    }
    /// Ends the input and waits; true when the program is content.
    bool finish() {
        if (socket_ >= 0) close(socket_);
        socket_ = -1;
        if (process_ < 0) return false;
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = -1;
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

 private:
    [[noreturn]] static void fail(const std::string& program, int error) {
        throw IoError(program, "cannot be started: " + std::generic_category().message(error));
    }
    pid_t process_ = -1;
    int socket_ = -1;
};

}  // namespace

void require_ffmpeg() {
    if (find_program("ffmpeg").empty())
        throw InputError(Problem{"", 0, 0, "", "a movie needs the program ffmpeg, which is not here",
                                 "install it (apt install ffmpeg), or make pictures: -o FOLDER/pic.png"});
}

void write_movie(io::FileSystem& files, const fs::path& path, const std::vector<fs::path>& pictures,
                 double fps, const Progress& progress) {
    require_ffmpeg();
    if (!path.parent_path().empty()) files.create_directories(path.parent_path());
    const fs::path part = io::folder_of(path) / (path.stem().string() + ".part.mp4");
    const fs::path messages = io::folder_of(path) / (path.stem().string() + ".part.txt");
    // Sides of H.264 pictures are even; a fixed number of threads keeps the bytes the same everywhere.
    const std::vector<std::string> arguments{"-y",
                                             "-loglevel",
                                             "error",
                                             "-f",
                                             "image2pipe",
                                             "-c:v",
                                             "png",
                                             "-framerate",
                                             fmt::format("{}", fps > 0 ? fps : 24),
                                             "-i",
                                             "-",
                                             "-vf",
                                             "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                             "-c:v",
                                             "libx264",
                                             "-preset",
                                             "medium",
                                             "-crf",
                                             "18",
                                             "-pix_fmt",
                                             "yuv420p",
                                             "-threads",
                                             "2",
                                             "-fflags",
                                             "+bitexact",
                                             "-flags:v",
                                             "+bitexact",
                                             "-movflags",
                                             "+faststart",
                                             part.string()};
    Feed ffmpeg(find_program("ffmpeg"), arguments, messages);
    bool taken = true;
    for (std::size_t i = 0; taken && i < pictures.size(); ++i) {
        taken = ffmpeg.send_all(io::read_bytes(pictures[i], kMostPictureBytes));
        if (progress) progress(double(i + 1), double(pictures.size()));
    }
    const bool content = ffmpeg.finish();
    const std::string words = fs::exists(messages) ? io::read_text(messages) : "";
    files.remove(messages);
    if (!taken || !content) {
        files.remove(part);
        throw IoError(path.string(), "ffmpeg could not make the movie: " + words);
    }
    io::OpenFile written(files, part, io::FileSystem::Mode::append);
    written.sync();
    written.close();
    files.rename(part, path);
    files.sync_folder(io::folder_of(path));
}

}  // namespace rivulet::session
