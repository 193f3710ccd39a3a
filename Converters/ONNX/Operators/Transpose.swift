import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Transpose` → `transpose`; no `perm` turns the axes round.
package enum ONNXTranspose: ONNXOperator {
  package static let types = ["Transpose"]
  package static var operation: String? { "transpose" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let perm = try node.ints("perm") ?? Array((0..<context.fact(x).rank).reversed())
    return [try context.emit(Transpose(perm), x)]
  }
}
