// Headers that most files read, parsed once: see cmake/RivuletPrecompiled.cmake. Every file still includes what it
// uses; the builds without precompiled headers (clang, ccache) show when one does not.
#if defined(__AVX__)
#include <immintrin.h>
#endif
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
