// rooms: io
#include <rivulet/base/error.h>
#include <rivulet/io/hair_file.h>

using namespace rivulet;

/// Curves that own their points in order, or an InputError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const io::CurveArrays curves = io::parse_hair({reinterpret_cast<const char*>(data), size}, "fuzz");
        for (std::size_t c = 0; c < curves.curve_count(); ++c)
            if (curves.start[c] > curves.start[c + 1]) __builtin_trap();
        if (curves.start.back() != static_cast<std::int64_t>(curves.position.size())) __builtin_trap();
    } catch (const InputError&) {
    }
    return 0;
}
