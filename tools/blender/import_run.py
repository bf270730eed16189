"""Opens a run of Rivulet in Blender 3.4 or later, and renders it with Cycles.

    blender -P tools/blender/import_run.py -- OUT --frame 24
    blender -b -P tools/blender/import_run.py -- OUT --frame 24 -o picture.png

Without --frame the last one is taken. The liquid's surface comes from 'rivulet surface OUT'; without it the particles
are shown as small balls.
"""
import argparse
import json
import os
import re
import sys

import numpy as np

try:
    import bpy
    from mathutils import Vector
except ImportError:  # reading works without Blender, and is tested so
    bpy = None

HAIR_RADIUS = 0.3e-3  # m; thicker strands are noodles or cords
WET_LOOKS = 4  # looks of wet strands beside the dry one
# Of materials whose colour the run does not say.
USUAL_COLOR = {"liquid": (0.35, 0.6, 0.9), "strand": (0.24, 0.13, 0.07), "fabric": (0.62, 0.20, 0.17),
               "body": (0.85, 0.42, 0.12)}
# Shape and materials of the groups of frames that were written before groups said them.
UNTOLD = {"liquid": ("points", "liquid"), "strands": ("lines", "strand"), "fabric": ("mesh", "fabric"),
          "bodies": ("mesh", "body")}


# Reading: arrays as in the run directory, turned from y up to z up.

def turned(points):
    points = np.asarray(points, dtype=np.float32)
    return np.ascontiguousarray(np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1))


def frame_numbers(out):
    names = os.listdir(os.path.join(out, "frames"))
    return sorted(int(n[:-4]) for n in names if re.fullmatch(r"\d+\.npz", n))


def placed(position, frame, prefix):
    """An obstacle's vertices now: by its own positions, by its transform, or at rest."""
    if prefix + "position" in frame:
        return frame[prefix + "position"]
    if prefix + "transform" in frame:
        m = np.asarray(frame[prefix + "transform"], dtype=np.float64)
        return position @ m[:3, :3].T + m[:3, 3]
    return position


def read_obstacles(frame, static):
    found = {}
    for key in static:
        match = re.fullmatch(r"obstacles/(.+)/triangle", key)
        if not match or not static.get("obstacles/%s/visible" % match[1], True):
            continue
        prefix = "obstacles/%s/" % match[1]
        found[match[1]] = {
            "position": turned(placed(static[prefix + "position"], frame, prefix)),
            "triangle": static[prefix + "triangle"],
            "color": tuple(static.get(prefix + "color", (0.6, 0.6, 0.6))),
            "inside": bool(static.get(prefix + "inside", False)),
        }
    return found


def read_looks(static):
    """Name, colour, absorption and opacity of each liquid, by index."""
    colors = static.get("materials/liquid/color", np.array([USUAL_COLOR["liquid"]]))
    names = bytes(static.get("materials/liquid.txt", b"")).decode("utf-8", "replace").splitlines()
    absorption = static.get("materials/liquid/absorption", np.full(len(colors), 2.0))
    opacity = static.get("materials/liquid/opacity", np.zeros(len(colors)))
    return [{"name": names[k] if k < len(names) else "liquid %d" % k, "color": tuple(colors[k]),
             "absorption": float(absorption[k]), "opacity": float(opacity[k])} for k in range(len(colors))]


def read_groups(frame, static):
    """Shape and materials of every group that has points, by its name, as fields.json declares them."""
    told = {}
    for archive in (static, frame):
        if "fields.json" in archive:
            told.update(json.loads(bytes(archive["fields.json"])))
    groups = {}
    for key in frame:
        name, _, what = key.partition("/")
        if what == "position" and len(frame[key]):
            shape, materials = UNTOLD.get(name, ("points", ""))
            entry = told.get(name, {})
            groups[name] = (entry.get("shape", shape), entry.get("materials", materials))
    return groups


def radius_of(get, name):
    """Of points, from their volume if it must be; None: they have no size."""
    if get(name + "/radius") is not None:
        return np.asarray(get(name + "/radius"), dtype=np.float32)
    volume = get(name + "/volume")
    return None if volume is None else np.cbrt(0.2387324 * np.asarray(volume, dtype=np.float32))


