import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Split` → `split`. Sizes are an attribute until version 13, then an input; without sizes the pieces are equal,
/// the last smaller where `num_outputs` (version 18) does not divide. Sizes that the model computes give slices.
package enum ONNXSplit: ONNXOperator {
  package static let types = ["Split"]
  package static var operation: String? { "split" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    let axis = try node.int("axis", default: 0)
    if context.opset >= 13, let sizes = context.input(1), context.fact(sizes).value == nil {
      return try slices(of: x, axis, sizes, node, in: &context)
    }
    if let sizes = try context.integers("split", of: node, input: 1) {
      guard sizes.count >= node.outputs.count, !sizes.isEmpty else {
        throw Diagnostic("onnx.split", "\(sizes.count) sizes for \(node.outputs.count) outputs")
      }
      return try context.emit(Split(axis: axis, sizes: sizes), all: [[x]])
    }
    let count = try node.int("num_outputs", default: node.outputs.count)
    return try context.emit(Split(axis: axis, count: count), all: [[x]])
  }

  /// Pieces of `sizes`, which are held to make up the extent.
  private static func slices(
    of x: ValueID,
    _ axis: Int,
    _ sizes: ValueID,
    _ node: ONNXNode,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ValueID] {
    let (rank, type) = (context.fact(x).rank, context.fact(sizes).type)
    guard type.dtype == .int64, type.shape == [Dim(node.outputs.count)] else {
      throw Diagnostic("onnx.split", "sizes are \(type) for \(node.outputs.count) outputs")
    }
    let axis = try normalized(axis: axis, rank: rank, "split")
    let ends = try context.emit(Cumsum(), sizes)
    let begins = try context.emit(Sub(), ends, sizes)
    let last = context.constant(ints: [node.outputs.count - 1])
    let shape = try context.emit(Shape(dtype: .int64), x)
    let extent = try context.emit(Gather(axis: 0), shape, context.constant(ints: [axis]))
    let isWhole = try context.emit(Equal(), try context.emit(Gather(axis: 0), ends, last), extent)
    let least = try context.emit(ReduceMin(axes: [0], keepDims: true), sizes)
    let isPositive = try context.emit(GreaterEqual(), least, context.constant(ints: [0]))
    let checked = try context.emit(Ensure(), x, try context.emit(LogicalAnd(), isWhole, isPositive))
    let others = (0..<rank).map { $0 != axis }
    return try node.outputs.indices.map { piece throws(Diagnostic) in
      // One number for each axis; the others are masked.
      let places = context.constant(ints: [Int](repeating: piece, count: rank))
      let begin = try context.emit(Gather(axis: 0), begins, places)
      let end = try context.emit(Gather(axis: 0), ends, places)
      return try context.emit(SliceByIndex(beginMask: others, endMask: others), checked, begin, end, output: piece)
    }
  }
}
