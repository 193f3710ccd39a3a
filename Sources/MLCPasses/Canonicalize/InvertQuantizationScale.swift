import MLCCore
import MLCGraph
import MLCOps

/// A quotient by a constant scale that is rounded to a whole number becomes a product, where what is divided was itself
/// computed of dequantised integers.
///
/// round(x / s) is round(x · (1/s)) but for ties, and such an x lies on a tie by the order of its sums alone. Means of
/// a few bytes lie on ties often, and stay. The product goes into the constants that x is scaled by, where there are
/// such: (a · t + b) / s is a · (t/s) + b/s.
package struct InvertQuantizationScale: Rewrite {
  package static let phase = Phase.canonicalize
  /// One quantum of eight bits.
  package static let tolerance = 5e-3
  package init() {}

  /// How far back integers are looked for.
  private static let depth = 8

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is RealDiv, let result = operation.outputs.first, graph.type(result).dtype == .float32,
      graph.isRounded(result), let (x, c) = graph.operands(operation), c == operation.inputs[1].first,
      let scale = graph.constant(c), isOfIntegers(x, InvertQuantizationScale.depth, graph)
    else { return nil }
    let inverse = scale.doubles.map { 1 / $0 }
    guard inverse.allSatisfy({ $0.isFinite && abs($0) >= 1.2e-38 && abs($0) < 1e38 }) else { return nil }
    if inverse.count == 1, inverse[0] > 0, absorbs(x, InvertQuantizationScale.depth, graph) {
      return graph.patch(try scaled(x, inverse[0], &graph))
    }
    let factor = graph.emitConstant(Tensor(.float32, scale.shape, inverse), name: "inverse_scale")
    return graph.patch(try graph.emit(Mul(), x, factor))
  }

  /// Whether constants that make `value` can be scaled instead of it. Nothing else reads what lies between.
  private func absorbs(_ value: ValueID, _ depth: Int, _ graph: GraphEditor) -> Bool {
    guard depth > 0, graph.uses(value) == 1, let operation = graph.producer(value),
      let first = operation.inputs.first?.first
    else { return false }
    switch operation.op {
    case is Mul: return graph.operands(operation) != nil
    case is Add:
      if let (x, _) = graph.operands(operation) { return absorbs(x, depth - 1, graph) }
      return operation.inputs.joined().allSatisfy { absorbs($0, depth - 1, graph) }
    case is Clip, is Relu: return absorbs(first, depth - 1, graph)
    case let pool as MaxPool: return !pool.returnIndices && absorbs(first, depth - 1, graph)
    default: return false
    }
  }

  /// `value` times `factor`, which is more than 0, for one that absorbs it.
  private func scaled(_ value: ValueID, _ factor: Double, _ graph: inout GraphEditor) throws(Diagnostic) -> ValueID {
    guard let operation = graph.producer(value), let first = operation.inputs[0].first else { return value }
    func constant(_ id: ValueID) -> ValueID {
      let tensor = graph.constant(id)!
      return graph.emitConstant(Tensor(tensor.dtype, tensor.shape, tensor.doubles.map { $0 * factor }), name: "scaled")
    }
    switch operation.op {
    case is Mul:
      guard let (x, c) = graph.operands(operation) else { return value }
      return try graph.emit(Mul(), x, constant(c))
    case is Add:
      if let (x, c) = graph.operands(operation) {
        return try graph.emit(Add(), try scaled(x, factor, &graph), constant(c))
      }
      let terms = [operation.inputs[0][0], operation.inputs[1][0]]
      return try graph.emit(Add(), try scaled(terms[0], factor, &graph), try scaled(terms[1], factor, &graph))
    case let clip as Clip:
      return try graph.emit(
        Clip(alpha: clip.alpha * factor, beta: clip.beta * factor),
        try scaled(first, factor, &graph)
      )
    default: return try graph.emit(operation.op, try scaled(first, factor, &graph))
    }
  }

  /// Whether `value` is arithmetic on floats that integers were cast to.
  private func isOfIntegers(_ value: ValueID, _ depth: Int, _ graph: GraphEditor) -> Bool {
    guard depth > 0, let operation = graph.producer(value) else { return false }
    switch operation.op {
    case is Cast: return operation.inputs[0].first.map { graph.type($0).dtype.isInteger } ?? false
    case is Add, is Sub, is Mul, is Clip, is Relu, is Maximum, is Minimum, is MaxPool, is Reshape, is Transpose:
      return operation.inputs.joined().contains { isOfIntegers($0, depth - 1, graph) }
    default: return false
    }
  }
}
