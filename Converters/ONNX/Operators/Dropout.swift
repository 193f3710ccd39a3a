import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Dropout` in inference form: its input, and a mask that keeps every element. Training mode is refused.
package enum ONNXDropout: ONNXOperator {
  package static let types = ["Dropout"]
  /// Version 6 has a training mode.
  package static var sinceOpset: Int { 7 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    if context.opset >= 12, let training = try context.constant(2, "training_mode"),
      training.integers.contains(where: { $0 != 0 })
    {
      throw Diagnostic("onnx.training-mode", "elements are dropped at random; export for inference", kind: .unsupported)
    }
    let x = try context.required(0)
    guard node.output(1) != nil else { return [x] }
    let kept = try context.constant(1, context.opset >= 10 ? .bool : context.fact(x).dtype, "kept")
    let shape = try context.emit(Shape(dtype: .int64), x)
    return [x, try context.emit(Fill(), shape, kept, output: 1)]
  }
}
