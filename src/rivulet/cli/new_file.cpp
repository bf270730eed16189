#include <rivulet/cli/new_file.h>

#include <filesystem>

#include <rivulet/base/error.h>
#include <rivulet/cli/terminal.h>
#include <rivulet/io/atomic_file.h>

namespace rivulet::cli {

void write_new_file(const std::string& text, const std::string& file, bool overwrite) {
    if (std::filesystem::exists(file) && !overwrite)
        throw InputError(Problem{file, 0, 0, "", "exists already", "choose another name or add --overwrite"});
    io::write_atomically(io::real_file_system(), file, text);
    note("written: {}\n", file);
}

}  // namespace rivulet::cli
