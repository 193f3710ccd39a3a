import MLCCore
import MLCGraph

/// ONNX `Optional`: what it is given, or nothing.
package enum ONNXOptional: ONNXValueOperator {
  package static let types = ["Optional"]
  package static let sinceOpset = 15

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    guard node.input(0) != nil else { return [.nothing] }
    return [try context.value(0)]
  }
}
