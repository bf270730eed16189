#pragma once

#include <string>
#include <utility>

#include <rivulet/base/error.h>

namespace rivulet::io {

/// Throws the InputError of a file that cannot be read. Line 0: unknown.
[[noreturn]] inline void refuse_file(std::string file, int line, std::string message, std::string hint = {}) {
    throw InputError(Problem{std::move(file), line, 0, {}, std::move(message), std::move(hint)});
}

}  // namespace rivulet::io
