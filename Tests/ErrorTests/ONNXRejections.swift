import MLCCore
import MLCGraph
import ONNXProto
import SwiftProtobuf

extension Rejection {
  /// Refused for what the model is, whatever the operator.
  static let onnx: [Rejection] = [
    relu("onnx.function") { $0.functions = [Onnx_FunctionProto(), Onnx_FunctionProto()] },
    relu("onnx.input-shape", bindings: ["x": TensorType(.float32, [2])]),
    relu("onnx.input-shape", bindings: ["x": TensorType(.float32, [1, 1])]),
    relu("onnx.input-type", shape: nil),
    relu("onnx.opset", opset: 6) { $0.graph.node[0].opType = "Sin" },
    relu("onnx.opset-missing", opset: 0),
    relu("onnx.output") { $0.graph.node[0].output = ["y", "z"] },
    relu("onnx.missing-input") { $0.graph.node[0].input = [] },
    relu("onnx.undefined-value") { $0.graph.output[0].name = "z" },
    relu("onnx.unknown-input", bindings: ["z": TensorType(.float32, [1])]),
    relu("onnx.unsupported") { $0.graph.node[0].opType = "Frobnicate" },
    relu("onnx.unsupported") { $0.graph.node[0].domain = "com.example" },
  ]

  private static func relu(
    _ id: String,
    shape: [Int]? = [1],
    opset: Int = 17,
    bindings: [String: TensorType] = [:],
    _ damage: @escaping @Sendable (inout Onnx_ModelProto) -> Void = { _ in }
  ) -> Rejection {
    Rejection(id) {
      var model = ONNXModels.model([ONNXModels.node("Relu", ["x"], [])], inputs: [("x", shape)], opset: opset)
      damage(&model)
      try ONNXModels.read(model, bindings: bindings)
    }
  }
}
