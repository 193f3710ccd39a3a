"""A small language for ONNX graphs: one method a node, weights drawn from a seed."""
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def float_tensor(number):
    """What `ConstantOfShape` takes."""
    return numpy_helper.from_array(np.array([number], np.float32))


def integer_tensor(number):
    return numpy_helper.from_array(np.array([number], np.int64))


class Graph:
    """Nodes in the order of the calls. Every method gives the name of a value, or a list where there are several."""

    def __init__(self, name, opset=17):
        self.name, self.opset = name, opset
        self.nodes, self.inputs, self.outputs, self.initializers = [], [], [], []
        self.count = 0

    def input(self, name, dtype, *shape):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def output(self, value, name, dtype, rank):
        """`value` under the name that users see; its extents stay open."""
        self.nodes.append(helper.make_node("Identity", [value], [name], name=f"output_{name}"))
        self.outputs.append(helper.make_tensor_value_info(name, dtype, [f"{name}_{axis}" for axis in range(rank)]))

    def constant(self, value, dtype=np.int64):
        return self.tensor(np.asarray(value, dtype))

    def weight(self, *shape, scale=None):
        """Normally distributed, scaled by fan-in, drawn by the name that it gets."""
        seed = zlib.crc32(f"{self.name}/{len(self.initializers)}".encode())
        values = np.random.Generator(np.random.PCG64(seed)).standard_normal(shape, dtype=np.float32)
        return self.tensor(values * np.float32(scale or np.sqrt(2 / max(1, np.prod(shape[1:])))))

    def tensor(self, array):
        name = f"c{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name))
        return name

    def __getattr__(self, op):
        """`g.Conv(x, w, strides=[2, 2])` appends that node; `outputs=2` gives two values."""
        if not op[:1].isupper():
            raise AttributeError(op)

        def node(*inputs, outputs=1, **attributes):
            self.count += 1
            name = f"{op}_{self.count}"
            results = [name] if outputs == 1 else [f"{name}_{k}" for k in range(outputs)]
            self.nodes.append(helper.make_node(op, [i or "" for i in inputs], results, name=name, **attributes))
            return results[0] if outputs == 1 else results

        return node

    def branch(self, value_of):
        """The nodes that `value_of()` appends and the values that it gives, as the body of an `If`."""
        outer, self.nodes = self.nodes, []
        values = value_of()
        nodes, self.nodes = self.nodes, outer
        outputs = [onnx.ValueInfoProto(name=value) for value in values]
        return helper.make_graph(nodes, f"body_{self.count}", [], outputs)

    def size(self, x, axis):
        """An extent of `x` as a scalar."""
        return self.Gather(self.Shape(x), self.constant(axis), axis=0)

    def vector(self, *scalars):
        """Scalars, by name or as numbers, one after the other."""
        axes = self.constant([0])
        parts = [self.constant([s]) if isinstance(s, int) else self.Unsqueeze(s, axes) for s in scalars]
        return self.Concat(*parts, axis=0)

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.initializers)
        versions = {"": self.opset} | {node.domain: 1 for node in self.nodes if node.domain}
        opsets = [helper.make_opsetid(domain, version) for domain, version in versions.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        # The checker does not know what onnxruntime adds, to ONNX' own domain too.
        if set(versions) == {""}:
            onnx.checker.check_model(model)
        return model
