// rooms: io
#include <rivulet/base/error.h>
#include <rivulet/io/archive_reader.h>

using namespace rivulet;

/// Opens, verifies and reads every array in several ways: an InputError or data, nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const io::ArchiveReader reader(std::as_bytes(std::span(data, size)), "fuzz");
        reader.text("fields.json");
        for (const io::ArrayInfo& array : reader.arrays()) {
            if (reader.read_raw(array.name).size() != array.bytes) __builtin_trap();
            try {
                reader.read<double>(array.name, io::Conversion::widen);
            } catch (const InputError&) {
            }
            try {
                reader.read<Vec3d>(array.name, io::Conversion::widen);
            } catch (const InputError&) {
            }
            try {
                reader.read_scalar<bool>(array.name);
            } catch (const InputError&) {
            }
        }
        reader.verify();
    } catch (const InputError&) {
    }
    return 0;
}
