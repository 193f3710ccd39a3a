import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Bernoulli`: 1 where a number of Philox 4x32-10 from 0 up to 1 (`OperationBuilder.uniform`) lies below the
/// probability, else 0; of the type of the probabilities unless `dtype` says another.
package enum ONNXBernoulli: ONNXOperator {
  package static let types = ["Bernoulli"]
  package static var sinceOpset: Int { 15 }
  package static var note: String { "the same numbers in every run" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let own = context.fact(x).dtype
    guard own.isFloat else { throw Diagnostic("onnx.random", "probabilities are \(context.fact(x).type)") }
    let wide = own == .float64 ? DType.float64 : .float32
    let numbers = try context.uniform(try context.emit(Shape(dtype: .int64), x), wide, key: try context.randomKey())
    let isBelow = try context.emit(Less(), numbers, try context.cast(x, to: wide))
    let dtype = try node.int("dtype").map { (code) throws(Diagnostic) in try ONNXDataType.dtype(code) } ?? own
    return [try context.cast(isBelow, to: dtype)]
  }
}
