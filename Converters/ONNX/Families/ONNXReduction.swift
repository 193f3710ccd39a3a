import MLCCore
import MLCGraph
import MLCOps

/// ONNX's reductions: `axes` is an attribute until version 18 (of `ReduceSum` until 13), then an input; no axes means all,
/// or none with `noop_with_empty_axes`, where only what happens to each element remains.
package protocol ONNXReduction: ONNXOperator {
  associatedtype Op: Reduction
  /// What a reduction of no axes does to each element; `nil` for nothing.
  static var elementwise: [any Operator] { get }
}

extension ONNXReduction {
  package static var elementwise: [any Operator] { [] }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let axes = try context.integers("axes", of: node, input: 1) ?? []
    if axes.isEmpty, try node.flag("noop_with_empty_axes") || context.fact(x).rank == 0 {
      var result = x
      for op in elementwise.isEmpty ? [Identity()] : elementwise { result = try context.emit(op, result) }
      return [result]
    }
    return [try context.emit(Op(axes: axes, keepDims: try node.flag("keepdims", default: true)), x)]
  }
}
