"""Writes programs.zip: ML programs that coremltools builds, NAME.mlmodel, each with NAME.npz, in_0 … and out_0 … in order.

usage: make_programs.py
"""

import pathlib

from program_cases import control, elementwise, images, layers, quantized, sequences, shapes, tensors  # noqa: F401
from programs import archive, write

write(pathlib.Path(__file__).parent / "programs.zip")
print(f"{len(archive) // 2} programs")
