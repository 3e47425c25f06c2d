#!/usr/bin/env python3
"""Writes the .npy and .npz files that tests read: make_npy.py tests/files/npy

DTYPE_SHAPE[_FLAG...].npy holds an array of that dtype and shape whose element k (row-major, from 0)
has the bits of `bits(k)`.  Flags: fortran, big (byte order), v2 and v3 (format).  refused/ holds
arrays that Tine has no dtype for, and damaged ones.
"""
import pathlib
import sys

import numpy as np

DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float32", "float64", "bool"]
SHAPES = {"scalar": (), "5": (5,), "0x3": (0, 3), "2x3": (2, 3), "1x2x1x3x2x1": (1, 2, 1, 3, 2, 1)}


def bits(k, size):
    """The element's bits: scattered, so floats are of every kind, NaNs with payloads too."""
    return ((k + 1) * 0x9E3779B97F4A7C15 % 2**64) >> (64 - 8 * size)


def array(dtype, shape):
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == "bool":
        return np.array([bits(k, 1) & 1 for k in range(count)], dtype="u1").view("?").reshape(shape)
    size = np.dtype(dtype).itemsize
    return np.array([bits(k, size) for k in range(count)], dtype=f"u{size}").view(dtype).reshape(shape)


def save(path, value, version=None):
    with open(path, "wb") as file:
        np.lib.format.write_array(file, value, version=version)


def main(out):
    out.mkdir(parents=True, exist_ok=True)
    for dtype in DTYPES:
        for name, shape in SHAPES.items():
            save(out / f"{dtype}_{name}.npy", array(dtype, shape))
        value = array(dtype, (3, 4))
        save(out / f"{dtype}_3x4_fortran.npy", np.asfortranarray(value))
        big = value.astype(value.dtype.newbyteorder(">"))
        save(out / f"{dtype}_3x4_big.npy", big)
    save(out / "int16_2x3x4_fortran_big.npy", np.asfortranarray(array("int16", (2, 3, 4)).astype(">i2")))
    save(out / "float32_2x3_v2.npy", array("float32", (2, 3)), (2, 0))
    save(out / "float32_2x3_v3.npy", array("float32", (2, 3)), (3, 0))

    many = {f"{dtype}_2x3": array(dtype, (2, 3)) for dtype in DTYPES}
    many["deep/er/float32_5"] = array("float32", (5,))
    np.savez(out / "stored.npz", **many)
    np.savez_compressed(out / "deflated.npz", **many)
    np.savez(out / "unnamed.npz", array("int64", (2, 3)), array("bool", (5,)))
    np.savez(out / "unicode.npz", **{"größe_π": array("float64", (2, 3))})
    np.savez(out / "none.npz")

    refused = out / "refused"
    refused.mkdir(exist_ok=True)
    for dtype in ["float16", "uint16", "uint32", "uint64", "complex64", "complex128", "longdouble",
                  "datetime64[ns]", "timedelta64[s]", "S3", "U3", "V4"]:
        name = dtype.replace("[", "_").rstrip("]")
        save(refused / f"{name}.npy", np.zeros((2,), dtype=dtype))
    save(refused / "records.npy", np.zeros((2,), dtype=[("x", "<f4"), ("y", "<i8", (2,))]))
    save(refused / "objects.npy", np.array([None, "text"], dtype=object))
    np.savez(refused / "objects.npz", fine=array("int8", (5,)), bad=np.array([None], dtype=object))
    np.savez_compressed(refused / "bomb.npz", zeros=np.zeros((4096, 4096), dtype="u1"))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
