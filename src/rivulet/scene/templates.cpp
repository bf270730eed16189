#include <fmt/format.h>

#include <rivulet/base/error.h>
#include <rivulet/scene/describe.h>
#include <rivulet/scene/language.h>

namespace rivulet::scene {
namespace {

struct Text {
    Template about;
    std::string body;
};

const std::vector<Text>& texts() {
    static const std::vector<Text> list{
        {{"dam", "A column of water collapses in a tank, a paddle pushes it back."}, R"(format = 1
title = "Dam break with a moving paddle"
detail = 1                             # the size dial: 2 halves the cells
time = { fps = 30, end = "4 s" }
grid = { cell = "2 cm" }

# A container: the liquid is inside of it.
[obstacle.tank]
shape = { type = "box", min = "0, 0, 0 m", max = "1.6, 1, 0.4 m" }
side = "inside"

# Something that moves: keys are [time, offset].
[obstacle.paddle]
shape = { type = "rounded_box", center = "1.4, 0.3, 0.2 m", size = "6, 60, 36 cm", radius = "1 cm" }
[[obstacle.paddle.motion]]
type = "translate"
keys = [["0 s", "0, 0, 0 cm"], ["1 s", "0, 0, 0 cm"], ["1.5 s", "-30, 0, 0 cm"], ["2 s", "0, 0, 0 cm"]]

# A material of your own, starting from one of the catalogue.
[material.dyed_water]
base = "water"
color = [0.1, 0.4, 0.8]

[liquid.column]
material = "dyed_water"
fill = { type = "box", min = "0, 0, 0 m", max = "0.4, 0.7, 0.4 m" }

[camera.main]
position = "0.8, 0.8, 2.4 m"
target = "0.8, 0.3, 0.2 m"
)"},
        {{"tap", "A tap fills a tank with a drain."}, R"(format = 1
title = "A tap over a tank with a drain"
time = { fps = 24, end = "5 s" }
grid = { cell = "1 cm" }

[obstacle.tank]
shape = { type = "box", min = "0, 0, 0 cm", max = "40, 40, 40 cm" }
side = "inside"

# Liquid comes in where the shape is, while active, until the total is reached.
[inflow.tap]
material = "water"
shape = { type = "cylinder", from = "20, 34, 20 cm", to = "20, 36, 20 cm", radius = "2 cm" }
velocity = "0, -1.2, 0 m/s"
active = ["0 s", "4 s"]
total = "5 L"

[sink.drain]
shape = { type = "cylinder", from = "35, -1, 35 cm", to = "35, 1, 35 cm", radius = "2 cm" }

[camera.main]
position = "0.2, 0.5, 1.2 m"
target = "0.2, 0.15, 0.2 m"
)"},
        {{"drop", "A drop falls on a turning bar: the smallest scene that does something."}, R"(format = 1
title = "A drop on a turning bar"
time = { fps = 24, end = "1 s" }
grid = { cell = "5 mm" }

[obstacle.floor]
shape = { type = "plane", point = "0, 0, 0 m", normal = [0, 1, 0] }

[obstacle.bar]
shape = { type = "capsule", from = "-10, 10, 0 cm", to = "10, 10, 0 cm", radius = "1 cm" }
[[obstacle.bar.motion]]
type = "spin"
axis = [0, 0, 1]
pivot = "0, 10, 0 cm"
rate = "60 rpm"

[liquid.drop]
material = "water"
fill = { type = "sphere", center = "3, 25, 0 cm", radius = "3 cm" }
)"},
        {{"dip", "Hair drawn out of a pool: strands and liquid drag each other, and it comes out wet."},
         R"(format = 1
title = "Hair drawn out of a pool"
detail = 1                             # 2: cells and segments half as large, more hairs
time = { fps = 48, end = "1 s" }
step = { max = "2 ms" }
grid = { cell = "5 mm" }

# How strands and the liquid around them meet; each key switches one part of it.
[wetting]
drag = true                            # liquid and strands pull each other along
drag_law = "automatic"                 # or cylinder, di_felice, darcy, constant
pressure = true                        # strands float or sink
volume_fraction = true                 # liquid rises around strands
capture = "holding"                    # they come out wet; "none": dry; or "landau_levich"

[obstacle.tank]
shape = { type = "box", min = "-6, 0, -4 cm", max = "6, 30, 4 cm" }
side = "inside"
visible = false

[liquid.pool]
material = "water"
fill = { type = "box", min = "-6, 0, -4 cm", max = "6, 7, 4 cm" }

[strands.hair]
material = "human_hair"
radius = { root = "60 um" }
segment = "4 mm"
groom = { type = "rows", origin = "-2, 8, -0.8 cm", columns = 5, rows = 5, column_step = "4, 0, 0 mm",
          row_step = "0, 0, 4 mm", direction = [0, -1, 0], length = "7 cm" }

[[strands.hair.motion]]
type = "translate"
ease = "smooth"
keys = [["0.1 s", "0, 0, 0 cm"], ["0.7 s", "2, 9, 0 cm"]]

[camera.main]
position = "0.03, 0.13, 0.34 m"
target = "0, 0.09, 0 m"
)"},
        {{"drips", "Wet curls that drip: films that flow along strands, weigh on them and fall off."},
         R"(format = 1
title = "Dripping curls"
detail = 1                             # 2: segments half as long
time = { fps = 48, end = "2 s" }
step = { max = "1 ms" }
grid = { cell = "1 mm" }               # drops are about half a cell wide
world = { air = { density = "1.2 kg/m^3" }, keep = { min = "-5, -30, -5 cm", max = "5, 3, 5 cm" } }

# How films behave; each key switches one part of it.
[film]
flow = true                            # along the strands
dripping = true                        # what strands cannot hold leaves as drops
inertia = true                         # films feel how strands move
momentum = "transported"               # liquid takes the strand's velocity along
friction = "exact"                     # or "papers"

[strands.curls]
material = "human_hair"
radius = { root = "45 um" }
segment = "2 mm"
film = { liquid = "water", thickness = "0.1 mm", to = 0.7, feed = "2 mm^3/s" }
groom = { type = "rows", origin = "-2, 0, 0 cm", columns = 5, column_step = "1, 0, 0 cm", direction = [0, -1, 0],
          length = "10 cm", curl = { radius = "5 mm", pitch = "2 cm" }, seed = 1 }

[camera.main]
position = "0.05, -0.04, 0.22 m"
target = "0, -0.05, 0 m"
)"},
        {{"hair", "A wet lock of hair and a dry one are pushed by a bar: contact, friction and cohesion."},
         R"(format = 1
title = "A wet and a dry lock pushed by a bar"
detail = 1                             # 2: twice as many hairs of half as long segments
time = { fps = 24, end = "2 s" }
step = { max = "1 ms" }

[material.hair]
base = "human_hair"
friction = { dry = 0.2, wet = 0.4 }
contact_angle = "70 deg"               # of any liquid

# How strands meet each other and obstacles.
[contact]
law = "cone"                           # "none": they pass through
cohesion = "bridge"                    # liquid between wet hairs draws them together

# Two that rub otherwise than their materials say.
[[contact.pair]]
materials = ["hair", "bar"]
friction = { dry = 0.3, wet = 0.1 }
contact_angle = { water = "50 deg" }

[obstacle.bar]
shape = { type = "capsule", from = "-3, -8, 1.5 cm", to = "7, -8, 1.5 cm", radius = "4 mm" }
[[obstacle.bar.motion]]
type = "translate"
keys = [["0 s", "0, 0, 0 cm"], ["0.8 s", "0, 0, -6 cm"], ["1.6 s", "0, 0, 1 cm"]]

# Wet from the middle to the tip.
[strands.wet]
material = "hair"
radius = { root = "50 um" }
segment = "5 mm"
film = { liquid = "water", thickness = "20 um", from = 0.5 }
groom = { type = "brush", count = 60, width = "8 mm", direction = [0, -1, 0], length = "12 cm", seed = 1 }

[strands.dry]
material = "hair"
radius = { root = "50 um" }
segment = "5 mm"
groom = { type = "brush", center = "4, 0, 0 cm", count = 60, width = "8 mm", direction = [0, -1, 0],
          length = "12 cm", seed = 2 }

# One more between the two, held at both ends; its tip is drawn up.
[strands.string]
material = "hair"
radius = { root = "0.1 mm" }
segment = "5 mm"
tip = { type = "pin" }
tip_motion = [{ type = "translate", keys = [["0 s", "0, 0, 0 cm"], ["1 s", "0, 4, 0 cm"]] }]
groom = { type = "rows", origin = "2, 0, 0 cm", direction = [0, -1, 0], length = "12 cm" }

[camera.main]
position = "0.02, -0.02, 0.3 m"
target = "0.02, -0.06, 0 m"
)"},
    };
    return list;
}

/// The single tables with every default, commented out: what else can be set.
std::string further_keys() {
    std::string out = "\n# What else can be set, with the defaults (`rivulet explain KEY` says more):\n";
    for (const Field& field : scene_table().fields) {
        if (!field.table || field.required) continue;
        const Table& table = field.table();
        out += fmt::format("#\n# [{}]\n", field.key);
        for (const Field& key : table.fields) {
            const std::string standard = key.kind == FieldKind::table  ? "{ ... }"
                                         : key.kind == FieldKind::list ? "[ ... ]"
                                                                       : default_text(table, key);
            out += fmt::format("# {:<40} # {}\n", key.key + " = " + standard, key.doc);
        }
    }
    return out;
}

}  // namespace

std::vector<Template> templates() {
    std::vector<Template> out;
    for (const Text& text : texts()) out.push_back(text.about);
    return out;
}

std::string template_scene(const std::string& name) {
    std::vector<std::string> names;
    for (const Text& text : texts()) {
        names.push_back(text.about.name);
        if (text.about.name != name) continue;
        return "#:schema ./rivulet.schema.json\n# Editors that know TOML schemas complete this file by the "
               "line above; `rivulet new -o` writes the schema beside it.\n# " +
               text.about.doc + "\n\n" + text.body + further_keys();
    }
    throw InputError(Problem{"", 0, 0, name, "there is no such template", suggestion(name, names)});
}

}  // namespace rivulet::scene
