import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `BiasSplitGelu`: of `x + bias` the first half of the last axis times the `gelu` of the second.
package enum ONNXBiasSplitGelu: ONNXMicrosoftOperator {
  package static let types = ["BiasSplitGelu"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let sum = try context.emit(Add(), try context.required(0), try context.required(1))
    let shape = context.fact(sum).shape
    guard let width = shape.last?.constant, width.isMultiple(of: 2) else {
      throw Diagnostic("onnx.split", "the last axis of \(context.fact(sum).type) has no halves")
    }
    let left = try context.slice(sum, axis: shape.count - 1, from: 0, to: width / 2)
    let right = try context.slice(sum, axis: shape.count - 1, from: width / 2)
    return [try context.emit(Mul(), left, try context.emit(Gelu(mode: "EXACT"), right))]
  }
}
