"""tools/blender/import_run.py on a strand-and-liquid frame: its reading always, a picture where Blender is installed.

blender_test.py SOURCE_FOLDER [read|render]; exit 77: cannot be tested here.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

SCRIPT = os.path.join(sys.argv[1], "tools", "blender", "import_run.py")


def sphere():
    """A closed octahedron for a surface."""
    position = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=np.float32)
    triangle = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
                        dtype=np.int32)
    return 0.1 * position, triangle


def write_run(out):
    for folder in ("frames", "surface"):
        os.makedirs(os.path.join(out, folder))
    position, triangle = sphere()
    np.savez(os.path.join(out, "surface", "000002.npz"), position=position, triangle=triangle,
             velocity=np.zeros_like(position), material=np.array([0, 1, 1, 0, 0, 1, 1, 0], dtype=np.uint8),
             **{"interface/position": 0.5 * position, "interface/triangle": triangle[:4],
                "interface/material": np.ones(4, dtype=np.uint8)})
    strand = np.stack([np.full(8, 0.2), np.linspace(0.1, -0.1, 8), np.zeros(8)], axis=1)
    np.savez(os.path.join(out, "static.npz"), **{
        "strands/start": np.array([0, 8]), "strands/radius": np.full(8, 0.005),
        "obstacles/box/position": position, "obstacles/box/triangle": triangle,
        "obstacles/box/color": np.array([0.2, 0.3, 0.4]),
        "materials/liquid/color": np.array([[0.1, 0.4, 0.8], [1.0, 1.0, 0.9]]),
        "materials/liquid/absorption": np.array([3.0, 2.0]), "materials/liquid/opacity": np.array([0.0, 1.0])})
    with zipfile.ZipFile(os.path.join(out, "static.npz"), "a") as static:
        static.writestr("materials/liquid.txt", "water\nmilk\n")
    turn = np.array([[0, -1, 0, 0.4], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=float)
    np.savez(os.path.join(out, "frames", "000002.npz"), **{
        "liquid/position": np.zeros((2, 3), dtype=np.float32), "liquid/radius": np.full(2, 0.01),
        "liquid/material": np.zeros(2, dtype=np.uint8), "strands/position": strand,
        "strands/film_area": np.array([0] * 4 + [np.pi * 3 * 0.005 ** 2] * 4),
        "obstacles/box/transform": turn})


def check_reading(out):
    sys.path.insert(0, os.path.dirname(SCRIPT))
    sys.dont_write_bytecode = True
    import import_run
    run = import_run.read_run(out)
    assert run["frame"] == 2
    assert np.allclose(run["surface"][0][2], [0, 0, 0.1]), "y up becomes z up"
    assert np.allclose(run["lines"]["strands"][0][0], [0.2, 0, 0.1])
    wetness = run["lines"]["strands"][4]
    assert (wetness[:4] == 0).all() and np.allclose(wetness[4:], 1 - np.exp(-5)), "a film as thick as the strand"
    assert np.allclose(run["lines"]["strands"][1], 0.005), "the film is part of the surface"
    os.remove(os.path.join(out, "surface", "000002.npz"))
    assert np.allclose(import_run.read_run(out)["lines"]["strands"][1], [0.005] * 4 + [0.01] * 4)
    assert len(run["liquid"][0]) == 2 and not run["points"] and not run["meshes"]
    assert np.allclose(run["obstacles"]["box"]["position"][0], [0.4, 0, 0.1]), "the transform moves it"
    assert [(look["name"], look["absorption"], look["opacity"]) for look in run["looks"]] == [
        ("water", 3.0, 0.0), ("milk", 2.0, 1.0)]
    assert list(run["surface"][2]) == [0, 1, 1, 0, 0, 1, 1, 0] and list(run["interface"][2]) == [1, 1, 1, 1]


def check_shapes(out):
    """Groups of any name are taken by the shape that fields.json declares."""
    for folder in ("frames", "surface"):
        os.makedirs(os.path.join(out, folder))
    position, triangle = sphere()
    path = os.path.join(out, "frames", "000007.npz")
    np.savez(path, **{
        "broth/position": position, "broth/volume": np.full(6, 4e-6), "dust/position": position,
        "dust/radius": np.full(6, 0.01), "ghosts/position": position, "ropes/position": position,
        "ropes/start": np.array([0, 3, 6]), "sails/position": position, "sails/triangle": triangle,
        "gauge/needle": np.zeros(3), "empty/position": np.zeros((0, 3))})
    with zipfile.ZipFile(path, "a") as frame:
        frame.writestr("fields.json", json.dumps({
            "broth": {"shape": "points", "materials": "liquid"}, "dust": {"shape": "points", "materials": ""},
            "ghosts": {"shape": "points", "materials": ""}, "ropes": {"shape": "lines", "materials": "rope"},
            "sails": {"shape": "mesh", "materials": "fabric"}, "broth/volume": {"unit": "m^3"}}))
    np.savez(os.path.join(out, "static.npz"), **{"materials/rope/color": np.array([[0.5, 0.25, 0.125]])})
    import import_run
    run = import_run.read_run(out)
    assert np.allclose(run["liquid"][1], (0.75 * 4e-6 / np.pi) ** (1 / 3)) and list(run["liquid"][2]) == [0] * 6
    assert list(run["points"]) == ["dust"], "what has no size is left out"
    assert list(run["lines"]) == ["ropes"] and np.allclose(run["lines"]["ropes"][3], [0.5, 0.25, 0.125])
    assert list(run["meshes"]) == ["sails"] and np.allclose(run["meshes"]["sails"][2], [0.62, 0.20, 0.17])


def check_picture(out):
    blender = shutil.which("blender")
    if blender is None:
        print("skipped: Blender is not installed (apt install blender)")
        sys.exit(77)
    picture = os.path.join(out, "picture.png")
    subprocess.run([blender, "-b", "--factory-startup", "-P", SCRIPT, "--", out, "-o", picture, "--size", "64x48",
                    "--samples", "4"], check=True, timeout=500)
    data = open(picture, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (64, 48)
    packed, at = b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    # Whatever the filters of the rows, an empty or even picture has few different bytes.
    assert len(set(zlib.decompress(packed))) > 100, "nothing is to be seen in the picture"


with tempfile.TemporaryDirectory() as place:
    write_run(place)
    {"read": check_reading, "render": check_picture}[sys.argv[2]](place)
    if sys.argv[2] == "read":
        check_shapes(os.path.join(place, "shapes"))
