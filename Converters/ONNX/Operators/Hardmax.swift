import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Hardmax` → `one_hot` of `reduce_argmax`: 1 at the first greatest element along `axis`, 0 elsewhere. Before
/// operator set 13 the axes from `axis` (1 by default) on count as one.
package enum ONNXHardmax: ONNXOperator {
  package static let types = ["Hardmax"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let (shape, old) = (context.fact(x).shape, context.opset < 13)
    let axis = try normalized(axis: try node.int("axis", default: old ? 1 : -1), rank: shape.count, "hardmax")
    guard old else { return [try marked(x, axis, in: &context)] }
    let matrix = try context.reshape(x, [shape[..<axis].reduce(1, *), shape[axis...].reduce(1, *)])
    return [try context.reshape(try marked(matrix, 1, in: &context), shape, sources: [x])]
  }

  private static func marked(_ x: ValueID, _ axis: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let place = try context.emit(ReduceArgmax(axis: axis, outputDType: .int64), x)
    let (on, off) = (try context.number(1, like: x), try context.number(0, like: x))
    return try context.emit(OneHot(axis: axis), place, try context.extent(of: x, axis: axis), on, off)
  }
}
