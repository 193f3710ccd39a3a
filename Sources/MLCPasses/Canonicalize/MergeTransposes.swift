import MLCCore
import MLCGraph
import MLCOps

/// A transposition of a transposition becomes one; one that undoes the other goes.
package struct MergeTransposes: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let outer = operation.op as? Transpose, let input = operation.inputs[0].first,
      let (inner, first) = graph.producer(input, as: Transpose.self), let x = inner.inputs[0].first
    else { return nil }
    let order = outer.order.map { first.order[$0] }
    if order == Array(order.indices) { return graph.patch(x) }
    return graph.patch(try graph.emit(Transpose(order), x))
  }
}
