"""Pictures drawn from a seed, and what Pillow makes of them: the cases of DrawingTests.

Usage: draw_pictures.py FOLDER COUNT SEED. Writes the pictures, a file of pixels for each case and cases.json.
"""

import json
import os
import random
import sys

import numpy as np
from PIL import Image

TURNS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
CENTER_CROP, FIT, FILL, FIT_TURNED, FILL_TURNED = 0, 1, 2, 0x101, 0x102
ORDERS = {"BGRA": "bgra", "ARGB": "argb", "RGBA": "rgba", "24RGB": "rgb", "L008": "l"}


def picture(draw, width, height, mode):
    """Soft colours with edges between them, so that resampling shows."""
    channels = len(mode)
    small = draw.integers(0, 256, (height // 5 + 2, width // 5 + 2, channels)).astype(np.uint8)
    layers = [Image.fromarray(small[..., c]).resize((width, height), Image.Resampling.BICUBIC) for c in range(channels)]
    pixels = np.stack([np.asarray(layer) for layer in layers], axis=-1).copy()
    pixels[height // 3 : height // 2, width // 4 : width // 2] = draw.integers(0, 256, channels)
    return Image.fromarray(pixels[..., 0] if mode == "L" else pixels, mode if mode != "LA" else None)


def shown(image, orientation):
    turn = TURNS[orientation]
    return image if turn is None else image.transpose(turn)


def place(image, part, option, size):
    """`part` of `image`, in fractions with rows counted upwards, in `size` as the option says, over black."""
    if option in (FIT_TURNED, FILL_TURNED):
        x, y, w, h = part
        # The picture turned counterclockwise: what was on the right is on top.
        part = (1 - y - h, x, h, w)
        image = image.transpose(Image.Transpose.ROTATE_90)
    x, y, w, h = part
    left, top = x * image.width, (1 - y - h) * image.height
    width, height = w * image.width, h * image.height
    columns, rows = size
    if option == CENTER_CROP:
        ratio = min(width / columns, height / rows)
        left, top = left + (width - ratio * columns) / 2, top + (height - ratio * rows) / 2
        width, height = ratio * columns, ratio * rows
    filled = (columns, rows)
    if option in (FIT, FIT_TURNED):
        ratio = max(width / columns, height / rows)
        filled = tuple(max(1, int(value / ratio + 0.5)) for value in (width, height))
    box = (max(0, left), max(0, top), min(image.width, left + width), min(image.height, top + height))
    drawn = image.resize(filled, Image.Resampling.BILINEAR, box=box)
    result = Image.new(image.mode, size)
    result.paste(drawn, ((columns - filled[0]) // 2, (rows - filled[1]) // 2))
    return result


def over_black(image):
    if image.mode != "RGBA":
        return image
    black = Image.new("RGBA", image.size, (0, 0, 0, 255))
    return Image.alpha_composite(black, image).convert("RGB")


def pixels(image, order):
    if order == "l":
        return np.asarray(image.convert("L"))[..., None]
    colours = np.asarray(image.convert("RGB"))
    planes = {"r": colours[..., 0], "g": colours[..., 1], "b": colours[..., 2]}
    planes["a"] = np.full(colours.shape[:2], 255, np.uint8)
    return np.stack([planes[letter] for letter in order], axis=-1)


def main():
    folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chance, draw = random.Random(seed), np.random.default_rng(seed)
    cases = []
    for index in range(count):
        mode = chance.choice(["RGB", "RGB", "RGB", "L", "RGBA"])
        width, height = (int(2 ** chance.uniform(0, 9)) for _ in range(2))
        kind = chance.choice(["png", "bmp", "ppm", "jpg"] if mode == "RGB" else ["png"])
        name = f"{index}.{kind}"
        image = picture(draw, width, height, mode)
        orientation = index % 8 + 1
        if kind == "jpg":
            exif = Image.Exif()
            exif[0x0112] = orientation
            image.save(os.path.join(folder, name), quality=95, exif=exif)
        else:
            image.save(os.path.join(folder, name))
        option = [CENTER_CROP, FIT, FILL, FIT_TURNED, FILL_TURNED][index // 8 % 5]
        size = tuple(int(2 ** chance.uniform(0, 8)) for _ in range(2))
        part = (0, 0, 1, 1)
        if chance.random() < 0.5:
            x, y = chance.uniform(0, 0.5), chance.uniform(0, 0.5)
            part = (x, y, chance.uniform(0.3, 1 - x), chance.uniform(0.3, 1 - y))
        if kind == "jpg":
            # Pillow reduces whole pictures; a part of one is measured otherwise.
            option, part = FILL, (0, 0, 1, 1)
            image = Image.open(os.path.join(folder, name))
            image.draft("RGB", size[::-1] if orientation > 4 else size)
        code = chance.choice(list(ORDERS))
        expected = place(shown(over_black(image), orientation), part, option, size)
        bars = place(shown(Image.new("L", image.size, 255), orientation), part, option, size)
        pixels(expected, ORDERS[code]).tofile(os.path.join(folder, f"{index}.raw"))
        (np.asarray(bars) > 0).astype(np.uint8).tofile(os.path.join(folder, f"{index}.drawn"))
        cases.append(
            {
                "file": name,
                "orientation": orientation,
                "isInFile": kind == "jpg",
                "option": option,
                "part": part,
                "size": size,
                "format": code,
                "expected": f"{index}.raw",
                "drawn": f"{index}.drawn",
            }
        )
    with open(os.path.join(folder, "cases.json"), "w", encoding="utf-8") as file:
        json.dump(cases, file)


main()
