import MLCCore
import MLCGraph
import MLCOps

/// ONNX `InstanceNormalization` → `instance_norm`.
package enum ONNXInstanceNormalization: ONNXOperator {
  package static let types = ["InstanceNormalization"]
  package static var operation: String? { "instance_norm" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = InstanceNorm(epsilon: Double(try node.float("epsilon", default: 1e-5)))
    return [try context.emit(op, try context.required(0), try context.required(1), try context.required(2))]
  }
}
