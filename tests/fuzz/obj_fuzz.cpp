// rooms: io
#include "mesh_and_curves.h"

#include <rivulet/io/obj_curves.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rivulet::read_mesh_and_curves({data, size}, rivulet::io::read_obj, rivulet::io::parse_obj_curves);
    return 0;
}
