import MLCCore
import MLCGraph
import MLCOps

/// ONNX `BatchNormalization` → `batch_norm`, in inference form; a node in training mode is refused.
package enum ONNXBatchNormalization: ONNXOperator {
  package static let types = ["BatchNormalization"]
  /// Version 6 has a training mode without extra outputs.
  package static var sinceOpset: Int { 7 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let outputs = node.outputs.lazy.filter { !$0.isEmpty }.count
    if try node.flag("training_mode") || outputs > 1 {
      let message = "statistics are computed from the batch; export the model for inference"
      throw Diagnostic("onnx.training-mode", message, kind: .unsupported)
    }
    let spatial = try node.flag("spatial", default: true)
    guard spatial || context.opset >= 9 else {
      throw Diagnostic("onnx.batch-norm", "statistics for every position are not supported", kind: .unsupported)
    }
    let op = BatchNorm(epsilon: Double(try node.float("epsilon", default: 1e-5)))
    return [
      try context.emit(
        op,
        try context.required(0),
        try context.required(3),
        try context.required(4),
        try context.required(1),
        try context.required(2)
      )
    ]
  }
}
