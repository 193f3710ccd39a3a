#!/usr/bin/env python3
"""Renders Tests/OCRTests/Fixtures/page.png: four lines of dark text on white, and one that stands at an angle.

Needs Pillow. The font is DejaVu Sans where it is installed, otherwise the scalable font that Pillow carries.
"""
import os

from PIL import Image, ImageDraw, ImageFont

OUTPUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "OCRTests", "Fixtures", "page.png")
LINES = [
    ((40, 36), 36, "Compiled on Linux"),
    ((40, 104), 26, "The quick brown fox jumps over"),
    ((40, 150), 26, "the lazy dog, twice a day."),
    ((40, 214), 22, "Invoice 20461"),
    ((400, 214), 22, "Room 7, 2nd floor"),
]
SLANTED = ((60, 262), 30, 12, "Handle with care")


def font(points):
    try:
        return ImageFont.truetype("DejaVuSans.ttf", points)
    except OSError:
        return ImageFont.load_default(points)


def main():
    page = Image.new("RGB", (640, 400), (250, 250, 246))
    draw = ImageDraw.Draw(page)
    for place, points, text in LINES:
        draw.text(place, text, fill=(30, 30, 40), font=font(points))
    place, points, degrees, text = SLANTED
    stamp = Image.new("L", (300, 50), 0)
    ImageDraw.Draw(stamp).text((8, 4), text, fill=255, font=font(points))
    stamp = stamp.rotate(degrees, expand=True, resample=Image.Resampling.BICUBIC)
    page.paste((150, 30, 30), place, stamp)
    page.save(OUTPUT, optimize=True)
    print(OUTPUT)


if __name__ == "__main__":
    main()
