#!/usr/bin/env python3
"""Writes gradients.zip: models of one operator each, NAME.onnx or, in mlc's text, NAME.mil. Beside it, in NAME.npz, are
inputs v0 …, outputs y0 …, weights weight0 … of the outputs in a sum, and that sum's gradients gradient0 … by the
inputs, as PyTorch's autograd has them.

Needs torch 2.13, onnx 1.23.2 and numpy. Equal versions give equal files.
"""
import pathlib

# All draw from one generator: new files stand last, so that the cases of others stay.
import elementwise  # noqa: F401
import rearrangements  # noqa: F401
import recurrent  # noqa: F401
import reductions  # noqa: F401
import windows  # noqa: F401
import attention  # noqa: F401
import norms  # noqa: F401
import choices  # noqa: F401
import pools  # noqa: F401
import sampling  # noqa: F401
import signals  # noqa: F401
import gates  # noqa: F401
import states  # noqa: F401
import hidden_rows  # noqa: F401
import mil  # noqa: F401
from gradient_cases import write

write(pathlib.Path(__file__).parent / "gradients.zip")
