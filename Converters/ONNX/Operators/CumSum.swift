import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CumSum` and `CumProd` → `cumsum`, `cumprod`.
package enum ONNXCumSum: ONNXOperator {
  package static let types = ["CumSum", "CumProd"]
  package static var sinceOpset: Int { 11 }
  package static var operation: String? { "cumsum, cumprod" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let axis = try context.constant(1, "axis")?.integers, axis.count == 1 else {
      throw Diagnostic("onnx.cumsum", "'axis' is not one integer")
    }
    let form = (axis[0], try node.flag("exclusive"), try node.flag("reverse"))
    let x = try context.required(0)
    if node.opType == "CumProd" {
      var op = Cumprod()
      (op.axis, op.exclusive, op.reverse) = form
      return [try context.emit(op, x)]
    }
    var op = Cumsum()
    (op.axis, op.exclusive, op.reverse) = form
    return [try context.emit(op, x)]
  }
}
