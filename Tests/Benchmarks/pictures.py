"""Measures a picture that becomes a model's input beside Pillow, in turns: python pictures.py PICTURES_BENCH [ROUNDS]

A JPEG of 4000 × 3000 pixels, soft shapes under the noise of a camera, becomes 224 × 224 and 640 × 640 pixels. Pillow decodes it
whole, or by a fraction as small as that size allows (`draft`), as this library does by itself. Prints medians in milliseconds, and
their ratio; below 1 means faster than Pillow.
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image


def photograph(file):
    random = np.random.default_rng(1)
    shapes = Image.fromarray(random.integers(0, 256, (75, 100, 3)).astype(np.uint8)).resize((4000, 3000), Image.BICUBIC)
    noisy = np.asarray(shapes).astype(np.float32) + random.normal(0, 6, (3000, 4000, 3)).astype(np.float32)
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(file, quality=90)


def pillow(file, side, draft):
    start = time.perf_counter()
    with Image.open(file) as image:
        if draft:
            image.draft("RGB", (side, side))
        image.resize((side, side), Image.BILINEAR).load()
    return time.perf_counter() - start


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "photograph.jpg"
        photograph(file)
        print(f"{'':8}{'mlc':>8}{'draft':>8}{'ratio':>8}{'whole':>8}{'ratio':>8}   ms, median of {rounds}")
        for side in (224, 640):
            bench = subprocess.Popen(
                [sys.argv[1], file, str(side)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            ours, drafts, wholes = [], [], []
            for turn in range(rounds + 2):
                bench.stdin.write("\n")
                bench.stdin.flush()
                times = float(bench.stdout.readline()), pillow(file, side, True), pillow(file, side, False)
                if turn >= 2:
                    for row, seconds in zip((ours, drafts, wholes), times):
                        row.append(seconds)
            bench.stdin.close()
            bench.wait()
            a, b, c = (1e3 * statistics.median(row) for row in (ours, drafts, wholes))
            print(f"{side:<8}{a:8.1f}{b:8.1f}{a / b:8.2f}{c:8.1f}{a / c:8.2f}")


main()
