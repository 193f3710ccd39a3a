import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Einsum` → products of matrices, sums and transpositions.
package enum ONNXEinsum: ONNXOperator {
  package static let types = ["Einsum"]
  package static var sinceOpset: Int { 12 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var operands: [ValueID] = []
    for index in node.inputs.indices { operands.append(try context.required(index)) }
    return [try context.einsum(try node.string("equation", default: ""), operands)]
  }
}
