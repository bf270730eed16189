#pragma once

#include <vector>

#include <rivulet/verify/bench_case.h>
#include <rivulet/verify/case.h>

/// Each room's cases live in files named for it and are offered by one function declared here and called in
/// list.cpp: an explicit list, so that nothing is registered behind anybody's back.
namespace rivulet::verify {

std::vector<BenchCase> output_benchmarks();
std::vector<BenchCase> grid_benchmarks();
std::vector<BenchCase> pressure_benchmarks();
std::vector<BenchCase> liquid_benchmarks();
std::vector<BenchCase> strand_benchmarks();
std::vector<BenchCase> shear_benchmarks();
std::vector<BenchCase> coupling_benchmarks();
std::vector<BenchCase> surface_benchmarks();
std::vector<BenchCase> render_benchmarks();

std::vector<Case> strand_cases();
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

}  // namespace rivulet::verify
