"""A graph that grows node by node: onnxruntime evaluates each alone, and what it refuses is not in the graph."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FLOATS = [np.float32] * 6 + [np.float16, np.float64]
INTEGERS = [np.int64, np.int64, np.int32, np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64]
LIMIT = 4000


class Refused(Exception):
    """A node that onnxruntime does not take, or whose results are no good for a comparison."""


def session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = (4, 1)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def type_info(name, value, shape=None):
    if isinstance(value, list):
        kind = helper.np_dtype_to_tensor_dtype(value[0].dtype) if value else TensorProto.FLOAT
        return helper.make_tensor_sequence_value_info(name, kind, None)
    kind = helper.np_dtype_to_tensor_dtype(value.dtype)
    return helper.make_tensor_value_info(name, kind, value.shape if shape is None else shape)


def is_float(value):
    return not isinstance(value, list) and value.dtype.kind == "f"


def close(left, right, rtol=1e-3, atol=1e-4):
    if isinstance(left, list):
        return len(left) == len(right) and all(close(a, b, rtol, atol) for a, b in zip(left, right))
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    if left.dtype.kind != "f":
        return np.array_equal(left, right)
    narrow = left.dtype == np.float16
    return np.allclose(left, right, rtol=2e-2 if narrow else rtol, atol=2e-2 if narrow else atol, equal_nan=True)


class Graph:
    """`values` has what each name stands for; `exact` those names whose floats no rounding has touched."""

    def __init__(self, rng, opset, prefix=""):
        self.rng, self.opset, self.prefix = rng, opset, prefix
        self.values, self.exact, self.inputs, self.initializers = {}, set(), [], {}
        self.nodes, self.functions, self.used, self.fixed, self.count = [], [], set(), set(), 0
        self.blank = rng.random() < 0.05

    # Chance

    def chance(self, share):
        return self.rng.random() < share

    def choose(self, items):
        return items[self.rng.integers(len(items))]

    def integer(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def shape(self, rank=None):
        rank = self.choose([0, 1, 1, 2, 2, 3, 3, 4, 5]) if rank is None else rank
        extents = [1, 2, 3, 3, 4, 5, 7] if rank < 5 else [1, 2, 3]
        return tuple(0 if self.blank and self.chance(0.15) else self.choose(extents) for _ in range(rank))

    def data(self, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype == bool:
            return self.rng.random(shape) < 0.5
        if dtype.kind == "f":
            return np.asarray(self.rng.integers(-16, 17, shape) / 4).astype(dtype)
        low = 0 if dtype.kind == "u" else -6
        return np.asarray(self.rng.integers(low, 8, shape)).astype(dtype)

    # Values

    def name(self, stem):
        self.count += 1
        return f"{self.prefix}{stem}{self.count}"

    def input(self, array, fixed=False):
        """An input of the graph; extents of some are left open unless they are `fixed`."""
        name = self.name("x")
        if fixed:
            self.fixed.add(name)
        self.values[name] = array
        self.exact.add(name)
        self.inputs.append(name)
        return name

    def constant(self, array, dtype=None):
        array = np.asarray(array, dtype)
        name = self.name("c")
        if self.chance(0.2):
            self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array, name)))
        else:
            self.initializers[name] = array
        self.values[name] = array
        self.exact.add(name)
        return name

    def integers(self, *numbers):
        return self.constant(list(numbers), np.int64)

    def pick(self, wanted=lambda value: True, fresh=None):
        """A value that is `wanted`, of those there are; else a new input or constant that `fresh` draws."""
        names = [name for name, value in self.values.items() if not isinstance(value, list) and wanted(value)]
        if names and self.chance(0.85):
            unused = [name for name in names if name not in self.used]
            return self.choose(unused if unused and self.chance(0.7) else names)
        if fresh is None:
            raise Refused
        array = fresh()
        return self.input(array) if self.chance(0.6) else self.constant(array)

    def floats(self, rank=None, at_least=0, dtype=None):
        def wanted(value):
            fits = value.ndim == rank if rank is not None else value.ndim >= at_least
            return fits and value.dtype.kind == "f" and (dtype is None or value.dtype == dtype)

        ranks = [r for r in (1, 2, 3, 4) if r >= at_least]
        kind = dtype or self.choose(FLOATS)
        return self.pick(wanted, lambda: self.data(kind, self.shape(self.choose(ranks) if rank is None else rank)))

    def any(self, at_least=0):
        """A tensor of any type of numbers or truth values."""
        kinds = FLOATS + INTEGERS + [bool]
        ranks = [r for r in (0, 1, 2, 3, 4) if r >= at_least]
        return self.pick(
            lambda value: value.ndim >= at_least,
            lambda: self.data(self.choose(kinds), self.shape(self.choose(ranks))),
        )

    def of(self, dtypes, at_least=0):
        return self.pick(
            lambda value: value.dtype in dtypes and value.ndim >= at_least,
            lambda: self.data(self.choose(dtypes), self.shape(max(at_least, self.integer(0, 4)))),
        )

    def rank(self, name):
        return self.values[name].ndim

    def axis(self, name, extra=0):
        rank = self.rank(name) + extra
        if rank == 0:
            raise Refused
        return self.integer(-rank, rank - 1)

    def axes(self, name):
        """Some axes, in any order, counted from either end."""
        rank = self.rank(name)
        if rank == 0:
            raise Refused
        axes = self.rng.permutation(rank)[: self.integer(1, rank)]
        return [int(axis) - (rank if self.chance(0.4) else 0) for axis in axes]

    # Nodes

    def node(self, op, *inputs, outputs=1, exact=False, domain="", **attributes):
        """The names of a node's results, one of them by itself. `exact` are operators that do not round."""
        inputs = [name or "" for name in inputs]
        attributes = {key: value for key, value in attributes.items() if value is not None}
        names = [self.name("v") for _ in range(outputs)]
        node = helper.make_node(op, inputs, names, name=self.name(op), domain=domain, **attributes)
        captured = sorted(captures(node) & set(self.values))
        feeds = {name: self.values[name] for name in dict.fromkeys([n for n in inputs if n] + captured)}
        results = self.evaluate(node, feeds)
        if any(np.size(r) > LIMIT for v in results for r in (v if isinstance(v, list) else [v])):
            raise Refused
        rough = [name for name in feeds if name not in self.exact and is_float(self.values[name])]
        if rough:
            # What jumps where its arguments move by as much as rounding moves them is not comparable.
            for sign in (1, -1):
                moved = {n: self.moved(v, sign) if n in rough else v for n, v in feeds.items()}
                if not all(close(a, b) for a, b in zip(self.evaluate(node, moved), results)):
                    raise Refused
        for result in results:
            # Overflow is nobody's to define.
            if isinstance(result, np.ndarray) and (np.abs(result[np.isfinite(result)].astype(float)) > 1e6).any():
                raise Refused
            if is_float(result) and (np.isnan(result).any() or (np.abs(result[np.isfinite(result)]) > 1e4).any()):
                raise Refused
        self.nodes.append(node)
        for name, result in zip(names, results):
            self.values[name] = result
            if exact and not rough:
                self.exact.add(name)
        self.used.update(feeds)
        return names[0] if outputs == 1 else names

    def moved(self, array, sign):
        step = 2e-3 if array.dtype == np.float16 else 2e-6
        return np.asarray(array * (1 + sign * step) + sign * step / 10).astype(array.dtype)

    def evaluate(self, node, feeds):
        constants = {name for name in feeds if name in self.initializers}
        inputs = [type_info(name, value) for name, value in feeds.items() if name not in constants]
        tensors = [numpy_helper.from_array(feeds[name], name) for name in constants]
        outputs = [helper.make_empty_tensor_value_info(name) for name in node.output]
        graph = helper.make_graph([node], "one", inputs, outputs, tensors)
        try:
            given = {name: value for name, value in feeds.items() if name not in constants}
            results = session(self.model(graph)).run(list(node.output), given)
            return [value if isinstance(value, list) else np.asarray(value) for value in results]
        except Refused:
            raise
        except Exception as error:
            raise Refused(f"{node.op_type}: {error}") from error

    def model(self, graph):
        domains = {"com.microsoft": 1, "local": 1, "": self.opset}
        opsets = [helper.make_opsetid(domain, version) for domain, version in domains.items()]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, functions=self.functions)


def captures(node):
    """Names that the bodies of a node read."""
    names = set()
    for attribute in node.attribute:
        for inner in attribute.g.node:
            names.update(inner.input)
            names |= captures(inner)
        names.update(output.name for output in attribute.g.output)
    return names
