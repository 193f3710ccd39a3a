import MLCCore
import MLCGraph
import MLCOps

/// Sums with two constants become one sum, products one product; a quotient by a constant becomes a product.
///
/// (x + a) + b is x + (a + b), (x · a) · b is x · (a · b), x − a is x + (−a), x / a is x · (1/a) where 1/a is a normal
/// number and no rounding to a whole one follows by arithmetic, and x + 0 is x, but for −0. Floats only: integers wrap
/// and truncate.
package struct MergeConstantArithmetic: Rewrite {
  package static let phase = Phase.canonicalize
  package static let tolerance = 1e-6
  package init() {}

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let first = operation.outputs.first, graph.type(first).dtype.isFloat else { return nil }
    switch operation.op {
    case is Add:
      if let patch = withoutZero(operation, &graph) { return patch }
      return try merged(operation, Add.self, &graph)
    case is Mul: return try merged(operation, Mul.self, &graph)
    case is Sub: return try negated(operation, &graph)
    case is RealDiv: return try inverted(operation, &graph)
    default: return nil
    }
  }

  private func withoutZero(_ operation: Operation, _ graph: inout GraphEditor) -> Patch? {
    guard let (x, c) = graph.operands(operation), graph.number(c) == 0,
      graph.type(x) == graph.type(operation.outputs[0])
    else { return nil }
    return graph.patch(x)
  }

  private func merged<Op: Operator>(
    _ operation: Operation,
    _ op: Op.Type,
    _ graph: inout GraphEditor
  ) throws(Diagnostic) -> Patch? {
    guard let (inner, b) = graph.operands(operation), graph.uses(inner) == 1,
      let (source, _) = graph.producer(inner, as: op), let (x, a) = graph.operands(source),
      graph.type(x).dtype == graph.type(inner).dtype, let left = graph.constant(a), let right = graph.constant(b),
      left.count == 1 || right.count == 1 || left.shape == right.shape
    else { return nil }
    let both = try graph.emit(Op(), a, b)
    return graph.patch(try graph.emit(Op(), x, both))
  }

  private func negated(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let (x, c) = graph.operands(operation), c == operation.inputs[1].first, let tensor = graph.constant(c) else {
      return nil
    }
    let negative = graph.emitConstant(tensor.scaled { _ in -1 })
    return graph.patch(try graph.emit(Add(), x, negative))
  }

  private func inverted(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard let (x, c) = graph.operands(operation), c == operation.inputs[1].first, let tensor = graph.constant(c),
      !graph.decidesRounding(operation.outputs[0])
    else { return nil }
    let smallest = tensor.dtype == .float16 ? 6.2e-5 : 1.2e-38
    let inverse = Tensor(tensor.dtype, tensor.shape, tensor.doubles.map { 1 / $0 })
    guard inverse.doubles.allSatisfy({ $0.isFinite && abs($0) >= smallest }), tensor.doubles.allSatisfy(\.isFinite)
    else {
      return nil
    }
    return graph.patch(try graph.emit(Mul(), x, graph.emitConstant(inverse)))
  }
}
