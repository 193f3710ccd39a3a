import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CumProd` → `cumprod`.
package enum ONNXCumProd: ONNXOperator {
  package static let types = ["CumProd"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let axis = try context.constant(1, "axis")?.integers, axis.count == 1 else {
      throw Diagnostic("onnx.cumsum", "'axis' is not one integer")
    }
    var op = Cumprod()
    op.axis = axis[0]
    op.exclusive = try node.flag("exclusive")
    op.reverse = try node.flag("reverse")
    return [try context.emit(op, try context.required(0))]
  }
}
