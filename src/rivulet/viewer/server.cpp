#include <rivulet/viewer/server.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <system_error>
#include <thread>
#include <utility>

#include <rivulet/base/error.h>

namespace rivulet::viewer {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a thread sleeps before it looks whether the server is to stop.
constexpr int kTick = 100;  // ms

class Socket {
 public:
    Socket() = default;
    explicit Socket(int descriptor) : descriptor_(descriptor) {}
    Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~Socket() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    int get() const { return descriptor_; }

 private:
    int descriptor_ = -1;
};

[[noreturn]] void fail(const std::string& what) {
    throw IoError("127.0.0.1", what + ": " + std::strerror(errno));
}

Socket listen_on(std::uint16_t& port) {
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.get() < 0) fail("no socket");
    const int yes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(socket.get(), generic, sizeof address) != 0) fail(fmt::format("port {}", port));
    if (::listen(socket.get(), 64) != 0) fail("listening");
    socklen_t length = sizeof address;
    if (::getsockname(socket.get(), generic, &length) != 0) fail("port number");
    port = ntohs(address.sin_port);
    return socket;
}

}  // namespace

std::string random_token() {
    const int descriptor = ::open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    const Socket source(descriptor);
    std::array<unsigned char, 16> bytes{};
    if (descriptor < 0 || ::read(descriptor, bytes.data(), bytes.size()) != ssize_t(bytes.size()))
        throw IoError("/dev/urandom", "no random numbers for the address");
    std::string token;
    for (const unsigned char b : bytes) token += fmt::format("{:02x}", b);
    return token;
}

struct Server::State {
    struct Connection {
        std::thread thread;
        std::atomic<bool> done{false};
    };

    std::unique_ptr<Content> content;
    ServerOptions options;
    Access access;
    Socket listener;
    std::atomic<bool> stopping{false};
    std::list<Connection> connections;
    std::thread acceptor;

    void accept_connections();
    void forget_finished();
    void serve(const Socket& socket);
    bool wait_for(const Socket& socket, short events, Clock::time_point deadline) const;
    bool send_all(const Socket& socket, std::string_view bytes) const;
    bool answer(const Socket& socket, const Response& response, bool keep_alive, bool with_body) const;
};

/// False when the deadline passes, the peer is gone or the server stops.
bool Server::State::wait_for(const Socket& socket, short events, Clock::time_point deadline) const {
    while (!stopping && Clock::now() < deadline) {
        pollfd watched{socket.get(), events, 0};
        const int ready = ::poll(&watched, 1, kTick);
        if (ready < 0 && errno != EINTR) return false;
        if (ready > 0) return (watched.revents & events) != 0;
    }
    return false;
}

bool Server::State::send_all(const Socket& socket, std::string_view bytes) const {
    const auto deadline = Clock::now() + options.patience;
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (sent < 0 && (errno == EAGAIN || errno == EINTR)) {
            if (!wait_for(socket, POLLOUT, deadline)) return false;
        } else {
            return false;
        }
    }
    return true;
}

bool Server::State::answer(const Socket& socket, const Response& response, bool keep_alive,
                           bool with_body) const {
    return send_all(socket, response_head(response, keep_alive)) &&
           (!with_body || send_all(socket, response.body)) && keep_alive;
}

/// One request after the other until the peer leaves, dawdles or sends something we refuse.
void Server::State::serve(const Socket& socket) {
    std::string received;
    std::array<char, 4096> piece{};
    auto deadline = Clock::now() + options.patience;
    while (true) {
        const Parsed parsed = parse_request(received);
        if (parsed.state == Parsed::State::refused) {
            answer(socket, plain_response(parsed.status, parsed.reason + "\n"), false, true);
            return;
        }
        if (parsed.state == Parsed::State::complete) {
            received.erase(0, parsed.length);
            const Request& request = parsed.request;
            const Response response = handle(request, access, *content);
            if (!answer(socket, response, request.keep_alive, request.method != "HEAD")) return;
            deadline = Clock::now() + options.patience;
            continue;
        }
        if (!wait_for(socket, POLLIN, deadline)) {
            if (!received.empty()) answer(socket, plain_response(408, "too slow\n"), false, true);
            return;
        }
        const ssize_t got = ::recv(socket.get(), piece.data(), piece.size(), 0);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return;
        if (got > 0) received.append(piece.data(), static_cast<std::size_t>(got));
    }
}

void Server::State::forget_finished() {
    for (auto c = connections.begin(); c != connections.end();) {
        if (c->done) {
            c->thread.join();
            c = connections.erase(c);
        } else {
            ++c;
        }
    }
}

void Server::State::accept_connections() {
    while (!stopping) {
        if (!wait_for(listener, POLLIN, Clock::now() + std::chrono::seconds(1))) continue;
        Socket socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (socket.get() < 0) continue;
        const int yes = 1;
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        forget_finished();
        if (connections.size() >= options.connections) {
            const std::string busy = response_head(plain_response(503, ""), false);
            [[maybe_unused]] const ssize_t sent =
                ::send(socket.get(), busy.data(), busy.size(), MSG_NOSIGNAL);
            continue;
        }
        Connection& connection = connections.emplace_back();
        try {
            connection.thread = std::thread([this, &connection, held = std::move(socket)] {
                try {
                    serve(held);
                } catch (const std::exception&) {
                    // Out of memory for one answer: this connection ends, the others go on.
                }
                connection.done = true;
            });
        } catch (const std::system_error&) {
            connections.pop_back();
        }
    }
}

Server::Server(std::unique_ptr<Content> content, const ServerOptions& options)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.content = std::move(content);
    s.options = options;
    s.access = {options.port, random_token()};
    s.listener = listen_on(s.access.port);
    s.acceptor = std::thread([&s] { s.accept_connections(); });
}

Server::~Server() {
    state_->stopping = true;
    state_->acceptor.join();
    for (auto& c : state_->connections) c.thread.join();
}

std::string Server::address() const {
    return fmt::format("http://127.0.0.1:{}/{}/", state_->access.port, state_->access.token);
}

const Access& Server::access() const {
    return state_->access;
}

}  // namespace rivulet::viewer
