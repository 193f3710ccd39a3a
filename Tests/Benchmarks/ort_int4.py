#!/usr/bin/env python3
"""onnxruntime's own four-bit form of a model: MatMulNBits in blocks of 32, symmetric, float32 arithmetic (accuracy level 0).

  ort_int4.py MODEL.onnx OUT.onnx       quantises every product by a constant, Gemm included
  ort_int4.py --gemv SIZE OUT.onnx      writes the float32 model of one seeded SIZE × SIZE matrix instead
"""
import argparse

import numpy as np
import onnx
from onnx import helper, numpy_helper


BLOCK = 32


def products(model):
    """The nodes that multiply by a constant [K, N]: MatMul, and Gemm as MatMul and Add."""
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        weight = constants.get(node.input[1]) if node.op_type in ("Gemm", "MatMul") else None
        plain = settings.get("alpha", 1) == 1 and settings.get("beta", 1) == 1 and not settings.get("transA", 0)
        if weight is None or len(weight.dims) != 2 or not plain:
            yield node, None
            continue
        values = numpy_helper.to_array(weight).astype(np.float32)
        yield node, values.T if settings.get("transB", 0) else values


def four_bits(values):
    """Codes and scales as MatMulNBits wants them, made by the function behind onnxruntime's quantiser."""
    from onnxruntime.capi._pybind_state import quantize_matmul_4bits

    (rows, columns), blocks = values.shape, -(-values.shape[0] // BLOCK)
    codes = np.zeros((columns, blocks, BLOCK // 2), np.uint8)
    scales = np.zeros(columns * blocks, np.float32)
    zeros = np.zeros(columns * ((blocks + 1) // 2), np.uint8)
    quantize_matmul_4bits(codes, np.ascontiguousarray(values), scales, zeros, BLOCK, columns, rows, True)
    return codes, scales


def quantise(model, out):
    nodes, added, count = [], [], 0
    for node, values in products(model):
        if values is None:
            nodes.append(node)
            continue
        count += 1
        names = [f"{node.output[0]}_{part}" for part in ("codes", "scales")]
        added += [numpy_helper.from_array(array, name) for array, name in zip(four_bits(values), names)]
        has_bias = len(node.input) > 2
        product = node.output[0] + "_product" if has_bias else node.output[0]
        nodes.append(
            helper.make_node(
                "MatMulNBits", [node.input[0], *names], [product], product, domain="com.microsoft", K=values.shape[0],
                N=values.shape[1], bits=4, block_size=BLOCK, accuracy_level=0,
            )
        )
        if has_bias:
            nodes.append(helper.make_node("Add", [product, node.input[2]], [node.output[0]], node.name))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    used = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in model.graph.initializer if tensor.name in used]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept + added)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, out)
    print(f"{out}: {count} products in four bits")


def gemv(size, out):
    weight = np.random.default_rng(0).standard_normal((size, size), dtype=np.float32) / np.float32(size) ** 0.5
    shape = [1, size]
    value = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name in ("x", "y")]
    node = helper.make_node("MatMul", ["x", "weight"], ["y"], "product")
    graph = helper.make_graph([node], "gemv", value[:1], value[1:], [numpy_helper.from_array(weight, "weight")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", metavar="MODEL.onnx")
    parser.add_argument("out", metavar="OUT.onnx")
    parser.add_argument("--gemv", type=int, metavar="SIZE")
    options = parser.parse_args()
    if options.gemv:
        return gemv(options.gemv, options.out)
    if not options.model:
        parser.error("MODEL.onnx is missing")
    quantise(onnx.load(options.model), options.out)


if __name__ == "__main__":
    main()
