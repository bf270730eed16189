#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <rivulet/viewer/server.h>

namespace rivulet::cli {

/// Serves the page of a run, which may still be to come, while the object lives.
std::unique_ptr<viewer::Server> serve_page(const std::string& out, std::uint16_t port = 0);

/// Until Ctrl-C.
void wait_for_interrupt();

}  // namespace rivulet::cli
