"""Constructs Sources/Segmentation/Shapes.mlpackage: a network with the layout of a YOLOv8-seg export at 640 × 640.

No training: it averages 4 × 4 pixels, marks red, green and blue ones, and finds how far each colour reaches around an anchor
by maxima over windows. `boxes` is 1 × (4 + 3 + 32) × 8400: centre and size in pixels, three scores, 32 coefficients of masks,
for anchors at strides 8, 16 and 32. `prototypes` is 1 × 32 × 160 × 160; a mask is where the sum of prototypes times
coefficients is positive.

    pip install coremltools numpy
    python Scripts/make_model.py
"""

import coremltools as ct
import numpy as np
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.mil import types

SIDE, CELL, PROTOTYPES = 640, 4, 32
NAMES = ["circle", "square", "triangle"]
# Stride; the window, in anchors; the sizes of boxes that the stride answers for.
LEVELS = [(8, 17, 16, 112), (16, 17, 112, 232), (32, 19, 232, 560)]


def row(values):
    return np.asarray(values, np.float32).reshape(1, 1, 1, -1)


def column(values):
    return np.asarray(values, np.float32).reshape(1, 1, -1, 1)


def colours(image):
    """1 × 3 × 160 × 160: one where red, green or blue is 0.25 above both others."""
    small = mb.avg_pool(x=image, kernel_sizes=[CELL, CELL], strides=[CELL, CELL], pad_type="valid")
    planes = mb.split(x=small, num_splits=3, axis=1)
    marks = []
    for index, plane in enumerate(planes):
        first, second = [other for at, other in enumerate(planes) if at != index]
        lead = mb.sub(x=mb.sub(x=plane, y=mb.maximum(x=first, y=second)), y=np.float32(0.25))
        marks.append(mb.clip(x=mb.mul(x=lead, y=np.float32(100)), alpha=np.float32(0), beta=np.float32(1)))
    return mb.concat(values=marks, axis=1)


def reach(marks, positions, stride, window):
    """The largest of `positions` that is marked in the window around each anchor, by colour."""
    step = stride // CELL
    largest = mb.max_pool(
        x=mb.mul(x=marks, y=positions), kernel_sizes=[step, step], strides=[step, step], pad_type="valid")
    return mb.max_pool(x=largest, kernel_sizes=[window, window], strides=[1, 1], pad_type="same")


def constants(like, first):
    """The 29 planes beside those of the colours: `first`, then zeros. Computed, not stored: the file stays small."""
    values = np.zeros((1, PROTOTYPES - len(NAMES), 1, 1), np.float32)
    values[:, 0] = first
    zeros = mb.mul(x=mb.reduce_max(x=like, axes=[1], keep_dims=True), y=np.float32(0))
    return mb.add(x=zeros, y=values)


def level(marks, stride, window, smallest, largest):
    """1 × 39 × anchors."""
    starts = np.arange(0, SIDE, CELL)
    right = reach(marks, row(starts + CELL), stride, window)
    left = mb.sub(x=np.float32(SIDE), y=reach(marks, row(SIDE - starts), stride, window))
    bottom = reach(marks, column(starts + CELL), stride, window)
    top = mb.sub(x=np.float32(SIDE), y=reach(marks, column(SIDE - starts), stride, window))
    x, y = (mb.mul(x=mb.add(x=a, y=b), y=np.float32(0.5)) for a, b in ((left, right), (top, bottom)))
    width, height = mb.sub(x=right, y=left), mb.sub(x=bottom, y=top)

    centres = np.arange(stride / 2, SIDE, stride)
    step = stride // CELL
    share = mb.avg_pool(x=marks, kernel_sizes=[step, step], strides=[step, step], pad_type="valid")
    one, zero = np.float32(1), np.float32(0)
    own = mb.clip(x=mb.mul(x=mb.sub(x=share, y=np.float32(0.5)), y=np.float32(1000)), alpha=zero, beta=one)
    off = mb.add(x=mb.abs(x=mb.sub(x=x, y=row(centres))), y=mb.abs(x=mb.sub(x=y, y=column(centres))))
    size = mb.maximum(x=mb.add(x=width, y=height), y=np.float32(CELL))
    nearness = mb.sub(x=np.float32(1.2), y=mb.mul(x=mb.real_div(x=off, y=size), y=np.float32(6)))
    nearness = mb.clip(x=nearness, alpha=zero, beta=np.float32(0.95))
    longest = mb.maximum(x=width, y=height)
    above = mb.clip(x=mb.sub(x=longest, y=np.float32(smallest)), alpha=zero, beta=one)
    below = mb.clip(x=mb.sub(x=np.float32(largest + 1), y=longest), alpha=zero, beta=one)
    # A shape that reaches the window's edge goes on beyond it.
    room = np.float32(stride * window / 2 - 1)
    for place, centre, extent in ((x, row(centres), width), (y, column(centres), height)):
        far = mb.add(x=mb.abs(x=mb.sub(x=place, y=centre)), y=mb.mul(x=extent, y=np.float32(0.5)))
        below = mb.mul(x=below, y=mb.clip(x=mb.sub(x=room, y=far), alpha=zero, beta=one))
    scores = mb.mul(x=mb.mul(x=own, y=nearness), y=mb.mul(x=above, y=below))

    box = [mb.reduce_sum(x=mb.mul(x=own, y=part), axes=[1], keep_dims=True) for part in (x, y, width, height)]
    coefficients = mb.mul(x=own, y=np.float32(20))
    side = SIDE // stride
    all_rows = mb.concat(values=box + [scores, coefficients, constants(own, -10)], axis=1)
    return mb.reshape(x=all_rows, shape=[1, 4 + len(NAMES) + PROTOTYPES, side * side])


@mb.program(input_specs=[mb.TensorSpec(shape=(1, 3, SIDE, SIDE), dtype=types.fp32)], opset_version=ct.target.iOS15)
def network(image):
    marks = colours(image)
    boxes = mb.concat(values=[level(marks, *one) for one in LEVELS], axis=2, name="boxes")
    prototypes = mb.concat(values=[marks, constants(marks, 1)], axis=1, name="prototypes")
    return boxes, prototypes


def main():
    model = ct.convert(
        network,
        inputs=[ct.ImageType(name="image", shape=(1, 3, SIDE, SIDE), scale=1 / 255, color_layout=ct.colorlayout.RGB)],
        convert_to="mlprogram",
        compute_precision=ct.precision.FLOAT32,
        minimum_deployment_target=ct.target.iOS15,
    )
    model.user_defined_metadata["names"] = str(dict(enumerate(NAMES)))
    model.short_description = "Finds red circles, green squares and blue triangles, in the layout of YOLOv8-seg."
    model.save("Sources/Segmentation/Shapes.mlpackage")


if __name__ == "__main__":
    main()
