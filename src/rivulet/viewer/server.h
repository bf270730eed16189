#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <rivulet/viewer/route.h>

namespace rivulet::viewer {

struct ServerOptions {
    std::uint16_t port = 0;  // 0: any free one
    std::size_t connections = 32;
    /// A request must be complete, and an answer taken, within this; an idle connection is closed after it.
    std::chrono::milliseconds patience{10'000};
};

/// 32 hexadecimal digits from the system's random source.
std::string random_token();

/// Serves a Content over HTTP on 127.0.0.1 from threads of its own, from construction to destruction. One
/// thread per connection, a bounded number of them; further connections are answered 503.
class Server {
 public:
    /// Throws IoError when the port cannot be had.
    Server(std::unique_ptr<Content> content, const ServerOptions& options = {});
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// What to open in a browser: http://127.0.0.1:PORT/TOKEN/
    std::string address() const;
    const Access& access() const;

 private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rivulet::viewer
