import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LRN` → `local_response_norm`.
package enum ONNXLRN: ONNXOperator {
  package static let types = ["LRN"]
  package static var operation: String? { "local_response_norm" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let size = try node.int("size") else { throw Diagnostic("onnx.lrn", "size is missing") }
    var op = LocalResponseNorm()
    op.size = size
    op.alpha = Double(try node.float("alpha", default: 1e-4))
    op.beta = Double(try node.float("beta", default: 0.75))
    op.k = Double(try node.float("bias", default: 1))
    return [try context.emit(op, try context.required(0))]
  }
}
