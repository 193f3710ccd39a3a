import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MatMul` → `matmul`.
package enum ONNXMatMul: ONNXOperator {
  package static let types = ["MatMul"]
  package static var operation: String? { "matmul" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    [try context.emit(MatMul(), try context.required(0), try context.required(1))]
  }
}
