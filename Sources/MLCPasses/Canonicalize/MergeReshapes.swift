import MLCCore
import MLCGraph
import MLCOps

/// A reshape of a reshape becomes one, from `reshape`, `squeeze`, `expand_dims` and transpositions that move only axes
/// of extent 1. Reshapes that have to refuse an extent of 0 as the model runs stay.
///
/// The result's shape is written out when at most one extent is symbolic. One that gives back the first shape goes with
/// the no-ops.
package struct MergeReshapes: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let input = source(operation, graph), let inner = graph.producer(input), let x = source(inner, graph) else {
      return nil
    }
    let type = graph.type(operation.outputs[0])
    if graph.type(x) == type { return graph.patch(x) }
    guard type.shape.filter({ $0.constant == nil }).count <= 1, !type.shape.contains(0) || type.staticShape != nil
    else {
      return nil
    }
    let op = Reshape(allowZero: type.shape.contains(0))
    let shape = graph.emitConstant(.shape(type.shape.map { $0.constant ?? -1 }), name: "shape")
    let result = try graph.emit(op, x, shape)
    guard graph.type(result).rank == type.rank else { return nil }
    return graph.patch(result)
  }

  /// The argument of an operation that keeps the order of the elements.
  private func source(_ operation: Operation, _ graph: GraphEditor) -> ValueID? {
    switch operation.op {
    case is Squeeze, is ExpandDims: return operation.inputs[0].first
    case let op as Reshape:
      guard let x = operation.inputs[0].first, let shape = operation.inputs[1].first else { return nil }
      let target = graph.fact(shape).elements ?? []
      return op.mayCopy(graph.type(x).shape, under: target).isEmpty ? x : nil
    case let op as Transpose:
      guard let x = operation.inputs[0].first else { return nil }
      let moved = op.order.filter { graph.type(x).shape[$0] != 1 }
      return moved == moved.sorted() ? x : nil
    default: return nil
    }
  }
}
