import MLCCore
import MLCGraph
import MLCOps

extension ONNXContext {
  /// ONNX's reductions: `axes` is an attribute until version 18 (of `ReduceSum` until 13), then an input; no axes means
  /// all, or none with `noop_with_empty_axes`, where only `ofNone` remains, what happens to each element.
  mutating func reduction<Op: Reduction>(
    _ node: ONNXNode,
    _ op: Op.Type,
    ofNone: [any Operator]
  ) throws(Diagnostic) -> ValueID {
    let x = try required(0)
    let axes = try integers("axes", of: node, input: 1) ?? []
    if axes.isEmpty, try node.flag("noop_with_empty_axes") || fact(x).rank == 0 {
      var result = x
      for op in ofNone.isEmpty ? [Identity()] : ofNone { result = try emit(op, result) }
      return result
    }
    return try emit(Op(axes: axes, keepDims: try node.flag("keepdims", default: true)), x)
  }

  /// `ArgMax` and `ArgMin`: indices are `int64`; among equals the first unless `select_last_index` (version 12).
  mutating func argReduction<Op: ArgReduction>(_ node: ONNXNode, _ op: Op.Type) throws(Diagnostic) -> ValueID {
    let op = Op(
      axis: try node.int("axis", default: 0),
      keepDims: try node.flag("keepdims", default: true),
      outputDType: .int64,
      selectLastIndex: try node.flag("select_last_index")
    )
    return try emit(op, try required(0))
  }
}
