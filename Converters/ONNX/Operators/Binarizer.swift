import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Binarizer`: 1 where `x > threshold`, else 0, in the type of x.
package enum ONNXBinarizer: ONNXMachineLearning {
  package static let types = ["Binarizer"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let dtype = context.fact(x).dtype
    let floats = dtype.isFloat ? x : try context.cast(x, to: .float32)
    let threshold = try context.number(Double(try node.float("threshold", default: 0)), like: floats)
    return [try context.cast(try context.emit(Greater(), floats, threshold), to: dtype)]
  }
}
