#!/usr/bin/env python3
"""Copies the architecture graphs of zoo/ into .cache/zoo and writes the weights that they refer to, and the networks of
dynamic/networks.py, which hold theirs.

  fill.py [NAME ...]        all graphs when none is named

Weights are random, the same on every machine, and scaled as trained ones: zoo/NAME.stats.json has for each tensor its
type, shape, mean, standard deviation and place in the file; its numbers are normally distributed, drawn by NumPy's PCG64
seeded with the CRC-32 of the tensor's name. Graphs whose weights are there already are left alone.
"""
import json
import os
import shutil
import sys
import zlib

import numpy as np

import onnx

from corpora import HERE, ZOO, network_names, replace, zoo_names
from dynamic.networks import NETWORKS


def values(name, entry):
    generator = np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))
    normal = generator.standard_normal(entry["shape"], dtype=np.float32)
    return (normal * np.float32(entry["std"]) + np.float32(entry["mean"])).astype(entry["dtype"])


def fill(name):
    source = os.path.join(HERE, "zoo", name)
    target = os.path.join(ZOO, name)
    with open(source + ".stats.json") as file:
        tensors = json.load(file)
    size = max(entry["offset"] + entry["length"] for entry in tensors.values())

    def write(path):
        with open(path, "wb") as file:
            file.truncate(size)
            for tensor, entry in tensors.items():
                data = values(tensor, entry).tobytes()
                if len(data) != entry["length"]:
                    raise SystemExit(f"{name}: {tensor} is {len(data)} bytes long, its place {entry['length']}")
                file.seek(entry["offset"])
                file.write(data)

    if not os.path.exists(target + ".weights") or os.path.getsize(target + ".weights") != size:
        replace(target + ".weights", write)
        print(f"filled {target}.weights", flush=True)
    replace(target + ".onnx", lambda path: shutil.copyfile(source + ".onnx", path))


def main():
    known = zoo_names() + network_names()
    unknown = [name for name in sys.argv[1:] if name not in known]
    if unknown:
        raise SystemExit(f"no graph named {', '.join(unknown)}; there are {', '.join(known)}")
    for name in sys.argv[1:] or known:
        if name in NETWORKS:
            model = NETWORKS[name]().model()
            replace(os.path.join(ZOO, name + ".onnx"), lambda path: onnx.save(model, path))
        else:
            fill(name)


if __name__ == "__main__":
    main()
