import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Identity`: a tensor, a sequence or an optional as it is.
package enum ONNXIdentity: ONNXValueOperator {
  package static let types = ["Identity"]
  package static var operation: String? { "identity" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let value = try context.value(0)
    guard let tensor = value.tensor else { return [value] }
    return [.tensor(try context.emit(Identity(), tensor))]
  }
}
