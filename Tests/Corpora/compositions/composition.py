"""A whole graph: recipes drawn one after another, and what onnxruntime answers.

Where onnxruntime does otherwise than ONNX says, or ONNX says nothing, nothing is drawn:

- MaxPool, AveragePool with SAME and dilations: windows are padded there as if they were dense.
- Pools whose kernel is larger than the padded axis: -1 / 2 is rounded up to 0, so that one element results.
- ConvTranspose with SAME and strides beyond the kernel: fewer elements than extent times stride.
- Resize by a scale to a fraction, corners aligned: to those of the whole number; ONNX' backend tests have the fraction.
- ReduceMax and others over no elements; ReduceSum of them before operator set 13 gives none.
- PRelu whose slope is larger than the data is broadcast both ways.
- Pad by wrapping with negative pads: what is cut off is not repeated there; ONNX does not say.
- Overflow of integers, negative exponents of integers, logarithms of them, NaN where an order is asked for.
"""

import copy

import numpy as np
from onnx import helper, numpy_helper

from . import control, elementwise, indices, movement, networks
from .graph import Graph, Refused, close, session, type_info

RECIPES = [pair for module in (elementwise, movement, indices, networks, control) for pair in module.RECIPES]
OPSETS = [9, 10, 11, 12, 13, 13, 14, 15, 16, 17, 17, 18, 18, 19, 20, 21, 22, 23]


class Composition:
    """Graph `number`: its `model`, `feeds` by name and `answers` in the order of its outputs; None where onnxruntime
    refuses the whole. `disputed` are outputs for which the whole and its nodes one by one disagree."""

    def __init__(self, number):
        self.rng = np.random.default_rng([number, 20])
        self.graph = g = Graph(self.rng, int(self.rng.choice(OPSETS)))
        weights = np.array([weight for _, weight in RECIPES])
        wanted = g.integer(3, 15)
        for _ in range(60):
            if len(g.nodes) >= wanted:
                break
            recipe = RECIPES[self.rng.choice(len(RECIPES), p=weights / weights.sum())][0]
            kept = {key: copy.copy(value) for key, value in vars(g).items() if key != "rng"}
            try:
                recipe(g)
            except Refused:
                vars(g).update(kept)
        self.finish()

    def finish(self):
        g = self.graph
        names = [name for node in g.nodes for name in node.output if not isinstance(g.values[name], list)]
        leaves = [n for n in names if n not in g.used and n not in g.initializers]
        extra = [n for n in names if n in g.used and g.chance(0.1)]
        self.outputs = [n for n in dict.fromkeys(leaves + extra) if g.values[n].dtype.kind in "fiub"]
        read = {name for node in g.nodes for name in node.input} | {n for n in g.used}
        inputs = [name for name in g.inputs if name in read]
        shared = [name for name in g.initializers if name in read and g.chance(0.05)]
        infos = [type_info(n, g.values[n], self.dims(n)) for n in inputs] + [type_info(n, g.values[n]) for n in shared]
        results = [self.result(n) for n in self.outputs]
        tensors = [numpy_helper.from_array(value, n) for n, value in g.initializers.items() if n in read]
        self.model = g.model(helper.make_graph(g.nodes, "composition", infos, results, tensors))
        self.feeds = {name: g.values[name] for name in inputs}
        self.answers, self.disputed = None, []
        if not self.outputs:
            return
        try:
            answers = session(self.model).run(self.outputs, self.feeds)
        except Exception:
            return
        self.answers = answers
        self.disputed = [n for n, answer in zip(self.outputs, answers) if not close(answer, g.values[n], 1e-3, 1e-3)]

    def dims(self, name):
        share = 0 if name in self.graph.fixed else 0.25
        return [
            f"{name}_{axis}" if self.graph.chance(share) else n for axis, n in enumerate(self.graph.values[name].shape)
        ]

    def result(self, name):
        value = self.graph.values[name]
        info = type_info(name, value, [f"{name}_{axis}" for axis in range(value.ndim)])
        if self.graph.chance(0.6):
            info.type.tensor_type.ClearField("shape")
        return info

    @property
    def tolerance(self):
        """Relative and absolute, for the narrowest float in it."""
        kinds = {str(v.dtype) for v in self.graph.values.values() if not isinstance(v, list)}
        text = str(self.model.graph.node)
        return (3e-2, 3e-2) if "float16" in kinds or "to: 16" in text else (1e-3, 1e-4)
