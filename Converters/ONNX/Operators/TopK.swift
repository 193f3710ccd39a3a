import MLCCore
import MLCGraph
import MLCOps

/// ONNX `TopK` → `topk`. k is an attribute until version 10, the smallest are an option from version 11.
package enum ONNXTopK: ONNXOperator {
  package static let types = ["TopK"]
  package static var operation: String? { "topk" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var op = TopK()
    op.axis = try node.int("axis", default: -1)
    op.ascending = !(try node.flag("largest", default: true))
    op.sort = try node.flag("sorted", default: true)
    op.indicesDType = .int64
    let x = try context.required(0)
    if let k = try node.int("k") { return try context.emit(op, all: [[x], [context.constant(ints: [k], "k")]]) }
    return try context.emit(op, all: [[x], [try context.required(1)]])
  }
}
