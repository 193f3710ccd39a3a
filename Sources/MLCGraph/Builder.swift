import MLCCore

/// Appends operations to a function: checks arguments against the schema, infers, names results.
package struct Builder: Sendable {
  package var function: Function
  /// The block being filled; the last of `stack` when blocks nest.
  private var block = Block()
  private var stack: [Block] = []
  private var taken: [String: Int] = [:]
  /// By value, where the operation that gives it stands in its block; anything for what blocks take.
  private var places: [Int] = []

  /// Continues `function`, whose body so far is kept.
  package init(_ function: Function = Function()) {
    self.function = function
    block = function.body
    for value in function.values { taken[value.name] = 1 }
    places = [Int](repeating: -1, count: function.values.count)
    for (place, operation) in block.operations.enumerated() {
      for output in operation.outputs { places[output.index] = place }
    }
  }

  /// A name no other value has, `hint` itself if it is free.
  package mutating func uniqueName(_ hint: String) -> String {
    let hint = hint.isEmpty ? "v" : hint
    guard let count = taken[hint] else {
      taken[hint] = 1
      return hint
    }
    var number = count
    while taken["\(hint)_\(number)"] != nil { number += 1 }
    taken[hint] = number + 1
    taken["\(hint)_\(number)"] = 1
    return "\(hint)_\(number)"
  }

  package mutating func input(_ name: String, _ type: TensorType) -> ValueID {
    function.addInput(uniqueName(name), type)
  }

  package func fact(_ id: ValueID) -> Fact { function.fact(id) }

  /// The operation that gives `value`, of the block being filled or one around it; `nil` for what these take.
  package func operation(giving value: ValueID) -> Operation? {
    guard places.indices.contains(value.index) else { return nil }
    let place = places[value.index]
    for block in [block] + stack.reversed() where block.operations.indices.contains(place) {
      if block.operations[place].outputs.contains(value) { return block.operations[place] }
    }
    return nil
  }

  /// Appends `operation`, whose outputs are the values that were added last.
  private mutating func add(_ operation: Operation) {
    places += repeatElement(block.operations.count, count: function.values.count - places.count)
    block.operations.append(operation)
  }

  package mutating func constant(_ value: Tensor, name: String = "const", origin: Location = .init()) -> ValueID {
    let id = function.addValue(uniqueName(name), Fact(value))
    add(Operation(Const(value), [], outputs: [id], origin: origin))
    return id
  }

  /// Appends `op` and gives its outputs.
  ///
  /// `names` are hints for the outputs. Throws `graph.*` when the arguments do not fit the schema, and what `infer`
  /// throws, located at `origin`.
  @discardableResult
  package mutating func append(
    _ op: any Operator,
    _ inputs: [[ValueID]],
    names: [String] = [],
    blocks: [Block] = [],
    origin: Location = .init()
  ) throws(Diagnostic) -> [ValueID] {
    let label = uniqueName(names.first ?? type(of: op).name)
    let facts = try inferred(op, inputs, label: label, blocks: blocks, origin: origin)
    var outputs: [ValueID] = []
    for (index, fact) in facts.enumerated() {
      let name = index == 0 ? label : uniqueName(index < names.count ? names[index] : "\(label)_\(index)")
      outputs.append(function.addValue(name, fact))
    }
    add(Operation(op, inputs, outputs: outputs, blocks: blocks, origin: origin))
    return outputs
  }

  /// `append` for the usual operator: each port one value or none, one output.
  @discardableResult
  package mutating func callAsFunction(
    _ op: any Operator,
    _ inputs: ValueID?...,
    name: String? = nil,
    origin: Location = .init()
  ) throws(Diagnostic) -> ValueID {
    try append(op, inputs.map { $0.map { [$0] } ?? [] }, names: name.map { [$0] } ?? [], origin: origin)[0]
  }

  private func inferred(
    _ op: any Operator,
    _ inputs: [[ValueID]],
    label: String,
    blocks: [Block],
    origin: Location
  ) throws(Diagnostic) -> [Fact] {
    let function = self.function
    return try locating(origin.op == nil ? Location(op: type(of: op).name).within(origin) : origin) {
      () throws(Diagnostic) in
      try checkArguments(op, inputs, in: function)
      return try infer(op, inputs, blocks: blocks, label: label, in: function)
    }
  }

  /// Begins a nested block; operations go into it until `endBlock`.
  package mutating func beginBlock(inputs: [(name: String, type: TensorType)] = []) -> [ValueID] {
    stack.append(block)
    block = Block()
    for input in inputs { block.inputs.append(function.addValue(uniqueName(input.name), Fact(input.type))) }
    return block.inputs
  }
  /// One more input of the block being filled, behind those that it has.
  package mutating func addBlockInput(_ name: String, _ type: TensorType) -> ValueID {
    precondition(!stack.isEmpty, "no nested block is open")
    let value = function.addValue(uniqueName(name), Fact(type))
    block.inputs.append(value)
    return value
  }
  package mutating func endBlock(yielding outputs: [ValueID]) -> Block {
    block.outputs = outputs
    let finished = block
    block = stack.removeLast()
    return finished
  }

  /// The function with these outputs.
  package mutating func finish(_ outputs: [(name: String, value: ValueID)]) -> Function {
    precondition(stack.isEmpty, "a nested block is open")
    block.outputs = outputs.map(\.value)
    function.body = block
    function.outputNames = outputs.map(\.name)
    return function
  }
}

/// Checks counts and ranks of `inputs` against the schema of `op`.
package func checkArguments(_ op: any Operator, _ inputs: [[ValueID]], in function: Function) throws(Diagnostic) {
  let ports = type(of: op).ports
  guard inputs.count <= ports.count else {
    throw Diagnostic("graph.argument-count", "\(inputs.count) arguments; at most \(ports.count) are taken")
  }
  for (index, port) in ports.enumerated() {
    let values = index < inputs.count ? inputs[index] : []
    switch port.arity {
    case .required where values.count != 1:
      throw Diagnostic("graph.missing-input", "input '\(port.name)' is required")
    case .optional where values.count > 1:
      throw Diagnostic("graph.argument-count", "input '\(port.name)' takes one value, not \(values.count)")
    default: break
    }
    for value in values {
      if let rank = port.rank, !rank.contains(function.fact(value).rank) {
        let expected =
          rank.lowerBound == rank.upperBound ? "\(rank.lowerBound)" : "\(rank.lowerBound) to \(rank.upperBound)"
        throw Diagnostic("graph.rank", "input '\(port.name)' is \(function.type(value)); expected rank \(expected)")
      }
    }
  }
}

/// The facts of the outputs of `op`, checked for sanity: no negative extents, no element count beyond memory.
package func infer(
  _ op: any Operator,
  _ inputs: [[ValueID]],
  blocks: [Block],
  label: String,
  in function: Function
) throws(Diagnostic) -> [Fact] {
  let operands = Operands(
    type(of: op).portNames,
    inputs.map { $0.map(function.fact) },
    label: label,
    blocks: blocks.map { $0.outputs.map(function.fact) }
  )
  let facts = try op.infer(operands)
  for fact in facts {
    for extent in fact.shape {
      if let n = extent.constant, n < 0 {
        throw Diagnostic("graph.negative-extent", "the result would be \(fact.type), with a negative extent")
      }
    }
    if let shape = fact.type.staticShape {
      guard let count = shape.checkedProduct, let bytes = fact.dtype.memoryBytes(count), bytes <= maximumTensorBytes
      else {
        throw Diagnostic("graph.tensor-size", "the result would be \(fact.type), larger than any tensor may be")
      }
    }
  }
  return facts
}
