#pragma once

#include <cstdint>
#include <string>

namespace rivulet {

/// Facts about the machine and this process, for records and messages; never for results.
std::string host_name();
std::int64_t process_id();
double seconds_since_1970();
std::int64_t peak_memory_bytes();
/// Forgets the peak so far and returns what is held now: later peaks minus this are a task's own. Where the
/// system cannot forget, returns the peak.
std::int64_t restart_peak_memory();
/// Lets large arrays go back to the system when they are freed; otherwise the C library keeps blocks of up to
/// 32 MB, and a growing run holds its old arrays beside the new. For the start of a program.
void return_freed_memory();
/// Processor time of all threads of this process, user and system [s].
double processor_seconds();
/// Memory of the machine; 0 when unknown.
std::int64_t machine_memory_bytes();
std::string cpu_name();
/// Empty when the processor can run this build; otherwise a sentence that says what is missing.
std::string cpu_complaint();

}  // namespace rivulet
