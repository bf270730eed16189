#include <rivulet/verify/list.h>

namespace rivulet::verify {

std::vector<BenchCase> output_benchmarks() {
    return {};
}

}  // namespace rivulet::verify
