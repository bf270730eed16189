#include <rivulet/verify/list.h>

namespace rivulet::verify {

namespace {
template <class T>
void append(std::vector<T>& all, std::vector<T> some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}
}  // namespace

std::vector<Case> all_cases() {
    std::vector<Case> all;
    append(all, strand_cases());
    append(all, pressure_cases());
    append(all, liquid_cases());
    append(all, liquid_motion_cases());
    append(all, liquid_layer_cases());
    append(all, liquid_drop_cases());
    append(all, folding_cases());
    append(all, surface_cases());
    append(all, shear_channel_cases());
    append(all, shear_rest_cases());
    append(all, shear_slump_cases());
    append(all, shear_wall_cases());
    append(all, shear_tear_cases());
    append(all, shear_motion_cases());
    return all;
}

std::vector<BenchCase> all_benchmarks() {
    std::vector<BenchCase> all;
    append(all, output_benchmarks());
    append(all, grid_benchmarks());
    append(all, pressure_benchmarks());
    append(all, liquid_benchmarks());
    append(all, shear_benchmarks());
    append(all, strand_benchmarks());
    append(all, coupling_benchmarks());
    append(all, surface_benchmarks());
    append(all, render_benchmarks());
    return all;
}

}  // namespace rivulet::verify
