import MLCCore

extension Builder {
  /// What `value` is in every run, where that follows from constants and known sizes in a few small steps; else `nil`.
  ///
  /// For importers that need a number to go on with: how often a loop runs, which axes go. At most 256 operations are
  /// evaluated, on tensors of at most 4096 elements.
  package func known(_ value: ValueID) -> Tensor? {
    var search = KnownValues(builder: self)
    return search.tensor(value)
  }
}

private struct KnownValues {
  private static let elementLimit = 4096, operationLimit = 256

  let builder: Builder
  /// What was looked for so far; `nil` in it is what is not known.
  private var found: [ValueID: Tensor?] = [:]
  private var operations = 0

  init(builder: Builder) { self.builder = builder }

  mutating func tensor(_ value: ValueID) -> Tensor? {
    if let constant = builder.fact(value).value { return constant.count <= Self.elementLimit ? constant : nil }
    if let known = found[value] { return known }
    found[value] = .some(nil)
    guard operations < Self.operationLimit, let operation = builder.operation(giving: value) else { return nil }
    operations += 1
    guard let results = results(operation) else { return nil }
    for (output, result) in zip(operation.outputs, results) { found[output] = .some(result) }
    return found[value] ?? nil
  }

  private mutating func results(_ operation: Operation) -> [Tensor]? {
    let types = operation.outputs.map { builder.fact($0).type }
    let isSmall = types.allSatisfy { $0.staticShape?.checkedProduct.map { $0 <= Self.elementLimit } ?? false }
    guard isSmall, operation.isPure, operation.blocks.isEmpty, !operation.isConstantExpression else { return nil }
    var arguments: [[Tensor]] = []
    for port in operation.inputs {
      var tensors: [Tensor] = []
      for value in port {
        guard let tensor = tensor(value) else { return nil }
        tensors.append(tensor)
      }
      arguments.append(tensors)
    }
    let operands = Operands(type(of: operation.op).portNames, arguments, label: "known")
    guard let results = try? operation.op.evaluate(operands), results.map(\.type) == types else { return nil }
    return results
  }
}
