#include <rivulet/base/version.h>

namespace rivulet {

std::string version() {
    return RIVULET_VERSION;
}

std::string build_description() {
    std::string text = "compiler " RIVULET_COMPILER;
#ifdef RIVULET_OLD_CPU
    text += ", x86-64";
#else
    text += ", x86-64-v3";
#endif
    return text + ", no contraction, " RIVULET_BUILD_TYPE;
}

}  // namespace rivulet
