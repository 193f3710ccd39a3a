"""Compares mlc's compression with coremltools', weight by weight, on the weights that mlc compresses in a model.

The weights are taken from a package that keeps them whole (--prune 0), what mlc made of them from a compressed package, both
expanded by coremltools. Its own compression runs on the same weights in its default precision, float16, with its exact
one-dimensional k-means. Errors are relative, by the Frobenius norm, against the float32 weights. Ends with 1 when one of
mlc's is larger than coremltools' by more than a millionth.

usage: compare_compression.py [--mlc PATH] [--settings NAME,…] [--every N] [--largest ELEMENTS] MODEL…
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import coremltools
import numpy
from coremltools.converters.mil.frontend.milproto import load as milproto
from coremltools.converters.mil.mil import types
from coremltools.models.neural_network import quantization_utils
from coremltools.optimize.coreml._quantization_passes import linear_quantize_weights, palettize_weights, prune_weights


def expanded(var):
    if var.val is not None:
        return var.val
    results = var.op.materialized_val_inference()
    return results[var.op.outputs.index(var)] if isinstance(results, tuple) else results


def weights(path):
    """The compressed weights of a package by the name of what reads them, and the axis of their output channels."""
    spec = coremltools.models.MLModel(path, skip_model_load=True).get_spec()
    folder = os.path.join(path, "Data", "com.apple.CoreML", "weights")
    program = milproto.load(spec, spec.specificationVersion, folder)
    found = {}
    for operation in program.functions["main"].operations:
        if operation.op_type.startswith("constexpr_"):
            continue
        for port, value in operation.inputs.items():
            if value is None or isinstance(value, (list, tuple)) or value.op is None:
                continue
            if value.op.op_type.startswith("constexpr_"):
                axes = {"conv_transpose": (1, 0), "matmul": (-1, -2)}.get(operation.op_type, (0, 1))
                if operation.op_type == "matmul":
                    flipped = operation.transpose_y.val if port == "y" else not operation.transpose_x.val
                    axes = (-2, -1) if flipped else (-1, -2)
                found[f"{operation.outputs[0].name}.{port}"] = (value, axes)
    return found


def palette(weight, axes, bits, group):
    values = weight.astype(numpy.float16)
    axis = axes[0] % weight.ndim
    blocks = numpy.split(numpy.moveaxis(values, axis, 0), 1 if group == 0 else weight.shape[axis] // group)
    made = []
    for block in blocks:
        lut, index = quantization_utils._get_kmeans_lookup_table_and_weight(bits, block, force_kmeans1d=True)
        made.append(lut.astype(numpy.float16)[index].reshape(block.shape))
    return numpy.moveaxis(numpy.concatenate(made), 0, axis)


def linear(weight, axes, dtype, mode, block):
    sizes = [0] * weight.ndim
    if block is not None:
        sizes[axes[0]] = 1
        sizes[axes[1]] = block
    made = linear_quantize_weights.blockwise_compress_by_dtype(
        weight.astype(numpy.float16), types.string_to_builtin(dtype), mode, sizes)
    return None if made is None else linear_quantize_weights.decompress(made)


def pruned(weight, axes, share):
    return prune_weights.decompress(prune_weights.compress_by_magnitude(weight, share))


SETTINGS = {
    "palette1": (["--palettize", "1"], lambda w, a: palette(w, a, 1, 0)),
    "palette2": (["--palettize", "2"], lambda w, a: palette(w, a, 2, 0)),
    "palette3": (["--palettize", "3"], lambda w, a: palette(w, a, 3, 0)),
    "palette4": (["--palettize", "4"], lambda w, a: palette(w, a, 4, 0)),
    "palette6": (["--palettize", "6"], lambda w, a: palette(w, a, 6, 0)),
    "palette8": (["--palettize", "8"], lambda w, a: palette(w, a, 8, 0)),
    "palette4-groups": (["--palettize", "4", "--group-size", "16"], lambda w, a: palette(w, a, 4, 16)),
    "int8": (["--quantize", "int8"], lambda w, a: linear(w, a, "int8", "LINEAR_SYMMETRIC", 0)),
    "int8-tensor": (["--quantize", "int8", "--per-tensor"], lambda w, a: linear(w, a, "int8", "LINEAR_SYMMETRIC", None)),
    "uint8-asymmetric": (["--quantize", "uint8", "--asymmetric"], lambda w, a: linear(w, a, "uint8", "LINEAR", 0)),
    "int4": (["--quantize", "int4"], lambda w, a: linear(w, a, "int4", "LINEAR_SYMMETRIC", 0)),
    "int4-blocks": (["--quantize", "int4", "--block-size", "32"], lambda w, a: linear(w, a, "int4", "LINEAR_SYMMETRIC", 32)),
    "uint4-asymmetric": (["--quantize", "uint4", "--asymmetric"], lambda w, a: linear(w, a, "uint4", "LINEAR", 0)),
    "prune": (["--prune", "0.5"], lambda w, a: pruned(w, a, 0.5)),
}


def error(original, other):
    norm = numpy.linalg.norm(original.astype(numpy.float64))
    return numpy.linalg.norm(original.astype(numpy.float64) - other.astype(numpy.float64)) / norm if norm else 0.0


def compress(mlc, model, path, options):
    run = subprocess.run([mlc, "compress", model, "-o", path, "--json", *options], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"mlc compress {model} {' '.join(options)}: {run.stderr}")
    return json.loads(run.stdout.splitlines()[-1])


def compare(mlc, model, settings, every, largest, folder):
    whole = os.path.join(folder, "whole.mlpackage")
    compress(mlc, model, whole, ["--prune", "0"])
    originals = {name: (expanded(value), axes) for name, (value, axes) in weights(whole).items()}
    chosen = [name for name, (value, _) in sorted(originals.items()) if value.size <= largest][::every]
    worse = 0
    for setting in settings:
        options, theirs = SETTINGS[setting]
        path = os.path.join(folder, f"{setting}.mlpackage")
        compress(mlc, model, path, options)
        ours = weights(path)
        ratios, larger, skipped = [], 0, 0
        for name in chosen:
            original, axes = originals[name]
            other = theirs(original, axes) if name in ours else None
            if other is None:
                skipped += 1
                continue
            mine, his = error(original, expanded(ours[name][0])), error(original, other)
            ratios.append(mine / his if his else 1.0)
            if mine > his * (1 + 1e-6):
                larger += 1
                print(f"  {setting}: {name}: {mine:.6g} > {his:.6g}")
        mean = math.exp(sum(math.log(ratio) for ratio in ratios) / max(1, len(ratios)))
        print(f"{os.path.basename(model)} {setting}: {len(ratios)} weights, error {mean:.4f} of coremltools' in the geometric "
              f"mean, at most {max(ratios, default=0):.6f}; larger in {larger}, not compared {skipped}", flush=True)
        worse += larger + (0 if ratios else 1)
    return worse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--settings", default=",".join(SETTINGS))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--largest", type=int, default=1 << 62)
    options = parser.parse_args()
    worse = 0
    for model in options.models:
        with tempfile.TemporaryDirectory() as folder:
            worse += compare(
                options.mlc, model, options.settings.split(","), options.every, options.largest, folder)
    sys.exit(1 if worse else 0)


main()
