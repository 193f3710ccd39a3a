import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `MatMulIntegerToFloat`, `a_scale · b_scale · (A′·B′) + bias`, A′ and B′ without zero points, →
/// `matmul` in `int32`, `mul`, `add`.
package enum ONNXMatMulIntegerToFloat: ONNXMicrosoftOperator {
  package static let types = ["MatMulIntegerToFloat"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (a, b) = (try context.required(0), try context.required(1))
    let left = try context.quantization(scale: 2, zeroPoint: 4, of: a, axis: -2)
    let right = try context.quantization(scale: 3, zeroPoint: 5, of: b, axis: -1)
    return [try scaled(a, left, b, right, bias: context.input(6), in: &context)]
  }

  /// `a · b` of two quantised matrices, in the type of their scales.
  static func scaled(
    _ a: ValueID,
    _ left: ONNXQuantization,
    _ b: ValueID,
    _ right: ONNXQuantization,
    bias: ValueID?,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ValueID {
    let sums = try context.integerProduct(a, left.zeroPoint, b, right.zeroPoint)
    let factor = try context.emit(Mul(), left.scale, right.scale)
    let dtype = context.fact(factor).dtype
    guard dtype.isFloat else { throw Diagnostic("onnx.quantization", "a scale is \(context.fact(factor).type)") }
    let wide = dtype == .float64 ? DType.float64 : .float32
    let y = try context.emit(Mul(), try context.cast(sums, to: wide), try context.cast(factor, to: wide))
    let result = try context.cast(y, to: dtype)
    guard let bias else { return result }
    return try context.emit(Add(), result, bias)
  }
}
