import MLCCore
import MLCGraph

/// ONNX `Dropout` in inference form: its input. A node in training mode, or whose mask is used, is refused.
package enum ONNXDropout: ONNXOperator {
  package static let types = ["Dropout"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    if context.opset >= 12, let training = try context.constant(2, "training_mode"), training.integers.contains(where: { $0 != 0 }) {
      throw Diagnostic("onnx.training-mode", "elements are dropped at random; export for inference", kind: .unsupported)
    }
    return [try context.required(0)]
  }
}
