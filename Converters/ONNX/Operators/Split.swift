import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Split` → `split`. Sizes are an attribute until version 13, then an input; without sizes the pieces are equal,
/// the last smaller where `num_outputs` (version 18) does not divide.
package enum ONNXSplit: ONNXOperator {
  package static let types = ["Split"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let axis = try node.int("axis", default: 0)
    if let sizes = try context.integers("split", of: node, input: 1) {
      guard sizes.count >= node.outputs.count, !sizes.isEmpty else {
        throw Diagnostic("onnx.split", "\(sizes.count) sizes for \(node.outputs.count) outputs")
      }
      return try context.emit(Split(axis: axis, sizes: sizes), all: [[x]])
    }
    let count = try node.int("num_outputs", default: node.outputs.count)
    return try context.emit(Split(axis: axis, count: count), all: [[x]])
  }
}
