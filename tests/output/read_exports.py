"""Reads exported .ply and .vtp files with nothing of ours, by VTK as well where it is installed."""
import base64
import os
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

POSITION = {
    "liquid": [(0, 0, 0), (1, 2, 3), (-0.5, 1e-7, 1e6)],
    "surface": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "cloth": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "strands": [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0)],
}
PLY_TYPES = {"float": "f", "double": "d", "int": "i", "uint": "I", "uchar": "B", "char": "b",
             "short": "h", "ushort": "H"}
VTK_TYPES = {"Float32": "f", "Int64": "q", "UInt8": "B"}


def narrow(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def read_ply(path):
    data = open(path, "rb").read()
    header, body = data.split(b"end_header\n", 1)
    lines = header.decode().splitlines()
    assert lines[0] == "ply" and "format binary_little_endian 1.0" in lines, lines
    elements = []
    for line in lines:
        words = line.split()
        if words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property":
            elements[-1][2].append(words[1:])
    at, out = 0, {}
    for name, count, properties in elements:
        rows = []
        for _ in range(count):
            row = {}
            for p in properties:
                kind = "<" + PLY_TYPES[p[0] if p[0] != "list" else p[1]]
                value = struct.unpack_from(kind, body, at)[0]
                at += struct.calcsize(kind)
                if p[0] == "list":
                    kind = "<%d%s" % (value, PLY_TYPES[p[2]])
                    value = struct.unpack_from(kind, body, at)
                    at += struct.calcsize(kind)
                row[p[-1]] = value
            rows.append(row)
        out[name] = rows
    assert at == len(body), "bytes left over in %s" % path
    return out


def read_vtp(path):
    root = xml.parse(path).getroot()
    assert root.attrib["type"] == "PolyData" and root.attrib["header_type"] == "UInt64"
    appended = root.find("AppendedData")
    assert appended.attrib["encoding"] == "base64"
    text = appended.text.strip()
    assert text[0] == "_"
    text = text[1:]
    piece = root.find("PolyData/Piece")
    out = {"points": int(piece.attrib["NumberOfPoints"]), "attributes": dict(piece.attrib)}
    for section in piece:
        for array in section:
            start = int(array.attrib["offset"])
            head = base64.b64decode(text[start:start + 12])
            size = struct.unpack("<Q", head[:8])[0]
            block = base64.b64decode(text[start:start + (size + 8 + 2) // 3 * 4], validate=True)
            kind = VTK_TYPES[array.attrib["type"]]
            values = struct.unpack("<%d%s" % (size // struct.calcsize(kind), kind), block[8:8 + size])
            width = int(array.attrib["NumberOfComponents"])
            if width > 1:
                values = tuple(values[i:i + width] for i in range(0, len(values), width))
            out[section.tag + "/" + array.attrib["Name"]] = values
    return out


def check_ply(folder):
    for name, expected in POSITION.items():
        rows = read_ply(os.path.join(folder, name + ".ply"))["vertex"]
        assert [(r["x"], r["y"], r["z"]) for r in rows] == [tuple(map(narrow, p)) for p in expected], name
    liquid = read_ply(os.path.join(folder, "liquid.ply"))["vertex"]
    assert [r["id"] for r in liquid] == [5, 2**40, 7]
    assert [r["radius"] for r in liquid] == [narrow(v) for v in (0.1, 0.2, 0.3)]
    assert [(r["vx"], r["vy"], r["vz"]) for r in liquid] == [(1, 0, 0), (0, 1, 0), (0, 0, -1)]
    surface = read_ply(os.path.join(folder, "surface.ply"))
    assert [r["vertex_indices"] for r in surface["face"]] == [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    assert [r["material"] for r in liquid] == [0, 1, 1]
    assert [r["material"] for r in surface["face"]] == [0, 1, 1, 0]
    assert [(r["weight_honey"], r["weight_milk"]) for r in surface["vertex"]] == [(1, 0), (0.25, 0.75), (0, 1), (0.5, 0.5)]
    assert (surface["vertex"][2]["red"], surface["vertex"][2]["blue"]) == (255, 231)  # linear 1 and 0.8
    header = open(os.path.join(folder, "surface.ply"), "rb").read().split(b"end_header")[0].decode()
    assert "comment material 0 honey" in header and "comment material 1 milk" in header
    strands = read_ply(os.path.join(folder, "strands.ply"))
    assert [(r["vertex1"], r["vertex2"]) for r in strands["edge"]] == [(0, 1), (2, 3), (3, 4)]
    assert [r["curve"] for r in strands["vertex"]] == [0, 0, 1, 1, 1]
    assert [r["id"] for r in strands["vertex"]] == [11, 11, 12, 12, 12]
    assert strands["vertex"][2]["film_area"] == narrow(2e-6)
    assert [r["film_velocity"] for r in strands["vertex"]] == [0.5, -0.5, 0.25, 0, 0]


def check_vtp(folder):
    for name, expected in POSITION.items():
        data = read_vtp(os.path.join(folder, name + ".vtp"))
        assert data["points"] == len(expected)
        assert data["Points/Points"] == tuple(tuple(map(narrow, p)) for p in expected), name
    liquid = read_vtp(os.path.join(folder, "liquid.vtp"))
    assert liquid["PointData/id"] == (5, 2**40, 7)
    assert liquid["Verts/connectivity"] == (0, 1, 2) and liquid["Verts/offsets"] == (1, 2, 3)
    assert liquid["attributes"]["NumberOfVerts"] == "3"
    surface = read_vtp(os.path.join(folder, "surface.vtp"))
    assert surface["Polys/connectivity"] == (0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2)
    assert surface["Polys/offsets"] == (3, 6, 9, 12)
    assert read_vtp(os.path.join(folder, "cloth.vtp"))["PointData/saturation"] == (0, 0.5, 1)
    assert surface["CellData/material"] == (0, 1, 1, 0) and liquid["PointData/material"] == (0, 1, 1)
    assert surface["PointData/weight_milk"] == (0, 0.75, 1, 0.5)
    names = xml.parse(os.path.join(folder, "surface.vtp")).getroot().find("PolyData/FieldData/Array")
    assert names.attrib["Name"] == "material_names" and names.attrib["NumberOfTuples"] == "2"
    assert bytes(map(int, names.text.split())) == b"honey\0milk\0"
    strands = read_vtp(os.path.join(folder, "strands.vtp"))
    assert strands["PointData/film_share_milk"] == (0, 0.25, 1, 0, 0)
    assert strands["Lines/offsets"] == (2, 5) and strands["CellData/id"] == (11, 12)
    series = xml.parse(os.path.join(folder, "liquid.pvd")).getroot()
    sets = [(s.attrib["timestep"], s.attrib["file"]) for s in series.find("Collection")]
    assert sets == [("0", "liquid.0000.vtp"), ("0.125", "liquid.0003.vtp")]


def check_with_vtk(folder):
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    except ImportError:
        print("VTK is not installed: read by the independent reader alone")
        return
    for name, expected in POSITION.items():
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(folder, name + ".vtp"))
        reader.Update()
        data = reader.GetOutput()
        assert reader.GetErrorCode() == 0 and data.GetNumberOfPoints() == len(expected), name
        for i, p in enumerate(expected):
            assert all(abs(a - narrow(b)) == 0 for a, b in zip(data.GetPoint(i), p)), name
        if name == "surface":
            names = data.GetFieldData().GetAbstractArray("material_names")
            assert [names.GetValue(i) for i in range(2)] == ["honey", "milk"]
    print("read by VTK")


with tempfile.TemporaryDirectory() as place:
    subprocess.run([sys.argv[1], place], check=True)
    check_ply(place)
    check_vtp(place)
    check_with_vtk(place)
