import MLCCore
import MLCGraph
import MLCOps

/// A product of a `matmul` operand with a constant number moves behind the `matmul`, where it is an epilogue.
package struct SinkScales: Rewrite {
  package static let phase = Phase.canonicalize
  package static let tolerance = 1e-5
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard operation.op is MatMul, let (x, y) = graph.pair(operation), graph.type(x).dtype == .float32 else {
      return nil
    }
    let (left, right) = (scaled(x, graph), scaled(y, graph))
    guard left != nil || right != nil else { return nil }
    let product = try graph.emit(operation.op, left?.value ?? x, right?.value ?? y)
    let scale = graph.emitScalar((left?.factor ?? 1) * (right?.factor ?? 1), like: product)
    return graph.patch(try graph.emit(Mul(), product, scale))
  }

  private func scaled(_ value: ValueID, _ graph: GraphEditor) -> (value: ValueID, factor: Double)? {
    guard graph.uses(value) == 1, let (operation, _) = graph.producer(value, as: Mul.self),
      let (x, c) = graph.operands(operation), let factor = graph.number(c), graph.type(x) == graph.type(value)
    else { return nil }
    return (x, factor)
  }
}
