"""numpy reads our archives and we read numpy's. Exit 77: no numpy here."""
import json
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)

EXPECTED = {
    "liquid/position": np.array([[1, 2, 3], [4, 5, 6.5]]),
    "liquid/position_as_float": np.array([[1, 2, 3], [4, 5, 6.5]], dtype=np.float32),
    "affine": np.arange(1.0, 10.0).reshape(1, 3, 3),
    "id": np.array([0, 2**64 - 1], dtype=np.uint64),
    "index": np.array([-1, 7], dtype=np.int32),
    "material": np.array([0, 255], dtype=np.uint8),
    "triangle": np.array([[0, 1, 2]], dtype=np.int32),
    "empty": np.zeros(0),
    "time": np.array(0.25),
    "wet": np.array(True),
}


def check_ours(path):
    assert zipfile.ZipFile(path).testzip() is None
    with np.load(path) as archive:
        assert archive.files == list(EXPECTED) + ["fields.json"], archive.files
        for name, expected in EXPECTED.items():
            array = archive[name]
            assert array.dtype == expected.dtype and array.shape == expected.shape, name
            assert np.array_equal(array, expected), name
        fields = json.loads(archive["fields.json"])
        assert fields["liquid/position"] == {"unit": "m", "centring": "particle"}


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "write", folder], check=True)
        for k in range(4):
            check_ours(f"{folder}/ours{k}.npz")
        arrays = {
            "ramp": np.arange(4.0),
            "points": np.arange(6, dtype=np.float32).reshape(2, 3),
            "step": np.array(42, dtype=np.int64),
            "flags": np.array([True, False]),
        }
        np.savez(f"{folder}/theirs.npz", **arrays)
        np.savez_compressed(f"{folder}/theirs_compressed.npz", **arrays)
        for name in ("theirs", "theirs_compressed"):
            subprocess.run([program, "check", f"{folder}/{name}.npz"], check=True)


main(sys.argv[1])