def coated(radius, film_area):
    """Radius of a strand with its film."""
    return np.sqrt(radius ** 2 + np.asarray(film_area, dtype=np.float32) / np.float32(np.pi))


def wetness_of(film_area, radius):
    """0 dry .. 1 under a thick film, as in the pictures of 'rivulet render'."""
    return 1 - np.exp(-(coated(radius, film_area) - radius) / (0.2 * radius))


def wet_color(color, wetness):
    return tuple((1 - 0.25 * wetness) * float(c) ** (1 + 0.35 * wetness) for c in color)


def read_run(out, number=None):
    """What one frame shows, as plain numpy arrays; groups by their shape."""
    number = frame_numbers(out)[-1] if number is None else number
    load = lambda path: dict(np.load(path)) if os.path.exists(path) else {}
    frame = dict(np.load(os.path.join(out, "frames", "%06d.npz" % number)))
    static = load(os.path.join(out, "static.npz"))
    surface = load(os.path.join(out, "surface", "%06d.npz" % number))
    get = lambda key: frame.get(key, static.get(key))
    run = {"frame": number, "obstacles": read_obstacles(frame, static), "points": {}, "lines": {}, "meshes": {}}
    run["looks"] = read_looks(static)
    bulk = []
    for name, (shape, materials) in read_groups(frame, static).items():
        position = turned(frame[name + "/position"])
        colors = static.get("materials/%s/color" % materials)
        color = tuple(colors[0]) if colors is not None and len(colors) else USUAL_COLOR.get(materials, (0.6, 0.6, 0.6))
        if shape == "points":
            radius = radius_of(get, name)
            if radius is not None and materials == "liquid":
                of = frame.get(name + "/material", np.zeros(len(position), dtype=np.uint8))
                bulk.append((position, radius, of))
            elif radius is not None:
                run["points"][name] = (position, radius, color)
        elif shape == "lines" and get(name + "/start") is not None:
            radius = get(name + "/radius")
            radius = np.full(len(position), 40e-6) if radius is None else radius
            radius = np.asarray(radius, dtype=np.float32)
            film = get(name + "/film_area")
            wetness = np.zeros(len(position)) if film is None else wetness_of(film, radius)
            if film is not None and not surface:  # otherwise the film is part of it
                radius = np.minimum(coated(radius, film), 2 * radius)
            run["lines"][name] = (position, radius, get(name + "/start"), color, wetness)
        elif shape == "mesh" and get(name + "/triangle") is not None:
            run["meshes"][name] = (position, get(name + "/triangle"), color)
    if bulk:
        run["liquid"] = tuple(np.concatenate(part) for part in zip(*bulk))
    of = run["liquid"][2] if bulk else np.zeros(1, dtype=np.uint8)
    commonest = int(min(np.bincount(of).argmax(), len(run["looks"]) - 1))
    for name, prefix in (("surface", ""), ("interface", "interface/")):
        if len(surface.get(prefix + "triangle", ())):
            triangle = surface[prefix + "triangle"]
            default = np.full(len(triangle), commonest)
            run[name] = (turned(surface[prefix + "position"]), triangle, surface.get(prefix + "material", default))
    return run


# Building: one Blender object per thing.

def principled(name, color, **inputs):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    node = material.node_tree.nodes["Principled BSDF"]
    node.inputs["Base Color"].default_value = (*[float(c) for c in color], 1.0)
    for key, value in inputs.items():
        node.inputs[key].default_value = value
    return material


def liquid_material(look):
    if look["opacity"] >= 0.5:
        return principled(look["name"], look["color"], Roughness=0.3)
    material = bpy.data.materials.new(look["name"])
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    output = nodes.new("ShaderNodeOutputMaterial")
    glass = nodes.new("ShaderNodeBsdfGlass")
    glass.inputs["IOR"].default_value = 1.33
    glass.inputs["Roughness"].default_value = 0.0
    inside = nodes.new("ShaderNodeVolumeAbsorption")
    inside.inputs["Color"].default_value = (*[float(c) for c in look["color"]], 1.0)
    inside.inputs["Density"].default_value = look["absorption"]
    # Light reaches what is under the liquid straight: caustics would need very many samples.
    path = nodes.new("ShaderNodeLightPath")
    clear = nodes.new("ShaderNodeBsdfTransparent")
    mix = nodes.new("ShaderNodeMixShader")
    links.new(path.outputs["Is Shadow Ray"], mix.inputs["Fac"])
    links.new(glass.outputs["BSDF"], mix.inputs[1])
    links.new(clear.outputs["BSDF"], mix.inputs[2])
    links.new(mix.outputs["Shader"], output.inputs["Surface"])
    links.new(inside.outputs["Volume"], output.inputs["Volume"])
    return material


