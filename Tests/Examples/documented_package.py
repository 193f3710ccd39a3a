"""Writes the Swift package that Specs/Manual/SwiftPackages.md shows, from the page's own blocks, into the working folder, with
the model of Examples/HelloModel.

  documented_package.py MLC-PACKAGE      the folder that stands for ../mlc: the sources, or what `make dist` writes
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def write(folder: pathlib.Path, mlc: str) -> None:
    """Each block of the page after a line that names its file."""
    page = (ROOT / "Specs/Manual/SwiftPackages.md").read_text()
    blocks = re.findall(r"`([\w./]+)`:\n\n```\w*\n(.*?)```", page, re.S)
    assert {"Package.swift", "Sources/App/App.swift", "Sources/App/mlc.json"} <= {name for name, _ in blocks}, blocks
    for name, text in blocks:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("../mlc", mlc))
    shutil.copy(ROOT / "Examples/HelloModel/Sources/HelloModel/Sine.onnx", folder / "Sources/App")


if __name__ == "__main__":
    write(pathlib.Path.cwd(), sys.argv[1])
