import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Shrink`: `x + bias` below −lambd, `x − bias` above lambd, else 0. Integers are computed as doubles.
package enum ONNXShrink: ONNXOperator {
  package static let types = ["Shrink"]
  package static var sinceOpset: Int { 9 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    let dtype = context.fact(given).dtype
    let x = dtype.isFloat ? given : try context.cast(given, to: .float64)
    let bias = try context.number(Double(try node.float("bias", default: 0)), like: x)
    let bound = Double(try node.float("lambd", default: 0.5))
    let (low, high) = (try context.number(-bound, like: x), try context.number(bound, like: x))
    let (isLow, isHigh) = (try context.emit(Less(), x, low), try context.emit(Greater(), x, high))
    let zero = try context.number(0, like: x)
    let above = try context.emit(Select(), isHigh, try context.emit(Sub(), x, bias), zero)
    return [try context.cast(try context.emit(Select(), isLow, try context.emit(Add(), x, bias), above), to: dtype)]
  }
}
