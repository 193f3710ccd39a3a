import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Mean` → a chain of `add`, then `mul` by 1/n.
package enum ONNXMean: ONNXOperator {
  package static let types = ["Mean"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let sum = try context.folded(Add())
    let count = try context.constant(Double(node.inputs.count), context.fact(sum).dtype, "count")
    return [try context.emit(RealDiv(), sum, count)]
  }
}
