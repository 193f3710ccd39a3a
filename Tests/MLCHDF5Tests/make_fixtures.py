#!/usr/bin/env python3
"""Makes Fixtures/*.h5, with h5py 3.14.0."""
import os

import h5py
import numpy as np

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Fixtures")


def create(name, **options):
    return h5py.File(os.path.join(FOLDER, name), "w", libver=("earliest", "v110"), track_order=False, **options)


def types():
    with create("types.h5") as file:
        ramp = np.arange(6).reshape(2, 3)
        for dtype in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">f2", ">f4", ">i4"):
            name = np.dtype(dtype).name + ("_big" if dtype.startswith(">") else "")
            file.create_dataset(f"types/{name}", data=ramp.astype(dtype))
        file.create_dataset("types/bool", data=np.array([True, False, True]))
        file.create_dataset("types/compound", data=np.zeros(2, [("a", "f4"), ("b", "i4")]))
        file.create_dataset("types/text", data=np.array([b"ab", b"c"]))
        file.create_dataset("scalar", data=np.float32(2.5))
        file.create_dataset("empty", data=np.zeros((0, 3), "f4"))
        file.create_dataset("null", data=h5py.Empty("f4"))
        file.create_dataset("chunked", data=np.arange(100, dtype="f4"), chunks=(7,), compression="gzip", shuffle=True)
        file.create_dataset("never_written", (4,), "f4", fillvalue=3)


def attributes():
    with create("attributes.h5") as file:
        group = file.create_group("group")
        group.attrs["variable"] = "größer"
        group.attrs["fixed"] = np.bytes_("fixed")
        group.attrs["names"] = np.array([b"kernel:0", b"bias:0"])
        group.attrs["variable_names"] = ["a", "bc"]
        group.attrs["no_names"] = np.array([])
        group.attrs["number"] = 1.5
        group.attrs["numbers"] = np.array([[1, 2], [3, 4]], "i2")
        group.attrs["infinite"] = np.float32("inf")
        group.attrs["flag"] = True
        group.attrs["pair"] = np.zeros((), [("a", "f4"), ("b", "i4")])
        group.attrs["nothing"] = h5py.Empty("f4")


def links():
    with create("links.h5") as file:
        file.create_dataset("data", data=np.ones(3, "f4"))
        file["again"] = file["data"]
        file["soft"] = h5py.SoftLink("/data")
        file["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/")
        group = file.create_group("group")
        group["up"] = file["/"]
        file.create_dataset("outside", (4,), "f4", external=[("/etc/passwd", 0, 16)])
        layout = h5py.VirtualLayout((3,), "f4")
        layout[:] = h5py.VirtualSource("/etc/passwd", "data", (3,))
        file.create_virtual_dataset("virtual", layout)


def limits():
    with create("bomb.h5") as file:
        bomb = file.create_dataset("bomb", (1 << 33,), "f4", chunks=(1 << 16,), compression="gzip")
        bomb[0] = 1
    with create("deep.h5") as file:
        file.create_group("/".join(["x"] * 80))
    with create("user_block.h5", userblock_size=512) as file:
        file.create_dataset("data", data=np.arange(4, dtype="f4"))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    for make in (types, attributes, links, limits):
        make()
