"""Writes Fixtures/cache.mlpackage with coremltools: a model with two states, as key-value caches are.

Each call appends a row to a cache of eight rows at `position`, counts its calls, and attends to the rows so far:
`y = softmax(q · cacheᵀ) · cache`.
"""

import pathlib
import shutil

import coremltools as ct
import numpy as np
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.mil import types

HERE = pathlib.Path(__file__).parent / "Fixtures"
ROWS, WIDTH = 8, 4


@mb.program(
    input_specs=[
        mb.TensorSpec(shape=(1, WIDTH), dtype=types.fp16),
        mb.TensorSpec(shape=(ROWS, 1), dtype=types.fp16),
        mb.StateTensorSpec(shape=(ROWS, WIDTH), dtype=types.fp16),
        mb.StateTensorSpec(shape=(1,), dtype=types.fp16),
    ],
    opset_version=ct.target.iOS18,
)
def cache(row, position, rows, calls):
    held = mb.read_state(input=rows)
    # position is 1 where the row goes, 0 elsewhere.
    new = mb.add(x=held, y=mb.mul(x=position, y=row))
    new = mb.coreml_update_state(state=rows, value=new)
    count = mb.add(x=mb.read_state(input=calls), y=np.float16(1))
    count = mb.coreml_update_state(state=calls, value=count)
    weights = mb.softmax(x=mb.matmul(x=row, y=new, transpose_y=True), axis=-1)
    return mb.matmul(x=weights, y=new, name="y"), mb.mul(x=count, y=np.float16(1), name="n")


def main():
    path = HERE / "cache.mlpackage"
    shutil.rmtree(path, ignore_errors=True)
    model = ct.convert(cache, convert_to="mlprogram", minimum_deployment_target=ct.target.iOS18)
    model.save(str(path))


if __name__ == "__main__":
    main()
