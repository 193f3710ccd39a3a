"""A graph of ONNX as it is built, and draws of sizes."""
import numpy as np
import onnx
from onnx import helper, numpy_helper


class Graph:
    """Inputs with their values, constants and nodes; nodes and constants are named by their places."""

    def __init__(self):
        self.inputs, self.constants, self.nodes = {}, [], []

    def input(self, array):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = np.asarray(array)
        return name

    def constant(self, array, type=np.float32):
        """What is no array yet becomes one of `type`."""
        array = np.asarray(array) if isinstance(array, (np.ndarray, np.generic)) else np.array(array, type)
        self.constants.append(numpy_helper.from_array(array, f"c{len(self.constants)}"))
        return self.constants[-1].name

    def sizes(self, values):
        return self.constant(values, np.int64)

    def __call__(self, operator, *inputs, outputs=1, **attributes):
        """The output of one more node, or a list of them."""
        names = [f"t{len(self.nodes)}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def model(self, results, opset):
        results = [results] if isinstance(results, str) else results
        inputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in self.inputs.items()
        ]
        outputs = [onnx.ValueInfoProto(name=name) for name in results]
        graph = helper.make_graph(self.nodes, "drawn", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
        inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True).graph
        known = {value.name: value for value in [*inferred.value_info, *inferred.output]}
        del model.graph.output[:]
        model.graph.output.extend(known[name] for name in results)
        return model

    def summary(self):
        """Shapes of inputs, and of what is behind them: what to name a case by where somebody reads it."""
        data = [f"{value.dtype.name} {'x'.join(map(str, value.shape)) or '()'}" for value in self.inputs.values()]
        return f"{', '.join(data)}: {' '.join(map(described, self.nodes))}"


def described(node):
    values = ((attribute.name, helper.get_attribute_value(attribute)) for attribute in node.attribute)
    text = ",".join(f"{name}={value.decode() if isinstance(value, bytes) else value}" for name, value in values)
    return f"{node.op_type}({text.replace(' ', '')})"


class Draw:
    """Sizes near those of networks, from a seed."""

    def __init__(self, seed):
        self.generator = np.random.Generator(np.random.PCG64(seed))

    def whole(self, low, high):
        """From `low` to `high`, both included."""
        return int(self.generator.integers(low, high + 1))

    def pick(self, *values):
        return values[self.whole(0, len(values) - 1)]

    def chance(self, probability):
        return bool(self.generator.random() < probability)

    def near(self, *values):
        """One of `values`: as it is, a few more or fewer, or odd."""
        value = self.pick(*values)
        reach = min(17, value // 2)
        how = self.whole(0, 3)
        if how == 0 or reach == 0:
            return value
        return value | 1 if how == 1 else max(1, value + self.whole(-reach, reach))

    def numbers(self, *shape, scale=1.0):
        return (self.generator.standard_normal(shape) * scale).astype(np.float32)

    def weights(self, *shape, inputs):
        """Numbers that keep the variance of a sum of so many inputs."""
        return self.numbers(*shape, scale=inputs**-0.5)

    def order(self, rank):
        return [int(axis) for axis in self.generator.permutation(rank)]

    def shape(self, elements, *axes):
        """`axes`, the largest of them halved until a tensor of that shape has at most so many elements."""
        sizes = list(axes)
        while np.prod(sizes, dtype=np.int64) > elements:
            largest = int(np.argmax(sizes))
            sizes[largest] = (sizes[largest] + 1) // 2
        return tuple(sizes)
