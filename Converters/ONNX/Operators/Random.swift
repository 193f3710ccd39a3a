import MLCCore
import MLCGraph
import MLCOps

/// ONNX `RandomUniform`, `RandomNormal` and those that take the shape from a tensor: numbers of Philox 4x32-10
/// (`OperationBuilder.uniform`), the same in every run. Uniform ones lie from `low` up to `high`, normal ones have
/// `mean` and the deviation `scale`. They are computed in float32, or in float64, and rounded to `dtype`.
package enum ONNXRandom: ONNXOperator {
  package static let types = ["RandomUniform", "RandomUniformLike", "RandomNormal", "RandomNormalLike"]
  package static var note: String { "the same numbers in every run" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (shape, usual) = try form(node, in: &context)
    let dtype = try node.int("dtype").map { (code) throws(Diagnostic) in try ONNXDataType.dtype(code) } ?? usual
    guard dtype.isFloat else { throw Diagnostic("onnx.random", "random numbers of type \(dtype.rawValue)") }
    let wide = dtype == .float64 ? DType.float64 : .float32
    let numbers: ValueID
    let (start, span): (Float, Float)
    if node.opType.hasPrefix("RandomUniform") {
      start = try node.float("low", default: 0)
      span = try node.float("high", default: 1) - start
      numbers = try context.uniform(shape, wide, key: try context.randomKey())
    } else {
      (start, span) = (try node.float("mean", default: 0), try node.float("scale", default: 1))
      numbers = try context.normal(shape, wide, key: try context.randomKey())
    }
    let spread = try context.raised(try context.scaled(numbers, by: Double(span)), by: Double(start))
    return [try context.cast(spread, to: dtype)]
  }

  /// The extents of the result, a list, and its type where none is given.
  private static func form(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> (ValueID, DType) {
    if node.opType.hasSuffix("Like") {
      let x = try context.required(0)
      return (try context.emit(Shape(dtype: .int64), x), context.fact(x).dtype)
    }
    guard let extents = try node.ints("shape"), extents.allSatisfy({ $0 >= 0 }) else {
      throw Diagnostic("onnx.random", "'shape' is missing or has a negative extent")
    }
    return (context.constant(ints: extents, "shape"), .float32)
  }
}
