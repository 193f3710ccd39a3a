#!/usr/bin/env python3
"""Writes seeds for the fuzz targets from what the repository has: FOLDER/TARGET/NAME.

  make_seeds.py FOLDER [MLC]

With MLC, the command, HDF5 files are extracted and models printed as text; ONNX cases are taken from .cache where
`make corpora` put them. Files that are large for fuzzing are left out.
"""
import glob
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(ROOT, "Tests")


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, content):
    """A field of a protobuf message: a number, or bytes after their length."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


class Seeds:
    def __init__(self, folder, command):
        self.folder, self.command = folder, command
        self.counts = {}

    def add(self, target, content, limit):
        if len(content) > limit:
            return
        number = self.counts[target] = self.counts.get(target, 0) + 1
        os.makedirs(os.path.join(self.folder, target), exist_ok=True)
        with open(os.path.join(self.folder, target, f"file_{number:04}"), "wb") as file:
            file.write(content)

    def files(self, target, pattern, limit=8192):
        for path in sorted(glob.glob(os.path.join(TESTS, pattern))):
            with open(path, "rb") as file:
                self.add(target, file.read(), limit)

    def run(self, *arguments):
        """What the command prints; empty where it refuses."""
        result = subprocess.run([self.command, *arguments], capture_output=True, check=False)
        return result.stdout if result.returncode == 0 else b""

    def extraction(self, content):
        """What the child process that reads HDF5 makes of a file."""
        with tempfile.NamedTemporaryFile() as source, tempfile.NamedTemporaryFile() as result:
            source.write(content)
            source.flush()
            line = 'exec "$0" hdf5-extract 268435456 --data 3<"$1" 4<>"$2"'
            subprocess.run(["sh", "-c", line, self.command, source.name, result.name], check=True)
            return result.read()


def tensors(seeds):
    pictures = [("png", "*.png"), ("jpeg", "*.jpg"), ("bmp", "*.bmp"), ("pnm", "*.p[bgp]m")]
    for target, pattern in [("npy", "*.npy"), ("npz", "*.npz"), *pictures]:
        seeds.files(target, f"MLCTensorIOTests/Fixtures/{pattern}")
    seeds.files("npz", "CommandLineTests/Fixtures/*.npz", 4096)


def external(entries, shape=(4,)):
    """An ONNX model with one initializer whose elements are in a file, and an Add of it."""
    dims = b"".join(field(1, extent) for extent in shape)
    pairs = b"".join(field(13, field(1, key.encode()) + field(2, value.encode())) for key, value in entries.items())
    tensor = dims + field(2, 1) + field(8, b"w") + pairs + field(14, 1)
    extents = b"".join(field(1, field(1, extent)) for extent in shape)
    kind = field(1, field(1, 1) + field(2, extents))
    node = field(1, b"x") + field(1, b"w") + field(2, b"y") + field(4, b"Add")
    values = [field(number, field(1, name) + field(2, kind)) for number, name in [(11, b"x"), (12, b"y")]]
    graph = field(1, node) + field(5, tensor) + b"".join(values)
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


def onnx(seeds):
    for pattern in ["CommandLineTests/Fixtures/*.onnx", "MLCImportONNXTests/Fixtures/*.onnx"]:
        for target in ["onnx", "protobuf"]:
            seeds.files(target, pattern)
    for case in sorted(glob.glob(os.path.join(ROOT, ".cache/onnx_cases/*/*"))):
        with open(os.path.join(case, "model.onnx"), "rb") as file:
            seeds.add("onnx", file.read(), 2048)
        for path in sorted(glob.glob(os.path.join(case, "test_data_set_0/input_0.pb")))[:1]:
            with open(path, "rb") as file:
                seeds.add("onnx-tensor", file.read(), 256)
        if seeds.command and seeds.counts.get("text", 0) < 200:
            text = seeds.run("inspect", "--text", os.path.join(case, "model.onnx"))
            if text:
                seeds.add("text", text, 1024)
    seeds.add("onnx-tensor", field(1, 2) + field(2, 1) + field(4, struct.pack("<2f", 1, 2)) + field(8, b"w"), 256)
    for entries in [
        {"location": "data.bin", "offset": "64", "length": "16"},
        {"location": "sub/data.bin"},
        {"location": "../data.bin"},
        {"location": "out.bin", "length": "16"},
        {"location": "data.bin", "offset": "9223372036854775807"},
    ]:
        seeds.add("onnx-external", external(entries), 1024)


def core_ml(seeds):
    fixtures = os.path.join(TESTS, "MLCFormatCoreMLTests/Fixtures")
    for path in sorted(glob.glob(f"{fixtures}/*.mlpackage/Data/com.apple.CoreML/model.mlmodel")):
        with open(path, "rb") as file:
            model = file.read()
        weights = os.path.join(os.path.dirname(path), "weights/weight.bin")
        if os.path.exists(weights):
            with open(weights, "rb") as file:
                # The target writes the payload of this field beside the model.
                model += field(15000, file.read())
        seeds.add("coreml", model, 16384)
    seeds.files("coreml", "MLCFormatCoreMLTests/Fixtures/*.mlmodel")
    for models in ("networks", "classical"):
        with zipfile.ZipFile(os.path.join(TESTS, f"Corpora/coreml/{models}.zip")) as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".mlmodel"):
                    seeds.add("coreml", archive.read(name), 2048)


def directory(extraction):
    """Where the directory of an extraction stands, and what it says."""
    offset, length = struct.unpack_from("<QQ", extraction, 16)
    return offset, json.loads(extraction[offset : offset + length])


def with_model(extraction, config):
    """The extraction of an archive's weights, with the archive's model as an attribute of the root group."""
    offset, objects = directory(extraction)
    values = {"model_config": config, "keras_version": "3.0.0", "paths": "yes"}
    objects["objects"][0]["attributes"] = [
        {"name": name, "type": "string", "shape": [], "value": [value]} for name, value in values.items()
    ]
    text = json.dumps(objects).encode()
    return extraction[:24] + struct.pack("<Q", len(text)) + extraction[32:offset] + text


def keras(seeds):
    seeds.files("hdf5", "MLCHDF5Tests/Fixtures/*.h5", 16384)
    with zipfile.ZipFile(os.path.join(TESTS, "Corpora/keras/models.zip")) as archive:
        for name in sorted(archive.namelist()):
            content = archive.read(name)
            if name.endswith(".h5"):
                seeds.add("hdf5", content, 16384)
                if seeds.command and len(content) <= 65536:
                    seeds.add("keras", seeds.extraction(content), 12288)
            elif name.endswith(".keras"):
                keras_archive(seeds, content)


def keras_archive(seeds, content):
    with zipfile.ZipFile(io.BytesIO(content)) as model:
        config, weights = model.read("config.json"), model.read("model.weights.h5")
        metadata = model.read("metadata.json")
    seeds.add("json", config, 4096)
    stripped = io.BytesIO()
    with zipfile.ZipFile(stripped, "w") as archive:
        for name, part in [("metadata.json", metadata), ("config.json", config), ("model.weights.h5", b"none")]:
            archive.writestr(name, part)
    seeds.add("keras-archive", stripped.getvalue(), 4096)
    if seeds.command and len(weights) <= 65536:
        extraction = seeds.extraction(weights)
        if extraction:
            seeds.add("keras", with_model(extraction, config.decode()), 12288)


def main():
    seeds = Seeds(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
    for make in [tensors, onnx, core_ml, keras]:
        make(seeds)
    print(" ".join(f"{target} {count}" for target, count in sorted(seeds.counts.items())))


if __name__ == "__main__":
    main()
