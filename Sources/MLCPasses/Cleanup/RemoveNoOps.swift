import MLCCore
import MLCGraph
import MLCOps

/// An operation that gives back its argument goes.
///
/// `identity`; `cast` to the same type; `reshape`, `squeeze`, `expand_dims`, `broadcast_to` to the same shape;
/// `transpose` that moves no axis; `slice_by_index` of everything; `pad` by nothing; `tile` once; `concat` of one;
/// `split` into one; `clip` to all numbers; x − 0, x · 1, x / 1, x¹; x + 0 of integers and x + (−0) of floats: x + 0
/// turns −0 into 0.
package struct RemoveNoOps: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.outputs.count == 1, let kept = argument(operation, graph),
      graph.type(kept) == graph.type(operation.outputs[0])
    else { return nil }
    return graph.patch(kept)
  }

  /// The argument that the operation gives back provided its type is that of the result.
  private func argument(_ operation: Operation, _ graph: GraphEditor) -> ValueID? {
    guard let first = operation.inputs.first?.first else { return nil }
    switch operation.op {
    case is Identity, is Cast, is Reshape, is Squeeze, is ExpandDims, is BroadcastTo, is Split: return first
    case is Concat: return operation.inputs[0].count == 1 ? first : nil
    case let op as Clip: return op.alpha == -.infinity && op.beta == .infinity ? first : nil
    case let op as Transpose: return op.movesNothing ? first : nil
    case is SliceByIndex:
      guard let stride = operation.argument("stride") else { return first }
      return graph.constant(stride).map { $0.integers.allSatisfy { $0 == 1 } } == true ? first : nil
    case is Pad: return holds(operation.argument("pad"), 0, graph) ? first : nil
    case is Tile: return holds(operation.argument("reps"), 1, graph) ? first : nil
    default: return neutralArgument(operation, graph)
    }
  }

  /// The other operand of a sum with 0 or a product with 1.
  private func neutralArgument(_ operation: Operation, _ graph: GraphEditor) -> ValueID? {
    guard operation.inputs.count == 2, let x = operation.inputs[0].first, let y = operation.inputs[1].first else {
      return nil
    }
    switch operation.op {
    case is Add: return isZero(y, .minus, graph) ? x : isZero(x, .minus, graph) ? y : nil
    case is Mul: return holds(y, 1, graph) ? x : holds(x, 1, graph) ? y : nil
    case is Sub: return isZero(y, .plus, graph) ? x : nil
    case is RealDiv, is Pow: return holds(y, 1, graph) ? x : nil
    default: return nil
    }
  }

  /// Whether every element is 0, with this sign in floats.
  private func isZero(_ value: ValueID, _ sign: FloatingPointSign, _ graph: GraphEditor) -> Bool {
    guard holds(value, 0, graph), let tensor = graph.constant(value) else { return false }
    return !tensor.dtype.isFloat || tensor.doubles.allSatisfy { $0.sign == sign }
  }

  private func holds(_ value: ValueID?, _ number: Double, _ graph: GraphEditor) -> Bool {
    guard let value, let tensor = graph.constant(value) else { return false }
    return tensor.uniformNumber == number
  }
}

extension Transpose {
  /// `perm` counted from the front.
  var order: [Int] { perm.map { $0 < 0 ? $0 + perm.count : $0 } }
  var movesNothing: Bool { order == Array(perm.indices) }
}
