"""Writes torch_programs.zip: ML programs that coremltools' converter makes of PyTorch modules, NAME.mlmodel, each with NAME.npz,
in_0 … and out_0 … in order; the answers are PyTorch's. Needs torch 2.7.0 and numpy 2.2.6 beside coremltools 9.

usage: make_torch_programs.py
"""

import pathlib

from programs import archive, write
from torch_cases import functions, layers, networks  # noqa: F401

write(pathlib.Path(__file__).parent / "torch_programs.zip")
print(f"{len(archive) // 2} programs")
