"""Cases of single operators of ONNX: what a model of one node is called with, and what PyTorch's autograd answers."""
import io
import json
import zipfile

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(20261129)
OPSET = 22
archive = {}
# Cases that are left out: what cancellation leaves of their gradients PyTorch's own float32 has not within 1e-5.
cancelled = []


class Variable:
    """An input that gradients are asked for, float32."""

    def __init__(self, array):
        self.array = np.asarray(array, np.float32)


def reals(shape, low=-2.0, high=2.0):
    return random.uniform(low, high, shape).astype(np.float32)


def variable(shape, low=-2.0, high=2.0):
    return Variable(reals(shape, low, high))


def shape(least=1, most=4, largest=5):
    """The extents of a tensor, 1 among them now and then."""
    rank = int(random.integers(least, most + 1))
    return [int(random.choice([1, *range(2, largest + 1)])) for _ in range(rank)]


def pick(*choices):
    return choices[int(random.integers(len(choices)))]


def integer(low, high):
    return int(random.integers(low, high + 1))


def differentiated(answer, inputs, dtype, weights=None):
    """The outputs, the weights of their sum, drawn unless given, the variables, and the sum's gradients by them."""
    tensors, variables = [], []
    for value in inputs:
        if isinstance(value, Variable):
            variables.append(torch.tensor(value.array, dtype=dtype, requires_grad=True))
            tensors.append(variables[-1])
        elif value is not None:
            tensor = torch.tensor(np.asarray(value))
            tensors.append(tensor.to(dtype) if tensor.is_floating_point() else tensor)
        else:
            tensors.append(None)
    results = answer(*tensors)
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    if weights is None:
        weights = [torch.tensor(reals(list(result.shape), -1, 1), dtype=torch.float64) for result in results]
    loss = sum((result * weight.to(dtype)).sum() for result, weight in zip(results, weights))
    gradients = torch.autograd.grad(loss, variables, allow_unused=True)
    gradients = [torch.zeros_like(v) if g is None else g for v, g in zip(variables, gradients)]
    return results, weights, variables, gradients


def distance(found, expected):
    """The largest difference of elements, of the largest element."""
    largest = expected.abs().max().item() if expected.numel() else 0
    difference = (found.double() - expected).abs().max().item() if expected.numel() else 0
    return difference / largest if largest else difference


def kept(name, answer, inputs, model, suffix, count=1):
    """Adds a case whose model is what `model` makes of the outputs. What is kept PyTorch computes in float64, so that
    what differs is what float32 loses here."""
    number = sum(key.startswith(f"{name}.") and key.endswith(suffix) for key in archive)
    results, weights, variables, gradients = differentiated(answer, inputs, torch.float64)
    assert len(results) == count, name
    rough = differentiated(answer, inputs, torch.float32, weights)[3]
    if any(distance(low, high) > 1e-5 for low, high in zip(rough, gradients)):
        cancelled.append(name)
        return
    arrays = {f"y{place}": result for place, result in enumerate(results)}
    arrays |= {f"weight{place}": weight for place, weight in enumerate(weights)}
    for place, (value, gradient) in enumerate(zip(variables, gradients)):
        arrays[f"v{place}"] = value
        arrays[f"gradient{place}"] = gradient
    data = io.BytesIO()
    exact = {"weight", "v"}
    np.savez(data, **{key: value.detach().numpy().astype(
        np.float32 if key.rstrip("0123456789") in exact else np.float64) for key, value in arrays.items()})
    archive[f"{name}.{number}{suffix}"] = model(results)
    archive[f"{name}.{number}.npz"] = data.getvalue()


def case(name, op, answer, inputs, count=1, opset=OPSET, unseen=0, **attributes):
    """Adds a model of one node. `inputs` are variables, constants or None in the node's order; `answer` takes tensors
    for the variables and the constants, and gives the outputs. `unseen` outputs behind those are the node's, not the
    model's: indices."""
    names, ports, constants = [], [], []
    for place, value in enumerate(inputs):
        if value is None:
            names.append("")
        elif isinstance(value, Variable):
            names.append(f"v{len(ports)}")
            ports.append(helper.make_tensor_value_info(names[-1], TensorProto.FLOAT, value.array.shape))
        else:
            names.append(f"c{place}")
            constants.append(numpy_helper.from_array(np.asarray(value), names[-1]))
    outputs = [f"y{place}" for place in range(count)]
    node = helper.make_node(op, names, outputs + [f"unseen{k}" for k in range(unseen)], name=name, **attributes)

    def model(results):
        infos = [helper.make_tensor_value_info(text, TensorProto.FLOAT, list(result.shape))
                 for text, result in zip(outputs, results)]
        graph = helper.make_graph([node], name, ports, infos, constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
        model.ir_version = 10
        onnx.checker.check_model(model)
        return model.SerializeToString(deterministic=True)

    kept(name, answer, inputs, model, ".onnx", count)


def mil_case(op, answer, attributes="", **operands):
    """Adds a program of one operator of MIL, in mlc's own text. `operands` are variables by the operator's ports."""
    def spelled(extents):
        return f"fp32[{', '.join(map(str, extents))}]"

    def model(results):
        inputs = ", ".join(f"%{port}: {spelled(value.array.shape)}" for port, value in operands.items())
        bound = ", ".join(f"{port} = %{port}" for port in operands)
        braces = f" {{{attributes}}}" if attributes else ""
        return f"""program {{
  func @main({inputs}) -> ("y" = %y) {{
    %y = {op}({bound}){braces} : {spelled(results[0].shape)}
  }}
}}
""".encode()

    kept(op, answer, list(operands.values()), model, ".mil")


def write(path):
    """Equal cases give equal archives."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, contents in sorted(archive.items()):
            file.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), contents, zipfile.ZIP_DEFLATED)
    kinds = {name.rsplit(".", 2)[0] for name in archive}
    print(json.dumps({"cases": len(archive) // 2, "kinds": len(kinds), "cancelled": cancelled}))
