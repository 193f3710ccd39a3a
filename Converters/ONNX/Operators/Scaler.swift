import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Scaler`: `(x − offset) · scale`, numbers for each feature or one for all; fp32.
package enum ONNXScaler: ONNXMachineLearning {
  package static let types = ["Scaler"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.cast(try context.required(0), to: .float32)
    let shifted = try context.emit(Sub(), x, try context.perFeature(node, "offset", of: x))
    return [try context.emit(Mul(), shifted, try context.perFeature(node, "scale", of: x))]
  }
}

extension ONNXContext {
  /// The floats of an attribute as a constant that broadcasts over the features of `x`: one for all, or as many as
  /// there are. Throws `onnx.features`.
  mutating func perFeature(_ node: ONNXNode, _ name: String, of x: ValueID) throws(Diagnostic) -> ValueID {
    let values = try node.floats(name) ?? []
    guard let columns = fact(x).shape.last, !values.isEmpty, values.count == 1 || columns == Dim(values.count) else {
      throw Diagnostic("onnx.features", "\(values.count) numbers of '\(name)' for \(fact(x).type)")
    }
    return constant(Tensor([values.count], floats: values), name)
  }
}
