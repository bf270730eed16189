#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Feeds every file of a folder to the fuzz target, in order of names. No file at all is a failure.
int main(int count, char** arguments) {
    if (count != 2) return std::fputs("give the folder of a corpus\n", stderr), 2;
    std::set<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) paths.insert(entry.path());
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
        std::printf("%s: %zu bytes\n", path.filename().c_str(), bytes.size());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    return paths.empty() ? 1 : 0;
}
