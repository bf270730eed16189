#pragma once

namespace rivulet::cli {

/// First Ctrl-C (or SIGTERM): `interrupted` turns true and the run ends after its step. Second: the process
/// ends.
void catch_interrupts();
bool interrupted();

}  // namespace rivulet::cli
