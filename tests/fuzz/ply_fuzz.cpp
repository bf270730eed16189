// rooms: io
#include "mesh_and_curves.h"

#include <rivulet/io/ply_curves.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    rivulet::read_mesh_and_curves({data, size}, rivulet::io::read_ply, rivulet::io::parse_ply_curves);
    return 0;
}
