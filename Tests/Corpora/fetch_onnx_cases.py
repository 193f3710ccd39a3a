#!/usr/bin/env python3
"""Takes the backend tests of early onnx packages out of their pinned wheels into .cache/onnx_cases_VERSION.

A wheel is read as an archive, not installed, and not kept. KIND/NAME/model.onnx and KIND/NAME/test_data_set_N/*.pb lie as
in the package; a case that a later package, or the one that `dump_onnx_cases.py` dumps, has with the same bytes is left
out. What is there already is not fetched again.
"""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from corpora import CACHE, sha256

PREFIX = "onnx/backend/test/data/"
KINDS = ("node", "pytorch-converted", "pytorch-operator", "simple")
# Version, Python version and platform of the wheel, its SHA-256. Later ones first.
WHEELS = [
    ("1.10.2", "39", "manylinux_2_12_x86_64", "526de93b57dd65b136bec85d5b4c6fa4455d6d817bb319b54797d29111b9c407"),
    ("1.7.0", "37", "manylinux1_x86_64", "303f5028c1d3b9feaa29890c5cfc78e9424bb143e9bfe04abc4948cbe44183d4"),
    ("1.5.0", "37", "manylinux1_x86_64", "37ace5a7a0c47d2a79edd83861eff17f6e463eafe96c8d930624bc51ca1023f6"),
]


def digest(files):
    """What tells the contents of a case, names and bytes, from others."""
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    return total.hexdigest()


def cases(folder):
    """The digests of the cases that lie in a folder."""
    found = set()
    for kind in KINDS:
        root = os.path.join(folder, kind)
        for name in os.listdir(root) if os.path.isdir(root) else ():
            files = {}
            for place, _, names in os.walk(os.path.join(root, name)):
                for file in names:
                    with open(os.path.join(place, file), "rb") as data:
                        files[os.path.relpath(os.path.join(place, file), os.path.join(root, name))] = data.read()
            found.add(digest(files))
    return found


def extract(wheel, folder, known):
    by_case = {}
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            parts = entry.removeprefix(PREFIX).split("/")
            if not entry.startswith(PREFIX) or parts[0] not in KINDS or len(parts) < 3 or not parts[-1]:
                continue
            if any(part in ("", ".", "..") for part in parts):
                raise SystemExit(f"{wheel}: '{entry}' is no path of a case")
            by_case.setdefault((parts[0], parts[1]), {})["/".join(parts[2:])] = archive.read(entry)
    for (kind, name), files in by_case.items():
        if "model.onnx" not in files or digest(files) in known:
            continue
        for path, data in files.items():
            target = os.path.join(folder, kind, name, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)


def fetch(version, python, platform, wanted, target, known):
    print(f"fetching onnx=={version}", flush=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            + ["--only-binary=:all:", "--implementation", "cp", "--python-version", python, "--platform", platform]
            + ["--dest", folder, f"onnx=={version}"],
            check=True,
        )
        (wheel,) = (os.path.join(folder, name) for name in os.listdir(folder))
        if sha256(wheel) != wanted:
            raise SystemExit(f"onnx=={version}: the wheel is not the one that this script records")
        made = os.path.join(folder, "cases")
        extract(wheel, made, known)
        shutil.rmtree(target, ignore_errors=True)
        os.rename(made, target)
    print(f"wrote {target}", flush=True)


def main():
    for place, (version, python, platform, wanted) in enumerate(WHEELS):
        target = os.path.join(CACHE, f"onnx_cases_{version}")
        if os.path.exists(target):
            continue
        later = [os.path.join(CACHE, f"onnx_cases_{wheel[0]}") for wheel in WHEELS[:place]]
        known = set().union(*(cases(folder) for folder in [os.path.join(CACHE, "onnx_cases"), *later]))
        fetch(version, python, platform, wanted, target, known)


if __name__ == "__main__":
    main()
