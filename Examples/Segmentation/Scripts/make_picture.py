"""Draws Tests/SegmentationTests/Fixtures/shapes.png and writes shapes.json: what is in it, and where.

    pip install pillow numpy
    python Scripts/make_picture.py
"""

import json

import numpy as np
from PIL import Image, ImageDraw

WIDTH, HEIGHT = 800, 600
# Kind, left, top, width, height.
SHAPES = [
    ("circle", 60, 60, 80, 80), ("circle", 560, 330, 170, 170), ("square", 290, 50, 150, 150),
    ("square", 90, 430, 64, 64), ("triangle", 600, 80, 120, 100), ("triangle", 270, 340, 200, 180),
]
COLOURS = {"circle": (215, 50, 45), "square": (40, 170, 60), "triangle": (50, 70, 210)}


def draw(canvas, shape, colour):
    kind, left, top, width, height = shape
    right, bottom = left + width - 1, top + height - 1
    if kind == "circle":
        canvas.ellipse([left, top, right, bottom], fill=colour)
    elif kind == "square":
        canvas.rectangle([left, top, right, bottom], fill=colour)
    else:
        canvas.polygon([(left, bottom), (right, bottom), ((left + right) / 2, top)], fill=colour)


def main():
    random = np.random.default_rng(7)
    coarse = random.integers(90, 180, (15, 20, 1), dtype=np.uint8).repeat(3, axis=2)
    picture = Image.fromarray(coarse).resize((WIDTH, HEIGHT), Image.BICUBIC)
    canvas = ImageDraw.Draw(picture)
    for shape in SHAPES:
        draw(canvas, shape, COLOURS[shape[0]])
    noisy = np.asarray(picture).astype(float) + random.normal(0, 12, (HEIGHT // 4, WIDTH // 4, 1)).repeat(4, 0).repeat(4, 1)
    folder = "Tests/SegmentationTests/Fixtures/"
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(folder + "shapes.png", optimize=True)
    names = ["kind", "left", "top", "width", "height"]
    with open(folder + "shapes.json", "w") as file:
        json.dump([dict(zip(names, shape)) for shape in SHAPES], file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
