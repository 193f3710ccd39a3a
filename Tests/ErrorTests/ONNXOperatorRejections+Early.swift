import ONNXProto

/// Operators of early models, those that draw numbers, and those that keep a state.
extension Rejection {
  static let onnxEarly: [Rejection] = [
    node("onnx.broadcast", "Add", [[2], [1]], opset: 6),
    node("onnx.broadcast", "Mul", [[2], [2]], [ONNXModels.attribute("broadcast", 1), axis(1)], opset: 6),
    node("onnx.dtype", "Cast", [[1]], [ONNXModels.attribute("to", "COMPLEX64")], opset: 5),
    node("onnx.experimental", "Crop", [[1, 1, 1, 1]], opset: 1),
    node("onnx.experimental", "Crop", [[1, 1, 1, 1]], [ONNXModels.attribute("border", [1, 1, 0, 1])], opset: 1),
    node("onnx.experimental", "ImageScaler", [[1, 1, 1, 1]], opset: 1),
    node("onnx.experimental", "ParametricSoftplus", [[1]], opset: 1),
    node("onnx.global-pool", "MeanVarianceNormalization", [[1, 1]], opset: 1),
    node("onnx.norm-order", "LpPool", [[1, 1, 1]], [ONNXModels.attribute("p", number: 1.5)], opset: 1),
    node("onnx.pad", "Pad", [[1]], [ONNXModels.attribute("pads", [0, 0])], opset: 1),
    node("onnx.resize", "Upsample", [[1, 1, 1, 1]], opset: 1),
    node("onnx.not-constant", "Tile", [[1], [], []], opset: 1),
  ]

  private static func axis(_ number: Int) -> Onnx_AttributeProto { ONNXModels.attribute("axis", number) }

  static let onnxRandom: [Rejection] = [
    node("onnx.random", "RandomUniform", []),
    node("onnx.random", "RandomNormal", [], [ONNXModels.attribute("shape", [-1])]),
    node("onnx.random", "RandomNormalLike", [[1]], [ONNXModels.attribute("dtype", 6)]),
    node("onnx.random", "Multinomial", [[1]]),
    node("onnx.random", "Dropout", [[1], [1]], constants: [[1]]),
    node("onnx.causal-conv", "CausalConvWithState", [[1, 1], [1, 1, 1]], opset: 27),
    node("onnx.causal-conv", "CausalConvWithState", [[1, 1, 1], [1, 1, 2], [1], [1, 1, 2]], opset: 27),
    node("onnx.linear-attention", "LinearAttention", [[1, 1, 1], [1, 1, 1], [1, 1, 1]], opset: 27),
    node("onnx.linear-attention", "LinearAttention", [[1, 1, 1], [1, 1, 1], [1, 1, 1]], linear, opset: 27),
    node("onnx.attention", "FlexAttention", [[1], [1], [1]], domain: "ai.onnx.preview"),
    node("onnx.optimizer", "Adam", [[], []], domain: "ai.onnx.preview.training"),
    node("onnx.tf-idf", "TfIdfVectorizer", [[1, 1, 1]]),
    node("onnx.tf-idf", "TfIdfVectorizer", [[1]]),
    node("onnx.det", "Inverse", [[1, 2]], domain: "com.microsoft"),
    node("onnx.distance", "CDist", [[1], [1]], domain: "com.microsoft"),
    node("onnx.global-pool", "NhwcMaxPool", [[1, 1]], domain: "com.microsoft"),
    node("onnx.group-norm", "GroupNorm", [[1, 1, 1], [1], [1]], domain: "com.microsoft"),
    node("onnx.split", "BiasSplitGelu", [[1], [1]], domain: "com.microsoft"),
  ]

  private static let linear = [ONNXModels.attribute("update_rule", "linear")]
}
