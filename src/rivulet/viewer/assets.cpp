#include <rivulet/viewer/assets.h>

#include <array>

// The bundled page, taken in by the assembler: no compile time for a megabyte of array.
asm(R"(
    .pushsection .rodata
    .global rivulet_page_html, rivulet_page_html_end
    .global rivulet_page_script, rivulet_page_script_end
    .global rivulet_page_style, rivulet_page_style_end
rivulet_page_html:
    .incbin "index.html"
rivulet_page_html_end:
rivulet_page_script:
    .incbin "app.js"
rivulet_page_script_end:
rivulet_page_style:
    .incbin "app.css"
rivulet_page_style_end:
    .byte 0
    .popsection
)");

extern "C" {
extern const char rivulet_page_html[], rivulet_page_html_end[];
extern const char rivulet_page_script[], rivulet_page_script_end[];
extern const char rivulet_page_style[], rivulet_page_style_end[];
}

namespace rivulet::viewer {

std::span<const Asset> assets() {
    static const std::array<Asset, 3> all{{
        {"", "text/html; charset=utf-8", {rivulet_page_html, rivulet_page_html_end}},
        {"app.js", "text/javascript; charset=utf-8", {rivulet_page_script, rivulet_page_script_end}},
        {"app.css", "text/css; charset=utf-8", {rivulet_page_style, rivulet_page_style_end}},
    }};
    return all;
}

}  // namespace rivulet::viewer
