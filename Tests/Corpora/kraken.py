#!/usr/bin/env python3
"""Writes .cache/kraken/blla.npz: an input of kraken's segmentation network, `in_0`, and what the network makes of it, `out_0`.

The layers are those of the model's VGSL text (https://kraken.re, "VGSL network specification"), with the weights of the
`.mlmodel`; onnxruntime and numpy compute them one after the other. Core ML's layers, and mlc, are not asked. What is up to
date is left alone.
"""
import os
import re

import coremltools
import numpy as np
import onnxruntime

from coreml.reference import ort
from corpora import CACHE, MODELS, make

FOLDER = os.path.join(CACHE, "kraken")
MODEL = os.path.join(MODELS, "kraken-blla.mlmodel")
WIDTH = 96


class Layers:
    """The layers of a network by the name that the VGSL text has."""

    def __init__(self, spec):
        self.known = {(layer.name, layer.WhichOneof("layer")): layer for layer in reversed(spec.neuralNetwork.layers)}

    def convolution(self, x, name, function):
        layer = self.known[f"{name}_conv", "convolution"].convolution
        weights = array(layer.weights, layer.outputChannels, layer.kernelChannels, *layer.kernelSize)
        # Core ML's padding, not kraken's: the odd pixel lies behind.
        x = ort("Conv", x, weights, array(layer.bias, -1), strides=list(layer.stride), auto_pad="SAME_UPPER")
        return ort(function, x)

    def group_norm(self, x, name):
        layer = self.known[name, "custom"].custom
        groups = x.reshape(x.shape[0], layer.parameters["num_groups"].intValue, -1).astype(np.float64)
        groups = (groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + 1e-5)
        weights, bias = (array(part, -1, 1, 1) for part in layer.weights)
        return (groups.reshape(x.shape) * weights + bias).astype(np.float32)

    def lines(self, x, name):
        """An LSTM of both directions along each line."""
        layer = (self.known.get((f"{name}_transposed", "biDirectionalLSTM")) or self.known[name, "biDirectionalLSTM"])
        layer = layer.biDirectionalLSTM
        (batch, channels, height, width), hidden = x.shape, layer.outputVectorSize

        def gates(kind, *shape):
            """Those of both directions, in ONNX's order of gates."""
            names = [f"{gate}{kind}" for gate in ("inputGate", "outputGate", "forgetGate", "blockInput")]
            return [[array(getattr(way, name), *shape) for name in names] for way in layer.weightParams]

        weights, recursion, bias = (
            np.stack([np.concatenate(way) for way in part])
            for part in (
                gates("WeightMatrix", hidden, channels),
                gates("RecursionMatrix", hidden, hidden),
                # ONNX adds two.
                [way + [np.zeros(4 * hidden, np.float32)] for way in gates("BiasVector", hidden)],
            )
        )
        steps = x.transpose(3, 0, 2, 1).reshape(width, batch * height, channels)
        y, _, _ = ort("LSTM", steps, weights, recursion, bias, outputs=3, hidden_size=hidden, direction="bidirectional")
        return y.transpose(0, 2, 1, 3).reshape(width, batch, height, 2 * hidden).transpose(1, 3, 2, 0)


def array(weights, *shape):
    return np.array(weights.floatValue, np.float32).reshape(shape)


def run(spec, x):
    layers = Layers(spec)
    for text in spec.description.metadata.userDefined["vgsl"].strip("[]").split(" ")[1:]:
        name = re.search(r"\{(.*?)\}", text).group(1)
        if text.startswith("Cr"):
            x = layers.convolution(x, name, "Relu")
        elif text.startswith("O"):
            x = layers.convolution(x, name, "Sigmoid")
        elif text.startswith("Gn"):
            x = layers.group_norm(x, name)
        elif text.startswith("Lbx"):
            x = layers.lines(x, name)
        elif text.startswith("Lby"):
            x = layers.lines(x.transpose(0, 1, 3, 2), name).transpose(0, 1, 3, 2)
        else:
            raise SystemExit(f"{MODEL}: unknown layer {text}")
    return np.ascontiguousarray(x)


def fill():
    spec = coremltools.utils.load_spec(MODEL)
    x = np.random.default_rng(1).random((1, 3, 1800, WIDTH), np.float32)
    np.savez(os.path.join(FOLDER, "blla.npz"), in_0=x, out_0=run(spec, x))
    print(f"recorded {FOLDER}", flush=True)


if __name__ == "__main__":
    make(FOLDER, [MODEL, os.path.abspath(__file__)], [onnxruntime.__version__, np.__version__], fill)
