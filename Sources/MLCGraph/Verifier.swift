import MLCCore

extension Function {
  /// Checks the invariants that every pass must keep: each value is defined once, before its uses and in scope;
  /// arguments fit the schemas; inference agrees with the recorded types. Throws `verify.*`, naming the node.
  package func verify() throws(Diagnostic) {
    var check = VerifierRun(function: self)
    for input in inputs { try check.define(input, at: .init(file: file)) }
    try check.block(body)
    for state in states {
      guard inputs.indices.contains(state.input), body.outputs.indices.contains(state.output) else {
        throw Diagnostic("verify.state", "state '\(state.name)' has no input or no output", kind: .bug)
      }
    }
    for parameter in parameters {
      guard inputs.indices.contains(parameter.input),
        parameter.fits(type(inputs[parameter.input]))
      else {
        throw Diagnostic("verify.parameter", "parameter '\(parameter.name)' has no input that it fits", kind: .bug)
      }
    }
    guard outputNames.count == body.outputs.count else {
      throw Diagnostic("verify.outputs", "\(body.outputs.count) outputs but \(outputNames.count) names", kind: .bug)
    }
    if let featureProblem { throw Diagnostic("verify.feature", featureProblem, kind: .bug) }
  }
}

private struct VerifierRun {
  let function: Function
  var defined: Set<ValueID> = []

  init(function: Function) { self.function = function }

  mutating func define(_ id: ValueID, at location: Location) throws(Diagnostic) {
    guard function.values.indices.contains(id.index) else {
      throw Diagnostic("verify.unknown-value", "value #\(id.index) does not exist", kind: .bug, at: location)
    }
    guard defined.insert(id).inserted else {
      let name = function[id].name
      throw Diagnostic("verify.redefinition", "value '\(name)' is defined twice", kind: .bug, at: location)
    }
  }

  mutating func block(_ block: Block) throws(Diagnostic) {
    for input in block.inputs { try define(input, at: .init(file: function.file)) }
    for operation in block.operations { try self.operation(operation) }
    for output in block.outputs { try use(output, at: .init(file: function.file)) }
  }

  private func use(_ id: ValueID, at location: Location) throws(Diagnostic) {
    guard defined.contains(id) else {
      let name = function.values.indices.contains(id.index) ? function[id].name : "#\(id.index)"
      throw Diagnostic("verify.undefined", "value '\(name)' is used before it is defined", kind: .bug, at: location)
    }
  }

  private mutating func operation(_ operation: Operation) throws(Diagnostic) {
    let location = Location(op: operation.name).within(operation.origin).within(Location(file: function.file))
    for id in operation.inputs.joined() { try use(id, at: location) }
    if !operation.blocks.isEmpty {
      let outer = defined
      for nested in operation.blocks { try block(nested) }
      defined = outer
    }
    let function = self.function
    let facts = try locating(location) { () throws(Diagnostic) in
      try checkArguments(operation.op, operation.inputs, in: function)
      return try infer(
        operation.op,
        operation.inputs,
        blocks: operation.blocks,
        label: operation.outputs.first.map { function[$0].name } ?? operation.name,
        in: function
      )
    }
    guard facts.count == operation.outputs.count else {
      let message = "\(operation.outputs.count) outputs recorded; inference gives \(facts.count)"
      throw Diagnostic("verify.outputs", message, kind: .bug, at: location)
    }
    for (id, fact) in zip(operation.outputs, facts) {
      try define(id, at: location)
      let recorded = function.type(id)
      guard recorded.dtype == fact.dtype, recorded.rank == fact.rank,
        zip(recorded.shape, fact.shape).allSatisfy({ $0 == $1 || $0.constant == nil || $1.constant == nil })
      else {
        let message = "'\(function[id].name)' is recorded as \(recorded); inference gives \(fact.type)"
        throw Diagnostic("verify.type", message, kind: .bug, at: location)
      }
    }
  }
}
