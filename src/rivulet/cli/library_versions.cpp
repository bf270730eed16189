#include <rivulet/cli/library_versions.h>

#include <fmt/core.h>
#include <tbb/version.h>
#include <xxhash.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>

namespace rivulet::cli {

std::string library_versions() {
    return fmt::format("TBB {}.{}, Eigen {}.{}.{}, fmt {}.{}.{}, CLI11 {}, zlib {}, xxHash {}.{}.{}",
                       TBB_VERSION_MAJOR, TBB_VERSION_MINOR, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                       EIGEN_MINOR_VERSION, FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100,
                       CLI11_VERSION, ZLIB_VERSION, XXH_VERSION_MAJOR, XXH_VERSION_MINOR,
                       XXH_VERSION_RELEASE);
}

}  // namespace rivulet::cli
