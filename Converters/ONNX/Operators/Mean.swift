import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Mean` → a chain of `add`, then `mul` by 1/n.
package enum ONNXMean: ONNXVariadic {
  package static let types = ["Mean"]
  package static let op: any Operator = Add()

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let sum = try folded(node, in: &context)
    let count = try context.constant(Double(node.inputs.count), context.fact(sum).dtype, "count")
    return [try context.emit(RealDiv(), sum, count)]
  }
}
