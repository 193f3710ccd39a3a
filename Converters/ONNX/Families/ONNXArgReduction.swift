import MLCCore
import MLCGraph
import MLCOps

/// `ArgMax` and `ArgMin`: indices are `int64`; among equals the first unless `select_last_index` (version 12).
package protocol ONNXArgReduction: ONNXOperator {
  associatedtype Op: ArgReduction
}

extension ONNXArgReduction {
  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let op = Op(
      axis: try node.int("axis", default: 0),
      keepDims: try node.flag("keepdims", default: true),
      outputDType: .int64,
      selectLastIndex: try node.flag("select_last_index")
    )
    return [try context.emit(op, try context.required(0))]
  }
}
