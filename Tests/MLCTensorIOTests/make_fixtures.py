#!/usr/bin/env python3
"""Writes Fixtures/: files as NumPy, Pillow and Python's zipfile write them. Run after a change here; results are committed."""
import os
import zipfile

import numpy as np
from PIL import Image, ImageOps

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Fixtures")
os.makedirs(here, exist_ok=True)


def path(name):
    return os.path.join(here, name)


# Every number type, both byte orders: 0 … 5 as [2, 3].
for code in "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8".split():
    for order, label in (("<", "le"), (">", "be")):
        np.save(path(f"{code}_{label}.npy"), np.arange(6).reshape(2, 3).astype(order + code))
np.save(path("bool.npy"), np.array([True, False, True]))
np.save(path("fortran.npy"), np.asfortranarray(np.arange(24, dtype=np.int32).reshape(2, 3, 4)))
np.save(path("scalar.npy"), np.float32(2.5))
np.save(path("empty.npy"), np.zeros((0, 3), np.float32))
np.save(path("object.npy"), np.array([None, "x"], dtype=object), allow_pickle=True)
np.save(path("complex.npy"), np.zeros(2, np.complex64))
np.save(path("text.npy"), np.array(["a", "bc"]))
np.save(path("record.npy"), np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
for version in ((2, 0), (3, 0)):
    with open(path(f"version{version[0]}.npy"), "wb") as f:
        np.lib.format.write_array(f, np.arange(4, dtype=np.int16), version=version)

arrays = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b/c": np.array([7, 8], np.int64)}
np.savez(path("stored.npz"), **arrays)
np.savez_compressed(path("deflated.npz"), **arrays)
with zipfile.ZipFile(path("foreign.npz"), "w") as z:
    z.writestr("readme.txt", "no array")

# A gradient whose pixels a test can compute: (16 x, 16 y, 128).
y, x = np.mgrid[0:8, 0:12]
rgb = np.stack([16 * x, 16 * y, np.full_like(x, 128)], -1).astype(np.uint8)
Image.fromarray(rgb).save(path("rgb.png"))
Image.fromarray(rgb[..., 0]).save(path("grey.png"))
Image.fromarray(np.dstack([rgb, np.full((8, 12), 0, np.uint8)])).save(path("clear.png"))
Image.fromarray(rgb).convert("P").save(path("palette.png"))
Image.fromarray((np.arange(96).reshape(8, 12) * 600).astype(np.uint16)).save(path("deep.png"))
Image.fromarray(rgb).save(path("rgb.jpg"), quality=95, subsampling=0)
Image.fromarray(rgb).save(path("progressive.jpg"), quality=95, subsampling=0, progressive=True)
Image.fromarray(rgb[..., 0]).save(path("grey.jpg"), quality=95)
Image.fromarray(rgb).convert("CMYK").save(path("cmyk.jpg"))

# Bitmaps and Netpbm's formats of the same pictures.
Image.fromarray(rgb).save(path("rgb.bmp"))
Image.fromarray(rgb).convert("P").save(path("palette.bmp"))
Image.fromarray(rgb).convert("1").save(path("bits.bmp"))
Image.fromarray(np.dstack([rgb, 16 * x]).astype(np.uint8)).save(path("alpha.bmp"))
Image.fromarray(rgb).save(path("rgb.ppm"))
Image.fromarray(rgb[..., 0]).save(path("grey.pgm"))
Image.fromarray(rgb).convert("1").save(path("bits.pbm"))
Image.fromarray((np.arange(96).reshape(8, 12) * 600).astype(np.uint16)).save(path("deep.pgm"))
others = ["palette.bmp", "bits.bmp", "bits.pbm"]
np.savez(path("pictures.npz"), **{name: np.asarray(Image.open(path(name)).convert("RGB")) for name in others})

# What Pillow shows of every orientation, and of the files themselves.
shown = {}
for value in range(1, 9):
    name = path(f"orientation-{value}.jpg")
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "a maker", value
    Image.fromarray(rgb).save(name, quality=95, subsampling=0, exif=exif)
    shown[str(value)] = np.asarray(ImageOps.exif_transpose(Image.open(name)))
np.savez(path("orientations.npz"), **shown)