def add_object(name, data):
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def add_mesh(name, position, triangle, materials, smooth, which=None):
    """`which` of the materials each triangle has; without it the first."""
    mesh = bpy.data.meshes.new(name)
    triangle = np.asarray(triangle, dtype=np.int32)
    mesh.vertices.add(len(position))
    mesh.vertices.foreach_set("co", position.ravel())
    mesh.loops.add(3 * len(triangle))
    mesh.loops.foreach_set("vertex_index", triangle.ravel())
    mesh.polygons.add(len(triangle))
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * len(triangle), 3, dtype=np.int32))
    mesh.polygons.foreach_set("loop_total", np.full(len(triangle), 3, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.full(len(triangle), smooth, dtype=bool))
    for material in materials:
        mesh.materials.append(material)
    if which is not None:
        mesh.polygons.foreach_set("material_index", np.asarray(which, dtype=np.int32))
    mesh.update(calc_edges=True)
    mesh.validate()
    return add_object(name, mesh)


def add_lines(name, position, radius, start, color, wetness):
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = 1.0  # times the radius of each point
    curve.bevel_resolution = 1
    for first, end in zip(start[:-1], start[1:]):
        if end - first < 2:
            continue
        spline = curve.splines.new("POLY")
        spline.points.add(int(end - first) - 1)
        points = np.ones((int(end - first), 4), dtype=np.float32)
        points[:, :3] = position[first:end]
        spline.points.foreach_set("co", points.ravel())
        spline.points.foreach_set("radius", np.ascontiguousarray(radius[first:end]))
        spline.material_index = int(round(WET_LOOKS * float(wetness[first:end].mean())))
    # NOTE: the hair shader is for hair curves alone, which scripts cannot make before Blender 3.5; these are tubes.
    shine = 0.6 if float(radius.max()) < HAIR_RADIUS else 0.4
    for k in range(WET_LOOKS + 1):  # dry, ..., dripping wet: darker and glossier
        wet = k / WET_LOOKS
        curve.materials.append(principled("%s wet %d" % (name, k) if k else name, wet_color(color, wet),
                                          Roughness=0.35 * (1 - 0.45 * wet), Specular=shine))
    return add_object(name, curve)


def add_particles(name, position, radius, material):
    """Balls of the mean radius on the vertices of a mesh."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(position))
    mesh.vertices.foreach_set("co", position.ravel())
    mesh.update()
    cloud = add_object(name, mesh)
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=float(np.mean(radius)))
    ball = bpy.context.object
    ball.data.materials.append(material)
    ball.parent = cloud
    cloud.instance_type = "VERTS"
    return cloud


def add_container_edges(name, position, triangle, top):
    """A container is shown by its edges up to a height, so that one sees into it."""
    position = np.minimum(position, np.array([np.inf, np.inf, top], dtype=np.float32))
    frame = add_mesh(name, position, triangle, [principled(name, (0.1, 0.11, 0.12))], smooth=False)
    flat = frame.modifiers.new("edges", "DECIMATE")
    flat.decimate_type = "DISSOLVE"
    wire = frame.modifiers.new("wire", "WIREFRAME")
    wire.thickness = 0.003 * float(np.linalg.norm(np.ptp(position, axis=0)))
    return frame


def distance_for(low, high, back, wide, aspect):
    """How far from the middle of a box a camera sees all its corners; `wide` is the tangent of half its angle."""
    right = back.cross(Vector((0, 0, -1))).normalized()
    up = right.cross(back)
    wide, tall = (wide, wide / aspect) if aspect > 1 else (wide * aspect, wide)
    distance = 0.0
    for k in range(8):
        corner = Vector([float(((high if k >> a & 1 else low)[a] - (low[a] + high[a]) / 2)) for a in range(3)])
        distance = max(distance, max(abs(corner.dot(right)) / wide, abs(corner.dot(up)) / tall) + corner.dot(back))
    return distance


def add_camera_and_light(low, high, aspect):
    centre, size = (low + high) / 2, float(np.linalg.norm(high - low))
    camera_data = bpy.data.cameras.new("camera")
    camera_data.angle = 0.7
    camera_data.clip_start, camera_data.clip_end = 1e-3 * size, 100 * size
    camera = add_object("camera", camera_data)
    back = Vector((0.53, -0.78, 0.32)).normalized()
    camera.location = Vector(centre.tolist()) + back * distance_for(low, high, back, 0.9 * np.tan(0.35), aspect)
    camera.rotation_euler = (-back).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.camera = camera
    light_data = bpy.data.lights.new("key", "AREA")
    light_data.energy = 35 * size * size
    light_data.size = 0.6 * size
    light = add_object("key", light_data)
    towards = Vector((-0.3, -0.6, 1.0)).normalized()
    light.location = Vector(centre.tolist()) + towards * (1.6 * size)
    light.rotation_euler = (-towards).to_track_quat("-Z", "Y").to_euler()
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.30, 0.34, 0.40, 1)
    bpy.context.scene.world = world
    bpy.ops.mesh.primitive_plane_add(size=40 * size, location=(centre[0], centre[1], low[2] - 1e-3 * size))
    bpy.context.object.data.materials.append(principled("floor", (0.4, 0.41, 0.43), Roughness=0.8))


def build(run, aspect):
    shown = []
    if "surface" in run:
        liquids = [liquid_material(look) for look in run["looks"]]
        # Through a clear liquid one sees the interface: the outside of an opaque one is dark from within.
        for name in ("surface", "interface"):
            if name in run:
                position, triangle, which = run[name]
                add_mesh(name, position, triangle, liquids, True, np.minimum(which, len(liquids) - 1))
        shown.append(run["surface"][0])
    elif "liquid" in run:
        position, radius, which = run["liquid"]
        for k, look in enumerate(run["looks"]):
            if (which == k).any():
                add_particles(look["name"], position[which == k], radius[which == k],
                              principled(look["name"], look["color"], Roughness=0.2))
        shown.append(position)
    for name, (position, radius, color) in run["points"].items():
        add_particles(name, position, radius, principled(name, color, Roughness=0.5))
        shown.append(position)
    for name, line in run["lines"].items():
        add_lines(name, *line)
        shown.append(line[0])
    for name, (position, triangle, color) in run["meshes"].items():
        add_mesh(name, position, triangle, [principled(name, color, Roughness=0.5)], smooth=True)
        shown.append(position)
    shown = shown or [thing["position"] for thing in run["obstacles"].values()] or [np.zeros((1, 3))]
    points = np.concatenate(shown)
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0) + 1e-6
    for name, thing in run["obstacles"].items():
        if thing["inside"]:
            add_container_edges(name, thing["position"], thing["triangle"], high[2])
        else:
            add_mesh(name, thing["position"], thing["triangle"],
                     [principled(name, thing["color"], Roughness=0.5)], smooth=len(thing["triangle"]) > 200)
    add_camera_and_light(low, high, aspect)


def render(path, width, height, samples):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False  # not every build of Blender has a denoiser
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.cycles.sample_clamp_indirect = 3.0
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


def arguments():
    parser = argparse.ArgumentParser(prog="import_run.py", description="A run of Rivulet in Blender")
    parser.add_argument("out", help="folder of the run")
    parser.add_argument("--frame", type=int, help="frame to open (default: the last)")
    parser.add_argument("-o", "--output", help="render to this PNG")
    parser.add_argument("--size", default="640x480", help="WIDTHxHEIGHT of the picture")
    parser.add_argument("--samples", type=int, default=64, help="paths per pixel")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])


def main():
    options = arguments()
    width, height = (int(n) for n in options.size.split("x"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    build(read_run(options.out, options.frame), width / height)
    if options.output:
        render(options.output, width, height, options.samples)


if __name__ == "__main__":
    if bpy is None:
        sys.exit("start this inside Blender: blender -P import_run.py -- OUT")
    try:
        main()
    except Exception as error:  # otherwise Blender would end as if all were well
        sys.stderr.write("import_run.py: %s: %s\n" % (type(error).__name__, error))
        sys.exit(1)
