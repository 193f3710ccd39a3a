import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Compress` → `gather` at the places that `non_zero` gives of the condition, of all elements when there is no
/// `axis`.
package enum ONNXCompress: ONNXOperator {
  package static let types = ["Compress"]
  package static var sinceOpset: Int { 9 }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, condition) = (try context.required(0), try context.required(1))
    guard context.fact(condition).rank == 1 else {
      throw Diagnostic("onnx.compress", "the condition is \(context.fact(condition).type), expected a vector")
    }
    let places = try context.emit(Squeeze([1]), try context.emit(NonZero(), condition))
    if let axis = try node.int("axis") { return [try context.emit(Gather(axis: axis), x, places)] }
    let flat = try context.emit(Reshape(), x, context.constant(ints: [-1], "flat"))
    return [try context.emit(Gather(axis: 0), flat, places)]
  }
}
