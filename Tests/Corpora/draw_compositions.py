#!/usr/bin/env python3
"""Draws the graphs of compositions/ into .cache/compositions, as ONNX' backend tests are laid out, with the answers of
onnxruntime.

  draw_compositions.py [FOLDER FIRST COUNT]     those numbers into that folder

What is up to date is left alone.
"""

import json
import os
import sys
import traceback

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

from compositions.composition import Composition
from corpora import CACHE, HERE, make

FOLDER = os.path.join(CACHE, "compositions")
COUNT = 300
# Scales on ties, slices that begin behind an axis, a size that turns out to be a number inside a loop, ranks that open
# extents decide, unique rows of open size.
FURTHER = (359, 1517, 1526, 1793, 1981, 2349, 2803, 3241, 3292, 3711, 3753, 3874)


def save(path, name, array):
    with open(path, "wb") as file:
        file.write(numpy_helper.from_array(np.asarray(array), name).SerializeToString())


def write(folder, number):
    """Whether onnxruntime takes graph `number`, and gives it what it gives its nodes one by one."""
    drawn = Composition(number)
    if drawn.answers is None or drawn.disputed:
        return False
    path = os.path.join(folder, f"composition_{number:05}")
    os.makedirs(os.path.join(path, "test_data_set_0"), exist_ok=True)
    onnx.save(drawn.model, os.path.join(path, "model.onnx"))
    with open(os.path.join(path, "data.json"), "w") as file:
        json.dump(dict(zip(("rtol", "atol"), drawn.tolerance)), file)
    for stem, tensors in (("input", drawn.feeds), ("output", dict(zip(drawn.outputs, drawn.answers)))):
        for place, (name, array) in enumerate(tensors.items()):
            save(os.path.join(path, "test_data_set_0", f"{stem}_{place}.pb"), name, array)
    return True


def drawn(folder, number):
    """The same in a process of its own: onnxruntime aborts on some graphs, which are not taken."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if write(folder, number) else 1)
        except Exception:
            traceback.print_exc()
            os._exit(2)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == 2:
        sys.exit(f"graph {number} cannot be drawn")
    return code == 0


def fill(folder, numbers):
    kept = sum(drawn(folder, number) for number in numbers)
    print(f"drew {kept} of {len(numbers)} graphs in {folder}", flush=True)


def main():
    if len(sys.argv) > 1:
        first, count = int(sys.argv[2]), int(sys.argv[3])
        return fill(sys.argv[1], range(first, first + count))
    names = sorted(os.listdir(os.path.join(HERE, "compositions")))
    sources = [__file__] + [os.path.join(HERE, "compositions", name) for name in names if name.endswith(".py")]
    versions = [onnx.__version__, onnxruntime.__version__, np.__version__]
    make(FOLDER, sources, versions, lambda: fill(FOLDER, [*range(COUNT), *FURTHER]))


if __name__ == "__main__":
    main()
