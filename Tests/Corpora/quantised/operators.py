"""Graphs of many nodes, each with inputs and outputs of its own, and the inputs; one of quantised and fused ones."""
import numpy as np
import onnx
from onnx import helper, numpy_helper

MICROSOFT = "com.microsoft"
F32 = np.float32


class Nodes:
    def __init__(self):
        self.draw = np.random.default_rng(3)
        self.nodes, self.inputs, self.constants, self.outputs = [], {}, [], []

    def bytes(self, dtype, *shape):
        limit = np.iinfo(dtype)
        return self.draw.integers(limit.min, limit.max + 1, shape).astype(dtype)

    def scale(self, *shape):
        return np.asarray(self.draw.uniform(0.01, 0.2, shape), F32)

    def normal(self, *shape):
        return self.draw.standard_normal(shape).astype(F32)

    def constant(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def __call__(self, op, data, *constants, domain="", outputs=1, options={}):
        """`data` are inputs of the graph, or names of results; None among them or the constants is left out."""
        names = []
        for values in data:
            if values is None or isinstance(values, str):
                names.append(values or "")
                continue
            names.append(f"x{len(self.inputs)}")
            self.inputs[names[-1]] = values
        names += ["" if values is None else self.constant(values) for values in constants]
        results = [f"y{len(self.nodes)}_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(op, names, results, domain=domain, **options))
        self.outputs += results
        return results[0]


def standard(n):
    u8, i8 = np.uint8, np.int8
    ties = ((np.arange(-150, 150) + F32(0.5)) * F32(0.3)).astype(F32)
    n("QuantizeLinear", [ties], F32(0.3), u8(128))
    n("QuantizeLinear", [np.array([np.inf, -np.inf, 1e30], F32)], F32(0.1), i8(5))
    n("QuantizeLinear", [n.normal(3, 7) * 500], n.scale(3), n.bytes(np.uint16, 3), options={"axis": 0})
    n("QuantizeLinear", [n.normal(3, 7)], n.scale(3, 3), n.bytes(i8, 3, 3), options={"axis": 1, "block_size": 3})
    n("DequantizeLinear", [n.bytes(i8, 2, 7, 3)], n.scale(2, 4, 3), n.bytes(i8, 2, 4, 3), options={"axis": -2, "block_size": 2})
    n("DequantizeLinear", [n.draw.integers(-(2**31), 2**31, (4, 3)).astype(np.int32)], n.scale(4), options={"axis": 0})
    n("DynamicQuantizeLinear", [n.normal(3, 5)], outputs=3)
    n("DynamicQuantizeLinear", [np.zeros((2, 2), F32)], outputs=3)
    n("MatMulInteger", [n.bytes(u8, 2, 3, 5), n.bytes(u8, 5, 4)], u8(3), n.bytes(u8, 4))
    n("QLinearMatMul", [n.bytes(u8, 3, 5)], n.scale(), u8(120), n.bytes(u8, 5, 4), n.scale(4), n.bytes(u8, 4), F32(2), u8(9))
    same = {"auto_pad": "SAME_LOWER", "strides": [2, 2]}
    n("ConvInteger", [n.bytes(u8, 1, 40, 6, 7), n.bytes(u8, 4, 20, 3, 2)], u8(7), u8(250), options=same | {"group": 2})
    bias = n.draw.integers(-5000, 5000, 6).astype(np.int32)
    weight, zeros = n.bytes(i8, 6, 2, 3) // 2, np.zeros(6, i8)
    rest = [n.scale(6), zeros, F32(3), u8(100), bias]
    n("QLinearConv", [n.bytes(u8, 2, 4, 9)], n.scale(), u8(77), weight, *rest, options={"group": 2, "dilations": [2]})


def microsoft(n):
    for dtype in (np.uint8, np.int8):
        zero = lambda: n.bytes(dtype)
        form = lambda: (n.scale(), zero())
        one = (F32(1 / 256), dtype(np.iinfo(dtype).min))

        def q(op, shape, *constants, **options):
            n(op, [n.bytes(dtype, *shape)], *form(), *constants, domain=MICROSOFT, options=options)

        q("QLinearAdd", (2, 3, 4), n.bytes(dtype, 4), *form(), F32(0.3), zero())
        q("QLinearMul", (3, 1), n.bytes(dtype, 1, 5), *form(), F32(1.5), zero())
        q("QLinearSigmoid", (3, 50), *one)
        q("QLinearLeakyRelu", (3, 50), *form(), alpha=0.2)
        q("QLinearGlobalAveragePool", (2, 3, 5, 6), *form())
        q("QLinearAveragePool", (2, 7, 8, 3), *form(), kernel_shape=[3, 2], pads=[1, 0, 1, 0], channels_last=1)
        parts = [n.bytes(dtype, 2, 3), *form(), n.bytes(dtype, 2, 5), *form()]
        n("QLinearConcat", [], *form(), *parts, domain=MICROSOFT, options={"axis": 1})
        condition = n.draw.integers(0, 2, (3, 4)).astype(bool)
        n("QLinearWhere", [condition, n.bytes(dtype, 3, 4)], *form(), n.bytes(dtype, 4), *form(), *form(), domain=MICROSOFT)
    options = {"axis": 1, "opset": 11}
    n("QLinearSoftmax", [n.bytes(np.uint8, 2, 5, 6)], F32(0.05), np.uint8(3), F32(1 / 256), np.uint8(0), domain=MICROSOFT, options=options)
    bias = n.draw.integers(-5000, 5000, (1, 4)).astype(np.int32)
    matrix = [n.scale(), np.uint8(12), n.bytes(np.uint8, 4, 5), n.scale(4), n.bytes(np.uint8, 4), bias]
    turned = {"transA": 1, "transB": 1}
    n("QGemm", [n.bytes(np.uint8, 5, 3)], *matrix, F32(5), np.uint8(40), domain=MICROSOFT, options=turned)
    n("QGemm", [n.bytes(np.uint8, 5, 3)], *matrix, domain=MICROSOFT, options=turned | {"alpha": 0.5})
    scales = (n.scale(), n.scale(4))
    n("MatMulIntegerToFloat", [n.bytes(np.uint8, 2, 3, 5), n.bytes(np.uint8, 5, 4)], *scales, np.uint8(4), n.bytes(np.uint8, 4), n.normal(4), domain=MICROSOFT)
    n("DynamicQuantizeMatMul", [n.normal(3, 5)], n.bytes(np.uint8, 5, 4), n.scale(4), n.bytes(np.uint8, 4), domain=MICROSOFT)
    n("QuantizeLinear", [n.normal(3, 4) * 500], n.scale(), np.uint16(30000), domain=MICROSOFT)
    n("DequantizeLinear", [n.bytes(np.int16, 3, 4)], n.scale(3), n.bytes(np.int16, 3), domain=MICROSOFT, options={"axis": 0})


def fused(n):
    ms = {"domain": MICROSOFT}
    n("Gelu", [n.normal(3, 8)], **ms)
    n("BiasGelu", [n.normal(3, 8)], n.normal(8), **ms)
    n("FastGelu", [n.normal(3, 8)], n.normal(8), **ms)
    n("QuickGelu", [n.normal(3, 8)], **ms)
    n("FusedMatMul", [n.normal(4, 2, 3, 5), n.normal(2, 3, 4, 6)], options={"transBatchA": 1, "transA": 1, "alpha": 0.5}, **ms)
    conv = {"activation": "Clip", "activation_params": [-2.0, 2.5], "pads": [1, 1]}
    n("FusedConv", [n.normal(1, 2, 6)], n.normal(3, 2, 3), n.normal(3), n.normal(1, 3, 6), options=conv, **ms)
    gemm = {"activation": "LeakyRelu", "activation_alpha": 0.3, "transB": 1}
    n("FusedGemm", [n.normal(3, 5)], n.normal(6, 5), n.normal(6), options=gemm, **ms)
    n("SkipLayerNormalization", [n.normal(2, 5, 8), n.normal(5, 8)], n.normal(8), n.normal(8), n.normal(8), **ms)
    n("SkipSimplifiedLayerNormalization", [n.normal(2, 5, 8), n.normal(2, 5, 8)], n.normal(8), **ms)
    n("SimplifiedLayerNormalization", [n.normal(2, 5, 8)], n.normal(8), options={"axis": -1, "epsilon": 1e-6})
    ids, kinds, mask = (n.draw.integers(0, limit, (2, 5)).astype(np.int32) for limit in (20, 2, 2))
    tables = [n.normal(20, 8), n.normal(12, 8), n.normal(2, 8), n.normal(8), n.normal(8)]
    n("EmbedLayerNormalization", [ids, kinds], *tables, mask, outputs=3, **ms)


def model(*parts):
    n = Nodes()
    for part in parts:
        part(n)
    types = {name: helper.np_dtype_to_tensor_dtype(values.dtype) for name, values in n.inputs.items()}
    inputs = [helper.make_tensor_value_info(name, types[name], values.shape) for name, values in n.inputs.items()]
    outputs = [onnx.ValueInfoProto(name=name) for name in n.outputs]
    graph = helper.make_graph(n.nodes, "g", inputs, outputs, n.constants)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10), n.inputs


def operators():
    return model(standard, microsoft, fused)
