#pragma once

#include <rivulet/base/aligned.h>

namespace rivulet::linear {

using rivulet::AlignedVector;

}  // namespace rivulet::linear
