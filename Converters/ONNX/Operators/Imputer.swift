import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Imputer`: what equals the number that stands for missing ones, or is NaN where that is NaN, becomes the
/// imputed number of its feature, or the one for all.
package enum ONNXImputer: ONNXMachineLearning {
  package static let types = ["Imputer"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let type = context.fact(x).type
    let isFloat = type.dtype.isFloat
    let values =
      isFloat
      ? (try node.floats("imputed_value_floats") ?? []).map(Double.init)
      : (try node.ints("imputed_value_int64s") ?? []).map(Double.init)
    guard isFloat || type.dtype.isInteger, let columns = type.shape.last, !values.isEmpty,
      values.count == 1 || columns == Dim(values.count)
    else {
      throw Diagnostic("onnx.features", "\(values.count) imputed numbers for \(type)")
    }
    let replaced =
      isFloat
      ? Double(try node.float("replaced_value_float", default: 0))
      : Double(try node.int("replaced_value_int64", default: 0))
    let imputed = context.constant(Tensor(type.dtype, [values.count], values), "imputed")
    let isMissing =
      replaced.isNaN
      ? try context.emit(IsNan(), x) : try context.emit(Equal(), x, try context.number(replaced, like: x))
    return [try context.emit(Select(), isMissing, imputed, x)]
  }
}
