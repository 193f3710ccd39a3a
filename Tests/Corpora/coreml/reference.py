"""What onnxruntime makes of single operators."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper


def ort(op, *inputs, outputs=1, **attributes):
    """What onnxruntime makes of one operator; constants and data are inputs alike."""
    names = ["" if value is None else f"i{index}" for index, value in enumerate(inputs)]
    feeds = {name: np.asarray(value) for name, value in zip(names, inputs) if name}
    node = helper.make_node(op, names, [f"o{index}" for index in range(outputs)], **attributes)
    graph = helper.make_graph(
        [node],
        "g",
        [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in feeds.items()
        ],
        [helper.make_tensor_value_info(f"o{index}", TensorProto.FLOAT, None) for index in range(outputs)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    results = session.run(None, feeds)
    return results if outputs > 1 else results[0]
