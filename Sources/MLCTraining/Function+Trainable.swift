import MLCCore
import MLCGraph
import MLCOps
import MLCPasses

extension Function {
  /// The names of the weights that `patterns` name, `*` standing for any characters; without patterns those of `names`,
  /// or of all weights: constants of floats that have an axis, but for the statistics of batch norms. Throws
  /// `update.trainable` for a pattern that names none, and where none are called as `names`.
  package func trainable(_ patterns: [String], among names: Set<String>? = nil) throws(Diagnostic) -> Set<String> {
    let statistics = Set(
      body.operations.filter { $0.op is BatchNorm }.flatMap { $0.arguments("mean") + $0.arguments("variance") }
    )
    let weights = body.operations.filter { $0.op is Const || $0.isConstantExpression }.map { $0.outputs[0] }
      .filter { type($0).dtype.isFloat }
    let known = weights.map { self[$0].name }
    if patterns.isEmpty, let names {
      let found = names.intersection(known)
      if !found.isEmpty { return found }
      throw Diagnostic("update.trainable", "no layer learns; name weights with --trainable", kind: .usage)
    }
    if patterns.isEmpty {
      return Set(weights.filter { !statistics.contains($0) && type($0).rank > 0 }.map { self[$0].name })
    }
    for pattern in patterns where !known.contains(where: { $0.matches(pattern) }) {
      let listed = known.prefix(8).map { "'\($0)'" }.joined(separator: ", ") + (known.count > 8 ? ", …" : "")
      throw Diagnostic("update.trainable", "no weight is called '\(pattern)'; there are \(listed)", kind: .usage)
    }
    return Set(known.filter { name in patterns.contains { name.matches($0) } })
  }

  /// Throws `update.states`.
  func checkHasNoStates() throws(Diagnostic) {
    if states.isEmpty { return }
    let message = "a model with states is not trained: examples have no order"
    throw Diagnostic("update.states", message, kind: .unsupported)
  }

  /// Puts `contents`, of type float32, in place of the weights of these names. What was of another type is converted to
  /// it where it is read.
  package mutating func setWeights(_ contents: [String: Tensor]) {
    var changed: Set<ValueID> = []
    var operations: [Operation] = []
    for var operation in body.operations {
      let own = operation.outputs.first
      if let own, operation.op is Const || operation.isConstantExpression, let tensor = contents[self[own].name] {
        changed.insert(own)
        operations += replaced(operation, own, tensor)
        continue
      }
      forget(&operation, &changed)
      operations.append(operation)
    }
    body.operations = operations
  }

  /// What the parameters hold, by name.
  package var parameterContents: [String: Tensor] {
    Dictionary(parameters.map { ($0.name, $0.contents) }) { first, _ in first }
  }

  /// Puts `contents` in place of what the parameters of these names hold.
  package mutating func setParameters(_ contents: [String: Tensor]) {
    for place in parameters.indices {
      if let tensor = contents[parameters[place].name] { parameters[place].contents = tensor }
    }
  }

  private mutating func replaced(_ operation: Operation, _ own: ValueID, _ tensor: Tensor) -> [Operation] {
    let type = type(own)
    if type.dtype == .float32 {
      self[own].fact = Fact(tensor)
      return [Operation(Const(tensor), [], outputs: [own], origin: operation.origin)]
    }
    let name = self[own].name
    self[own].name = "\(name)_\(type.dtype.rawValue)"
    self[own].fact = Fact(type)
    let value = addValue(name, Fact(tensor))
    return [
      Operation(Const(tensor), [], outputs: [value], origin: operation.origin),
      Operation(Cast(type.dtype), [[value]], outputs: [own], origin: operation.origin),
    ]
  }

  /// Nothing is known any more of the elements that follow from what `changed`.
  private mutating func forget(_ operation: inout Operation, _ changed: inout Set<ValueID>) {
    let reads = operation.inputs.joined() + operation.blocks.flatMap { $0.uses }
    guard reads.contains(where: changed.contains) else { return }
    for place in operation.blocks.indices {
      for inner in operation.blocks[place].operations.indices {
        forget(&operation.blocks[place].operations[inner], &changed)
      }
    }
    for output in operation.outputs {
      changed.insert(output)
      self[output].fact = Fact(type(output))
    }
  }
}
