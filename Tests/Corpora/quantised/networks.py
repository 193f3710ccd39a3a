"""Two small float networks to quantise, with seeded weights."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


class Net:
    def __init__(self, seed):
        self.draw = np.random.default_rng(seed)
        self.nodes, self.weights = [], []

    def weight(self, *shape, scale=None):
        scale = scale or (2 / np.prod(shape[1:])) ** 0.5
        return self.constant((self.draw.standard_normal(shape) * scale).astype(np.float32))

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def __call__(self, op, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=f"n{len(self.nodes)}", **attributes))
        return name

    def model(self, shape, result, result_shape):
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
        y = helper.make_tensor_value_info(result, TensorProto.FLOAT, result_shape)
        graph = helper.make_graph(self.nodes, "g", [x], [y], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def convolutional():
    net = Net(1)
    a = net("Relu", net("Conv", "x", net.weight(8, 3, 3, 3), net.weight(8, scale=0.1), pads=[1, 1, 1, 1]))
    a = net("MaxPool", a, kernel_shape=[2, 2], strides=[2, 2])
    b = net("Relu", net("Conv", a, net.weight(8, 1, 3, 3), net.weight(8, scale=0.1), pads=[1, 1, 1, 1], group=8))
    c = net("Conv", b, net.weight(8, 8, 1, 1), net.weight(8, scale=0.1))
    d = net("Concat", net("Add", a, c), net("Sigmoid", c), axis=1)
    pooled = net("Flatten", net("GlobalAveragePool", net("AveragePool", d, kernel_shape=[2, 2], strides=[2, 2])))
    y = net("Gemm", pooled, net.weight(16, 10), net.weight(10, scale=0.1))
    return net.model([16, 3, 12, 12], y, [16, 10])


def transformer():
    net = Net(2)
    heads, size, width = 2, 8, 16

    def split(x, order):
        shape = net.constant(np.array([0, 0, heads, size], np.int64))
        return net("Transpose", net("Reshape", net("MatMul", x, net.weight(width, width)), shape), perm=order)

    query, key, value = split("x", [0, 2, 1, 3]), split("x", [0, 2, 3, 1]), split("x", [0, 2, 1, 3])
    scores = net("Mul", net("MatMul", query, key), net.constant(np.float32(size**-0.5)))
    mixed = net("Transpose", net("MatMul", net("Softmax", scores, axis=-1), value), perm=[0, 2, 1, 3])
    flat = net("Reshape", mixed, net.constant(np.array([0, 0, width], np.int64)))
    a = net("Add", "x", net("MatMul", flat, net.weight(width, width)))
    a = net("LayerNormalization", a, net.weight(width, scale=1), net.weight(width, scale=0.1))
    h = net("Relu", net("Add", net("MatMul", a, net.weight(width, 32)), net.weight(32, scale=0.1)))
    y = net("Add", a, net("MatMul", h, net.weight(32, width)))
    return net.model([2, 6, width], y, [2, 6, width])
