import MLCCore
import MLCGraph

/// An operation whose results are known becomes constants.
///
/// Known are results that inference gives the value of, and those of pure operators on constants, which `evaluate` gives.
/// Results larger than 16 MiB that are also larger than what they are made from stay computed. Where `evaluate` throws, the operation
/// stays: it may never run. A `ConstantExpression` stays: it is a constant already, in a smaller form.
package struct FoldConstants: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  static let sizeLimit = 16 << 20

  package func rewrite(_ operation: Operation, _ graph: inout GraphEditor) throws(Diagnostic) -> Patch? {
    guard !(operation.op is Const), !operation.isConstantExpression, operation.blocks.isEmpty, operation.isPure else {
      return nil
    }
    let known = operation.outputs.compactMap { graph.constant($0) }
    guard let tensors = known.count == operation.outputs.count ? known : evaluated(operation, graph) else { return nil }
    let values = zip(operation.outputs, tensors).map { graph.emitConstant($1, name: graph.function[$0].name) }
    return graph.patch(all: values)
  }

  private func evaluated(_ operation: Operation, _ graph: GraphEditor) -> [Tensor]? {
    var arguments: [[Tensor]] = []
    var available = 0
    for port in operation.inputs {
      let tensors = port.compactMap { graph.constant($0) }
      guard tensors.count == port.count else { return nil }
      available += tensors.reduce(0) { $0 + $1.byteCount }
      arguments.append(tensors)
    }
    let limit = max(FoldConstants.sizeLimit, available)
    let types = operation.outputs.map { graph.type($0) }
    var expected = 0
    for type in types {
      // Sizes that depend on data are those of selections, never more than a few times the arguments.
      guard let shape = type.staticShape else { continue }
      expected += shape.checkedProduct.flatMap { type.dtype.byteCount($0) } ?? Int.max / 2
      guard expected <= limit else { return nil }
    }
    let operands = Operands(Swift.type(of: operation.op).portNames, arguments, label: "fold")
    guard let results = try? operation.op.evaluate(operands), results.reduce(0, { $0 + $1.byteCount }) <= limit,
      zip(results, types).allSatisfy({ $0.dtype == $1.dtype && $0.rank == $1.rank })
    else { return nil }
    return results
  }
}
