// rooms: scene
#include <cstdint>

#include <rivulet/base/error.h>
#include <rivulet/scene/scene.h>

using namespace rivulet;

/// A scene whose resolved text reads back as itself, or an InputError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::string resolved;
    try {
        resolved = scene::resolved_text(scene::read_scene_text(text, "fuzz.toml", "/nowhere"));
    } catch (const InputError&) {
        return 0;
    }
    if (scene::resolved_text(scene::read_scene_text(resolved, "resolved.toml", "/nowhere")) != resolved)
        __builtin_trap();
    return 0;
}
