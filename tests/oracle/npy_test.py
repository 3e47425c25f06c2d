#!/usr/bin/env python3
"""Compares with NumPy: what Tine writes NumPy reads equal, to the byte what NumPy itself writes, and
the committed files are what make_npy.py makes.  Exit code 77: no NumPy."""
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy as np
except ImportError:
    print("no NumPy here", file=sys.stderr)
    sys.exit(1 if os.environ.get("TINE_REQUIRE_ORACLE") else 77)
import make_npy

HERE = pathlib.Path(__file__).resolve().parent
FILES = HERE.parent / "files/npy"
UNIT_TENSOR = pathlib.Path(os.environ["TINE"]).parent / "tests/unit_tensor"


def expect(name, got):
    """Checks an array against the dtype, shape and layout in its name."""
    dtype, shape, *flags = name.split("_")
    sizes = () if shape == "scalar" else tuple(map(int, shape.split("x")))
    wanted = make_npy.array(dtype, sizes)
    assert got.dtype == wanted.dtype, (name, got.dtype)
    assert got.shape == sizes, (name, got.shape)
    assert got.tobytes() == wanted.tobytes(), name
    assert got.flags.f_contiguous or "fortran" not in flags, name


def numpys_bytes(array, version):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(version, 0), allow_pickle=False)
    return file.getvalue()


def written_by_tine(out):
    subprocess.run([UNIT_TENSOR, "--gtest_filter=Npy.WritesForNumpy"], check=True,
                   stdout=subprocess.DEVNULL, env={**os.environ, "TINE_NPY_OUT": str(out)})
    files = sorted(out.glob("*.npy"))
    assert len(files) == 8 * 6 * 3, len(files)
    for path in files:
        array = np.load(path, allow_pickle=False)
        expect(path.stem, array)
        assert path.read_bytes() == numpys_bytes(array, int(path.stem[-1])), path.name
    for name in ["stored", "deflated"]:
        path = out / f"{name}.npz"
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            method = zipfile.ZIP_DEFLATED if name == "deflated" else zipfile.ZIP_STORED
            assert {info.compress_type for info in archive.infolist()} == {method}
        with np.load(path, allow_pickle=False) as arrays:
            assert len(arrays.files) == 8 * 6 + 1
            assert arrays.files[-1] == "größe/../float32_5"
            for key in arrays.files:
                expect(key.rsplit("/", 1)[-1], arrays[key])
    return len(files)


def committed(out):
    """Other versions of NumPy pad their headers otherwise: arrays are compared, not bytes."""
    make_npy.main(out)
    names = {path.relative_to(out) for path in out.rglob("*.np?")}
    assert names == {path.relative_to(FILES) for path in FILES.rglob("*.np?")}
    for path in sorted(FILES.glob("*.npy")):
        expect(path.stem, np.load(path).astype(np.load(path).dtype.newbyteorder("="), order="K"))
    return len(names)


with tempfile.TemporaryDirectory() as directory:
    root = pathlib.Path(directory)
    (root / "tine").mkdir()
    print(written_by_tine(root / "tine"), "files of Tine's,", committed(root / "numpy"), "of NumPy's: fine")
