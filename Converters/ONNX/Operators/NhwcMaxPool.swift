import MLCCore
import MLCGraph
import MLCOps

/// onnxruntime's `NhwcMaxPool` → `max_pool` between transpositions: channels are the last axis.
package enum ONNXNhwcMaxPool: ONNXMicrosoftOperator {
  package static let types = ["NhwcMaxPool"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    let rank = context.fact(given).rank
    guard rank >= 3 else {
      throw Diagnostic("onnx.global-pool", "\(context.fact(given).type) has no spatial axes")
    }
    let x = try context.emit(Transpose([0, rank - 1] + Array(1..<rank - 1)), given)
    var op = MaxPool()
    try ONNXPooling.read(node, context.fact(x), into: &op)
    return [try context.emit(Transpose([0] + Array(2..<rank) + [1]), try context.emit(op, all: [[x]])[0])]
  }
}
