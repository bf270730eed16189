#pragma once

namespace rivulet::cli {

/// First Ctrl-C (or SIGTERM): `note` (a literal) is printed, `interrupted` turns true and the work at hand
/// ends in good order. Second: the process ends. A terminal that closes (SIGHUP) and a reader of our output
/// that ends (SIGPIPE) are such a first one.
void catch_interrupts(const char* note);
bool interrupted();

}  // namespace rivulet::cli
