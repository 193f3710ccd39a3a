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
from coremltools.converters.mil.mil.ops.defs.iOS16 import constexpr_ops as ios16
from coremltools.converters.mil.mil.ops.defs.iOS18 import compression as ios18
from coremltools.models.neural_network import quantization_utils
from coremltools.optimize import _utils as optimize_utils
from coremltools.optimize.coreml._quantization_passes import linear_quantize_weights, palettize_weights, prune_weights


def expand(operation, parts):
    """What coremltools makes of a compressed constant, one result or two."""
    if operation.type == "constexpr_affine_dequantize":
        return [optimize_utils.dequantize_by_scale_and_zp(
            parts["quantized_data"], parts["scale"], parts["zero_point"], int(parts["axis"]))]
    if operation.type == "constexpr_cast":
        return [parts["source_val"].astype(numpy.float32)]
    early = "shape" in parts
    if operation.type == "constexpr_lut_to_dense" and early:
        return [ios16.constexpr_lut_to_dense.decompress(parts["lut"], parts["indices"], parts["shape"])]
    if operation.type == "constexpr_sparse_to_dense" and early:
        bits = numpy.unpackbits(parts["mask"], bitorder="little")[: numpy.prod(parts["shape"])]
        return [ios18.constexpr_sparse_to_dense.decompress(parts["nonzero_data"], bits.reshape(parts["shape"]))]
    ports = {
        "constexpr_blockwise_shift_scale": ("data", "scale", "offset"),
        "constexpr_lut_to_dense": ("indices", "lut", "vector_axis"),
        "constexpr_lut_to_sparse": ("indices_mask", "indices_nonzero_data", "lut", "vector_axis"),
        "constexpr_sparse_blockwise_shift_scale": ("data_mask", "nonzero_data", "scale", "offset"),
        "constexpr_sparse_to_dense": ("nonzero_data", "mask"),
    }[operation.type]
    results = getattr(ios18, operation.type).decompress(*(parts.get(port) for port in ports))
    return list(results) if isinstance(results, tuple) else [results]


def weights(path):
    """The compressed weights of a package, expanded, by what reads them, with the axes of their output and input channels."""
    spec = coremltools.models.MLModel(path, skip_model_load=True).get_spec()
    context = milproto.TranscriptionContext(os.path.join(path, "Data", "com.apple.CoreML", "weights"))
    function = spec.mlProgram.functions["main"]
    expanded, flags, found = {}, {}, {}
    for operation in function.block_specializations[function.opset].operations:
        if operation.type == "const":
            if operation.outputs[0].type.tensorType.rank == 0:
                flags[operation.outputs[0].name] = milproto._load_value(context, operation.attributes["val"])
            continue
        if operation.type.startswith("constexpr_"):
            parts = {key: milproto._load_value(context, value) for key, value in operation.attributes.items() if key != "name"}
            for port, argument in operation.inputs.items():
                binding = argument.arguments[0]
                inline = binding.WhichOneof("binding") == "value"
                parts[port] = milproto._load_value(context, binding.value) if inline else expanded[binding.name]
            for output, result in zip(operation.outputs, expand(operation, parts)):
                expanded[output.name] = result
            continue
        for port, argument in operation.inputs.items():
            name = argument.arguments[0].name
            if name not in expanded:
                continue
            axes = (1, 0) if operation.type == "conv_transpose" else (0, 1)
            if operation.type == "matmul":
                flag = operation.inputs[f"transpose_{port}"]
                flipped = bool(flags.get(flag.arguments[0].name)) if flag.arguments else False
                axes = (-2, -1) if flipped == (port == "y") else (-1, -2)
            found[f"{operation.outputs[0].name}.{port}"] = (expanded[name], axes)
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
    originals = weights(whole)
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
            mine, his = error(original, ours[name][0]), error(original, other)
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
