import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MaxPool` → `max_pool`; the second output only when something uses it.
package enum ONNXMaxPool: ONNXOperator {
  package static let types = ["MaxPool"]
  package static var operation: String? { "max_pool" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    var op = MaxPool()
    try ONNXPooling.read(node, context.fact(x), into: &op)
    op.returnIndices = node.output(1) != nil
    let columnMajor = try node.flag("storage_order")
    op.columnMajorIndices = op.returnIndices && columnMajor
    return try context.emit(op, all: [[x]])
  }
}
