import ONNXProto

/// Operators that are composed of several operations.
extension Rejection {
  static let onnxCompositions: [Rejection] = onnxAttention + onnxNorms + onnxSequences

  private static let heads = [1, 4, 1, 2]

  private static let onnxAttention: [Rejection] = [
    node("onnx.attention", "Attention", [[1, 1, 2], [1, 1, 2], [1, 1, 2]], opset: 23),
    node("onnx.attention", "Attention", [[1, 4, 1, 2], [1, 3, 1, 2], [1, 3, 1, 2]], opset: 23),
    node(
      "onnx.attention",
      "Attention",
      [heads, heads, heads],
      [ONNXModels.attribute("qk_matmul_output_mode", 4)],
      opset: 23
    ),
    node("onnx.attention", "Attention", [heads, heads, heads, [1, 1, 1, 1, 1]], opset: 23),
    node("onnx.rotary-embedding", "RotaryEmbedding", [[1, 2, 4], [1, 1], [1, 1]], opset: 23),
    node("onnx.rotary-embedding", "RotaryEmbedding", [heads, [1, 1], [1, 1]], opset: 23),
    node(
      "onnx.rotary-embedding",
      "RotaryEmbedding",
      [heads, [1, 1, 1], [1, 1, 1]],
      [ONNXModels.attribute("rotary_embedding_dim", 3)],
      opset: 23
    ),
  ]

  private static let onnxNorms: [Rejection] = [
    node("onnx.global-pool", "GlobalLpPool", [[1, 1]]),
    node(
      "onnx.group-norm",
      "GroupNormalization",
      [[1, 4, 1], [2], [2]],
      [ONNXModels.attribute("num_groups", 3)],
      opset: 18
    ),
    node("onnx.loss", "NegativeLogLikelihoodLoss", [[1, 2], [1]]),
    node("onnx.norm-order", "LpNormalization", [[2]], [ONNXModels.attribute("p", 3)]),
    node("onnx.norm-order", "LpPool", [[1, 1, 1]], [ONNXModels.attribute("p", 0)]),
  ]

  private static let onnxSequences: [Rejection] = [
    node("onnx.center-crop-pad", "CenterCropPad", [[2, 2]], constants: [[1]], opset: 18),
    node("onnx.center-crop-pad", "CenterCropPad", [[2]], constants: [[-1]], opset: 18),
    node("onnx.compress", "Compress", [[2], [1, 2]]),
    node("onnx.number", "HannWindow", [], constants: [[1, 2]]),
    node("onnx.number", "HannWindow", [], constants: [[-1]]),
    Rejection("onnx.optional") {
      var empty = ONNXModels.node("Optional", [], [])
      empty.output = ["nothing"]
      let nodes = [empty, ONNXModels.node("OptionalGetElement", ["nothing"], [])]
      try ONNXModels.read(ONNXModels.model(nodes, inputs: []))
    },
    node("onnx.reverse-sequence", "ReverseSequence", [[2], [2]]),
    node("onnx.reverse-sequence", "ReverseSequence", [[2, 2], [2]], [ONNXModels.attribute("time_axis", 2)]),
    node("onnx.sequence", "SequenceAt", [[1], [1]]),
    Rejection("onnx.squeeze-rank") {
      var model = ONNXModels.model([ONNXModels.node("Squeeze", ["x"], [])], inputs: [("x", [1])])
      model.graph.input[0].type.tensorType.shape.dim[0].value = nil
      try ONNXModels.read(model)
    },
    node("onnx.tensor-scatter", "TensorScatter", [[1, 2], [1, 2]], opset: 24),
    node(
      "onnx.tensor-scatter",
      "TensorScatter",
      [[1, 1, 2, 1], [1, 1, 1, 1], [1]],
      [ONNXModels.attribute("mode", "spiral")],
      opset: 24
    ),
  ]
}
