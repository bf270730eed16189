#include <rivulet/verify/bench_case.h>
#include <rivulet/verify/case.h>
#include <rivulet/verify/film_rig.h>

/// Each room's cases live in files named for it and are offered by one function, declared and called here: an
/// explicit list, so that nothing is registered behind anybody's back.
namespace rivulet::verify {

std::vector<BenchCase> output_benchmarks();
std::vector<BenchCase> grid_benchmarks();
std::vector<BenchCase> pressure_benchmarks();
std::vector<BenchCase> liquid_benchmarks();
std::vector<BenchCase> strand_benchmarks();
std::vector<BenchCase> shear_benchmarks();
std::vector<BenchCase> coupling_benchmarks();
std::vector<BenchCase> film_benchmarks();
std::vector<BenchCase> contact_benchmarks();
std::vector<BenchCase> penalty_benchmarks();
std::vector<BenchCase> surface_benchmarks();
std::vector<BenchCase> render_benchmarks();

std::vector<Case> strand_cases();
std::vector<Case> coupling_cases();
std::vector<Case> contact_cases();
std::vector<Case> pressure_cases();
std::vector<Case> liquid_cases();
std::vector<Case> liquid_motion_cases();
std::vector<Case> liquid_layer_cases();
std::vector<Case> liquid_drop_cases();
std::vector<Case> folding_cases();
std::vector<Case> surface_cases();
std::vector<Case> shear_channel_cases();
std::vector<Case> shear_rest_cases();
std::vector<Case> shear_slump_cases();
std::vector<Case> shear_wall_cases();
std::vector<Case> shear_tear_cases();
std::vector<Case> shear_motion_cases();

namespace {
template <class T>
void append(std::vector<T>& all, std::vector<T> some) {
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}
}  // namespace

std::vector<Case> all_cases() {
    std::vector<Case> all;
    append(all, strand_cases());
    append(all, contact_cases());
    append(all, film_flow_cases());
    append(all, film_bead_cases());
    append(all, film_strand_cases());
    append(all, film_drip_cases());
    append(all, film_figure_cases());
    append(all, coupling_cases());
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
    append(all, film_benchmarks());
    append(all, contact_benchmarks());
    append(all, penalty_benchmarks());
    append(all, surface_benchmarks());
    append(all, render_benchmarks());
    return all;
}

}  // namespace rivulet::verify
