import MLCCore
import MLCGraph
import MLCOps

/// ONNX `OneHot` → `one_hot`; `values` holds the value off and the value on.
package enum ONNXOneHot: ONNXOperator {
  package static let types = ["OneHot"]
  package static var sinceOpset: Int { 9 }
  package static var operation: String? { "one_hot" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let values = try context.required(2)
    let depth = try scalar(try context.required(1), in: &context)
    let off = try context.emit(Gather(axis: 0), values, context.constant(.scalar(.int64, 0)))
    let on = try context.emit(Gather(axis: 0), values, context.constant(.scalar(.int64, 1)))
    let op = OneHot(axis: try node.int("axis", default: -1))
    return [try context.emit(op, try context.required(0), depth, on, off)]
  }

  private static func scalar(_ value: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    context.fact(value).rank == 0 ? value : try context.emit(Reshape(), value, context.constant(ints: [], "shape"))
  }
}
