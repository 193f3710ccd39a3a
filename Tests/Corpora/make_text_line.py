#!/usr/bin/env python3
"""Renders Examples/text-line.png: one line of dark text on white, 48 pixels high, as a text recogniser takes it.

  make_text_line.py [--text TEXT] [-o FILE.png]

The font is DejaVu Sans where it is installed, otherwise the scalable font that Pillow carries.
"""
import argparse
import os

from PIL import Image, ImageDraw, ImageFont

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def font(points):
    try:
        return ImageFont.truetype("DejaVuSans.ttf", points)
    except OSError:
        return ImageFont.load_default(points)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", default="Hello Linux 2026")
    parser.add_argument("-o", "--output", default=os.path.join(ROOT, "Examples", "text-line.png"))
    options = parser.parse_args()

    image = Image.new("RGB", (320, 48), "white")
    draw = ImageDraw.Draw(image)
    draw.text((image.width / 2, image.height / 2), options.text, fill=(32, 32, 32), font=font(32), anchor="mm")
    image.save(options.output, optimize=True)
    print(options.output)


if __name__ == "__main__":
    main()
