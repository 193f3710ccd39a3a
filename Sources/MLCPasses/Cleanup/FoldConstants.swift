import MLCCore
import MLCGraph
import MLCOps

/// An operation whose results are known becomes constants.
///
/// Known are results that inference gives the value of, and those of pure operators on constants, which `evaluate`
/// gives. Results larger than 16 MiB that are also larger than what they are made from stay computed, as do those whose
/// evaluation takes more than 2³⁰ steps, and those beyond the budget of constants. Where `evaluate` throws, the
/// operation stays: it may never run. A `ConstantExpression` stays: it is a constant already, in a smaller form.
package struct FoldConstants: Rewrite {
  package static let phase = Phase.canonicalize
  package init() {}

  static let sizeLimit = 16 << 20
  static let workLimit = 1 << 30

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
      available += tensors.reduce(0) { $0 + $1.memoryBytes }
      arguments.append(tensors)
    }
    let limit = max(Budget.smallConstant, min(max(FoldConstants.sizeLimit, available), graph.budget.constantLeft))
    guard isAdmitted(operation, limit, graph) else {
      graph.budget.decline(operation.origin)
      return nil
    }
    let operands = Operands(Swift.type(of: operation.op).portNames, arguments, label: "fold")
    guard (operation.op as? any TextMaking)?.textBytes(operands) ?? 0 <= limit else {
      graph.budget.decline(operation.origin)
      return nil
    }
    guard let results = try? operation.op.evaluate(operands), results.reduce(0, { $0 + $1.memoryBytes }) <= limit,
      zip(results, operation.outputs).allSatisfy({ $0.dtype == graph.type($1).dtype && $0.rank == graph.type($1).rank })
    else { return nil }
    return results
  }

  /// Whether results and work stay within bounds, as far as types tell. Sizes that depend on data are those of
  /// selections, never more than a few times the arguments.
  private func isAdmitted(_ operation: Operation, _ limit: Int, _ graph: GraphEditor) -> Bool {
    var (bytes, elements) = (0, 0)
    for type in operation.outputs.map({ graph.type($0) }) {
      guard let shape = type.staticShape else { continue }
      guard let count = shape.checkedProduct, let size = type.dtype.memoryBytes(count), size <= maximumTensorBytes
      else { return false }
      (bytes, elements) = (bytes + size, max(elements, count))
    }
    guard bytes <= limit else { return false }
    let terms = max(graph.function.terms(operation), window(operation.op))
    return elements.saturatingProduct(terms) <= FoldConstants.workLimit
  }

  /// Elements that each result of a pooling looks at.
  private func window(_ op: any Operator) -> Int {
    let sizes = (op as? AvgPool)?.kernelSizes ?? (op as? MaxPool)?.kernelSizes ?? []
    return sizes.reduce(1) { $0.saturatingProduct($1) }
  }
}
